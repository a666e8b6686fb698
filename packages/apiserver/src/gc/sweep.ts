import type { JsonObject } from 'kilter/api';
import type { Registry } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { Stage } from './stage.ts';

/** Looks at all objects of some resources after each change of one of them, until `next`, given those of each, finds nothing more to do. */
export function sweep(
  registry: Registry,
  resources: readonly ResourceDefinition[],
  next: (...all: (readonly JsonObject[])[]) => (() => Promise<void>) | undefined,
): Stage {
  let dirty = true;
  const unsubscribe = registry.onChange(({ resource: changed }) => {
    if (resources.some(({ group, plural }) => changed.group === group && changed.plural === plural)) dirty = true;
  });
  return {
    close: unsubscribe,
    next: () => {
      const work = dirty ? next(...resources.map((resource) => registry.peek(resource))) : undefined;
      dirty = work !== undefined;
      return work;
    },
  };
}
