import type { JsonObject } from 'kilter/api';
import type { Schema } from '../values/index.ts';
import { merge } from './merge.ts';
import { typeOf } from './type.ts';

/** A configuration laid over an object, as an apply does it, without anybody owning anything. */
export function laidOver(
  object: JsonObject,
  configuration: JsonObject,
  { schema, builtin }: { readonly schema: Schema; readonly builtin: boolean },
): JsonObject {
  return merge(object, configuration, typeOf(schema, builtin));
}
