import type { JsonObject } from 'kilter/api';
import type { Registry } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { Stage } from './stage.ts';

/** Looks at all objects of a resource after each change of one of them, until `next` finds nothing more to do. */
export function sweep(
  registry: Registry,
  resource: ResourceDefinition,
  next: (all: readonly JsonObject[]) => (() => Promise<void>) | undefined,
): Stage {
  let dirty = true;
  const unsubscribe = registry.onChange(({ resource: changed }) => {
    if (changed.group === resource.group && changed.plural === resource.plural) dirty = true;
  });
  return {
    close: unsubscribe,
    next: () => {
      const work = dirty ? next(registry.peek(resource)) : undefined;
      dirty = work !== undefined;
      return work;
    },
  };
}
