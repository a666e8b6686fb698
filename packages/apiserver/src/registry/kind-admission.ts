import type { JsonObject } from 'kilter/api';
import type { PriorityClass } from '../admission/index.ts';
import type { Admission } from '../kinds/index.ts';
import { metadataOf, objectIn, textIn } from '../values/index.ts';
import { type Core, load } from './core.ts';

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
  const classes = (): PriorityClass[] => priorityClasses(core);
  for (const plugin of definition.strategy.admission ?? []) {
    plugin({ definition, object, old, classes, addresses: () => clusterAddresses(core) });
  }
  return object;
}
