import type { JsonObject } from 'kilter/api';
import { namespaceLifecycle, type PriorityClass } from '../admission/index.ts';
import type { User } from '../auth/index.ts';
import { forbidden, notFound } from '../status/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import type { AdmissionRequest, AdmissionStep } from './admission-step.ts';
import { type Core, load, read } from './core.ts';
import { clusterAddresses, nodePortsBut } from './services-in-use.ts';
import type { AnyChange, Creation, Deletion, Update } from './write.ts';

/** On whose behalf a change is made, which those who are asked about it want to know. */
export interface AskedFor {
  readonly user: User;
}

function requestOf({
  operation,
  served,
  subresource,
  user,
  options,
  object,
  old,
}: AnyChange & AskedFor): AdmissionRequest {
  const kept = operation === 'delete' ? undefined : object;
  return { operation, resource: served.definition, subresource, user, dryRun: options.dryRun, object: kept, old };
}

/** Asks one after the other, each about what the one before made of the object. Nobody to wait for: undefined. */
export function mutate(change: AnyChange & AskedFor): Promise<void> | undefined {
  const steps = change.core.admission;
  for (const [index, step] of steps.entries()) {
    const answer = step.mutate?.(requestOf(change));
    if (answer !== undefined) return mutateOn(change, answer, steps.slice(index + 1));
  }
  return undefined;
}

async function mutateOn(
  change: AnyChange & AskedFor,
  first: Promise<JsonObject>,
  rest: readonly AdmissionStep[],
): Promise<void> {
  const take = (object: JsonObject): void => {
    if (change.operation !== 'delete') change.object = object;
  };
  take(await first);
  for (const step of rest) {
    const answer = step.mutate?.(requestOf(change));
    if (answer !== undefined) take(await answer);
  }
}

/** Asks all at once; the refusal of the first in order counts. */
export function approve(change: AnyChange & AskedFor): Promise<void> | undefined {
  const answers = change.core.admission.flatMap((step) => step.validate?.(requestOf(change)) ?? []);
  return answers.length === 0 ? undefined : allOf(answers);
}

async function allOf(answers: readonly Promise<void>[]): Promise<void> {
  for (const result of await Promise.allSettled(answers)) if (result.status === 'rejected') throw result.reason;
}

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

const namespaceResource = { group: '', plural: 'namespaces' };

function refuseNamespace({ core, served, object }: Creation): void {
  const { definition } = served;
  const metadata = metadataOf(object);
  const name = textIn(metadata, 'namespace');
  const namespaces = core.catalog.storedIn('/namespaces');
  if (!definition.namespaced || namespaces === undefined) return;
  const namespace = read(core, namespaces, name);
  const terminating = namespace !== undefined && metadataOf(namespace)['deletionTimestamp'] !== undefined;
  const refusal = namespaceLifecycle({ name, exists: namespace !== undefined, terminating });
  if (refusal?.type === 'missing') throw notFound(namespaceResource, name);
  if (refusal !== undefined) {
    throw forbidden(definition, textIn(metadata, 'name'), { message: refusal.message, causes: [refusal.cause] });
  }
}

/** The plugins of the kind, in their order; they change the object in place. */
function runPlugins({ core, served: { definition }, object, old }: Creation | Update): void {
  const classes = (): PriorityClass[] => priorityClasses(core);
  for (const plugin of definition.strategy.admission ?? []) {
    plugin({
      definition,
      object,
      old,
      classes,
      addresses: () => clusterAddresses(core),
      nodePorts: () => nodePortsBut(core, textIn(metadataOf(old ?? {}), 'uid')),
    });
  }
}

export function admitNew(creation: Creation): void {
  refuseNamespace(creation);
  runPlugins(creation);
}

export function admitChanged(update: Update): void {
  if (update.subresource === undefined) runPlugins(update);
}

export function refuseDeletion({ served: { definition }, old }: Deletion): void {
  const message = definition.strategy.deletion?.refuse?.(old);
  if (message !== undefined) throw forbidden(definition, textIn(metadataOf(old), 'name'), { message });
}
