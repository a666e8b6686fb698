import type { JsonObject } from 'kilter/api';
import { builtinSchema, type ResourceDefinition } from '../kinds/index.ts';
import { applyDefaults, type Nulls, prune } from '../schema/index.ts';
import { isObject, jsonKind, type Schema } from '../values/index.ts';
import { type Decoded, decodeTyped } from './typed-decode.ts';

const objectMeta = (): Schema => builtinSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta');

/** What the server makes of a custom resource: metadata as the type it is, the rest pruned and defaulted by its schema. */
export function decodeCustom(object: JsonObject, { schema }: ResourceDefinition, nulls: Nulls = 'dropped'): Decoded {
  const { metadata, ...rest } = object;
  const pruned = prune(rest, schema);
  const typed = decodeMetadata(isObject(metadata) ? metadata : {});
  const fits = metadata === undefined || metadata === null || isObject(metadata);
  const problem = fits
    ? typed.problem
    : `json: cannot unmarshal ${jsonKind(metadata)} into Go value of type v1.ObjectMeta`;
  const value = applyDefaults({ ...pruned.value, metadata: typed.value }, schema, nulls);
  return { value, unknown: [...pruned.unknown, ...typed.unknown].sort(), problem };
}

/** Paths are those of the whole object; the type is named as the server's messages do. */
function decodeMetadata(metadata: JsonObject): Decoded {
  const whole: Schema = { type: 'object', properties: { metadata: objectMeta() } };
  const decoded = decodeTyped({ metadata }, whole, { name: 'ObjectMeta' });
  const problem = decoded.problem?.replace('.metadata.', '.');
  return { value: (decoded.value['metadata'] ?? {}) as JsonObject, unknown: decoded.unknown, problem };
}
