import type { JsonObject } from 'kilter/api';
import { finalizersOf, type Served } from '../kinds/index.ts';
import { metadataOf } from '../values/index.ts';
import { type Core, objectKey } from './core.ts';

/** Whether nothing holds an object any more that was marked for deletion. */
export function isReleased(object: JsonObject, { definition }: Served): boolean {
  const metadata = metadataOf(object);
  if (metadata['deletionTimestamp'] === undefined || finalizersOf(metadata).length > 0) return false;
  const grace = metadata['deletionGracePeriodSeconds'];
  return (grace === undefined || grace === 0) && definition.strategy.deletion?.holds?.(object) !== true;
}

/** Takes an object out of the store. */
export function removeObject(core: Core, served: Served, object: JsonObject): number {
  const key = objectKey(served, object);
  return core.storage.remove(served.bucket, key)?.revision ?? core.storage.revision;
}
