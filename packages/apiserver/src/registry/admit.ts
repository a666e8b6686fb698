import { namespaceLifecycle, type PriorityClass } from '../admission/index.ts';
import { forbidden, notFound } from '../status/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import { type Core, show } from './core.ts';
import type { Creation, Deletion, Update } from './write.ts';

const classBucket = 'scheduling.k8s.io/priorityclasses';

function priorityClasses(core: Core): PriorityClass[] {
  const { catalog, storage } = core;
  const served = catalog.storedIn(classBucket);
  if (served === undefined) return [];
  return storage.list(classBucket).map((stored) => {
    const object = show(core, served, stored);
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
  const stored = core.storage.read(namespaces.bucket, name);
  const namespace = stored && show(core, namespaces, stored);
  const terminating = namespace !== undefined && metadataOf(namespace)['deletionTimestamp'] !== undefined;
  const refusal = namespaceLifecycle({ name, exists: namespace !== undefined, terminating });
  if (refusal?.type === 'missing') throw notFound(namespaceResource, name);
  if (refusal !== undefined) {
    throw forbidden(definition, textIn(metadata, 'name'), { message: refusal.message, causes: [refusal.cause] });
  }
}

/** The plugins of the kind, in their order; they change the object in place. */
function runPlugins({ core, served: { definition }, object, old, options }: Creation | Update): void {
  const classes = (): PriorityClass[] => priorityClasses(core);
  for (const plugin of definition.strategy.admission ?? []) {
    plugin({
      definition,
      object,
      old,
      classes,
      dryRun: options.dryRun,
      serviceRange: core.strategyContext.serviceRange,
      isAddressTaken: (address) => core.services.isAddressTaken(address),
      isNodePortTaken: (port) => core.services.isNodePortTaken(port, textIn(metadataOf(old ?? {}), 'uid')),
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
