// What admission does to objects of built-in kinds, after ownership is recorded and before the kind has its say.
import type { JsonObject } from 'kilter/api';
import { podPriority, secondDefaultClass, withEvictionTolerations, withNotReadyTaint } from '../admission/index.ts';
import { forbidden, invalid, invalidValue } from '../status/index.ts';
import { metadataOf, objectIn, objectsIn, textIn } from '../values/index.ts';
import { hasNodePorts, nodePortProblem } from './builtin-service-defaults.ts';
import type { Admission, AdmissionPlugin } from './definition.ts';
import { finalizersOf } from './metadata-rules.ts';
import { addressRefusal, allocationIssues } from './service-address-rules.ts';

function refuse({ definition, object }: Admission, message: string): never {
  throw forbidden(definition, textIn(metadataOf(object), 'name'), { message });
}

export const tolerations: AdmissionPlugin = ({ object }) => {
  const spec = objectIn(object, 'spec');
  spec['tolerations'] = withEvictionTolerations(spec['tolerations']);
};

function keepPriority(spec: JsonObject, old: JsonObject): void {
  for (const field of ['priority', 'preemptionPolicy']) {
    const before = objectIn(old, 'spec')[field];
    if ((spec[field] ?? null) === null && before !== undefined) spec[field] = before;
  }
}

export const priority: AdmissionPlugin = (admission) => {
  const { object, old, classes } = admission;
  const spec = objectIn(object, 'spec');
  if (old !== undefined) return keepPriority(spec, old);
  const { priority: number, preemptionPolicy: policy } = spec;
  const decision = podPriority(
    {
      className: textIn(spec, 'priorityClassName'),
      priority: typeof number === 'number' ? number : undefined,
      preemptionPolicy: typeof policy === 'string' ? policy : undefined,
    },
    classes(),
  );
  if ('refused' in decision) return refuse(admission, decision.refused);
  if (decision.className !== '') spec['priorityClassName'] = decision.className;
  Object.assign(spec, { priority: decision.priority, preemptionPolicy: decision.preemptionPolicy });
};

export const defaultPriority: AdmissionPlugin = (admission) => {
  const { object, old, classes } = admission;
  if (object['globalDefault'] !== true) return;
  const refusal = secondDefaultClass(textIn(metadataOf(object), 'name'), old === undefined, classes());
  if (refusal !== undefined) refuse(admission, refusal);
};

export const notReady: AdmissionPlugin = ({ object, old }) => {
  const spec = objectIn(object, 'spec');
  if (old === undefined) spec['taints'] = withNotReadyTaint(spec['taints']);
};

/** An object in use stays until its users are gone. */
export const protection =
  (finalizer: string): AdmissionPlugin =>
  ({ object, old }) => {
    const metadata = objectIn(object, 'metadata');
    const there = finalizersOf(metadata);
    if (old === undefined && !there.includes(finalizer)) metadata['finalizers'] = [...there, finalizer];
  };

/** A port of the nodes belongs to one Service, for each protocol. */
export const freeNodePorts: AdmissionPlugin = ({ definition, object, dryRun, isNodePortTaken }) => {
  const spec = objectIn(object, 'spec');
  const asked = objectsIn(spec, 'ports').map((port) => port['nodePort'] ?? 0);
  if (!hasNodePorts(spec) || asked.every((number) => number === 0)) return;
  const own = new Set<string>();
  for (const [index, port] of objectsIn(spec, 'ports').entries()) {
    const number = asked[index];
    if (typeof number !== 'number' || number === 0) continue;
    const protocol = textIn(port, 'protocol');
    const key = `${protocol}/${number}`;
    const taken = own.has(key) || isNodePortTaken({ number, protocol });
    // A dry run does not learn of the range.
    const problem = dryRun && !taken ? undefined : nodePortProblem(number, taken);
    own.add(key);
    if (problem === undefined) continue;
    const issue = invalidValue(`spec.ports[${index}].nodePort`, number, problem);
    throw invalid(definition, textIn(metadataOf(object), 'name'), [issue]);
  }
};

/** An address belongs to one Service, and to the cluster. */
export const freeAddress: AdmissionPlugin = ({
  definition,
  object,
  old,
  dryRun,
  serviceRange: range,
  isAddressTaken,
}) => {
  if (old !== undefined) return;
  const spec = objectIn(object, 'spec');
  const refused = addressRefusal(spec);
  const issues = refused.length > 0 ? refused : allocationIssues(spec, { range, isTaken: isAddressTaken, dryRun });
  if (issues.length > 0) throw invalid(definition, textIn(metadataOf(object), 'name'), issues);
};
