import type { JsonObject } from 'kilter/api';
import { sameButTimes } from '../apply/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';

/** An object without what never counts for its generation. */
function counted({ metadata: _, status, ...rest }: JsonObject, { custom, hasStatus }: ResourceDefinition): JsonObject {
  // The status of a custom resource without the subresource is a field like any other.
  return custom && !hasStatus && status !== undefined ? { ...rest, status } : rest;
}

/** The generation after an update; undefined where the kind keeps none. */
export function generationAfter(
  object: JsonObject,
  old: JsonObject,
  definition: ResourceDefinition,
): number | undefined {
  const before = (old['metadata'] as JsonObject | undefined)?.['generation'];
  const generation = typeof before === 'number' ? before : undefined;
  const { strategy } = definition;
  if (!strategy.generation) return generation;
  const bumped =
    strategy.bumpsGeneration?.(object, old) ?? !sameButTimes(counted(object, definition), counted(old, definition));
  return (generation ?? 0) + (bumped ? 1 : 0);
}
