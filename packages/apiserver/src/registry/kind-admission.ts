// What admission does to objects of built-in kinds, after ownership is recorded and before the kind has its say.
import type { JsonObject } from 'kilter/api';
import {
  podPriority,
  type PriorityClass,
  secondDefaultClass,
  withEvictionTolerations,
  withNotReadyTaint,
} from '../admission/index.ts';
import { finalizersOf, type ResourceDefinition } from '../kinds/index.ts';
import { forbidden, invalid, invalidValue } from '../status/index.ts';
import { metadataOf, objectIn, textIn } from '../values/index.ts';
import { type Core, load } from './core.ts';

interface Admission {
  readonly definition: ResourceDefinition;
  /** Changed in place. */
  readonly object: JsonObject;
  /** Undefined on create. */
  readonly old: JsonObject | undefined;
  readonly classes: () => PriorityClass[];
  /** Cluster addresses in use. */
  readonly addresses: () => string[];
}

type Plugin = (admission: Admission) => void;

function refuse({ definition, object }: Admission, message: string): never {
  throw forbidden(definition, textIn(metadataOf(object), 'name'), { message });
}

const tolerations: Plugin = ({ object }) => {
  const spec = objectIn(object, 'spec');
  spec['tolerations'] = withEvictionTolerations(spec['tolerations']);
};

function keepPriority(spec: JsonObject, old: JsonObject): void {
  for (const field of ['priority', 'preemptionPolicy']) {
    const before = objectIn(old, 'spec')[field];
    if ((spec[field] ?? null) === null && before !== undefined) spec[field] = before;
  }
}

const priority: Plugin = (admission) => {
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

const defaultPriority: Plugin = (admission) => {
  const { object, old, classes } = admission;
  if (object['globalDefault'] !== true) return;
  const refusal = secondDefaultClass(textIn(metadataOf(object), 'name'), old === undefined, classes());
  if (refusal !== undefined) refuse(admission, refusal);
};

const notReady: Plugin = ({ object, old }) => {
  const spec = objectIn(object, 'spec');
  if (old === undefined) spec['taints'] = withNotReadyTaint(spec['taints']);
};

/** An object in use stays until its users are gone. */
const protection =
  (finalizer: string): Plugin =>
  ({ object, old }) => {
    const metadata = objectIn(object, 'metadata');
    const there = finalizersOf(metadata);
    if (old === undefined && !there.includes(finalizer)) metadata['finalizers'] = [...there, finalizer];
  };

/** An address belongs to one Service. */
const freeAddress: Plugin = ({ definition, object, old, addresses }) => {
  const address = textIn(objectIn(object, 'spec'), 'clusterIP');
  if (old !== undefined || address === '' || address === 'None' || !addresses().includes(address)) return;
  const why = `failed to allocate IP ${address}: provided IP is already allocated`;
  throw invalid(definition, textIn(metadataOf(object), 'name'), [invalidValue('spec.clusterIPs', [address], why)]);
};

const plugins: Readonly<Record<string, readonly Plugin[]>> = {
  '/Node': [notReady],
  '/PersistentVolume': [protection('kubernetes.io/pv-protection')],
  '/PersistentVolumeClaim': [protection('kubernetes.io/pvc-protection')],
  '/Pod': [tolerations, priority],
  '/Service': [freeAddress],
  'scheduling.k8s.io/PriorityClass': [defaultPriority],
};

const classBucket = 'scheduling.k8s.io/priorityclasses';

function priorityClasses({ catalog, storage }: Core): PriorityClass[] {
  const served = catalog.storedIn(classBucket);
  if (served === undefined) return [];
  return storage.list(classBucket).map((stored) => {
    const object = load(served, stored);
    const { value } = object;
    return {
      name: textIn(metadataOf(object), 'name'),
      value: typeof value === 'number' ? value : 0,
      preemptionPolicy: textIn(object, 'preemptionPolicy'),
      globalDefault: object['globalDefault'] === true,
    };
  });
}

function clusterAddresses({ catalog, storage }: Core): string[] {
  const served = catalog.storedIn('/services');
  if (served === undefined) return [];
  return storage.list('/services').map((stored) => textIn(objectIn(load(served, stored), 'spec'), 'clusterIP'));
}

/** The object as admission leaves it; it is the server's own and changed in place. */
export function admitted(
  core: Core,
  { definition, object, old }: Omit<Admission, 'classes' | 'addresses'>,
): JsonObject {
  if (definition.custom) return object;
  const classes = (): PriorityClass[] => priorityClasses(core);
  for (const plugin of plugins[`${definition.group}/${definition.kind}`] ?? []) {
    plugin({ definition, object, old, classes, addresses: () => clusterAddresses(core) });
  }
  return object;
}
