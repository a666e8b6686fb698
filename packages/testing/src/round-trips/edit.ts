import type { Json, JsonObject, KubeObject } from 'kilter/api';
import type { Schema } from '@kilter/apiserver';
import type { Version } from './versions.ts';

/** An object of which one field was changed, as somebody would who knows its version only. */
export interface Edited {
  /** As `spec.image`. */
  readonly path: string;
  readonly object: KubeObject;
}

/** So many fields are changed of an object, one at a time; another choice for each object. */
const maximumEdits = 2;

/** The object with one plain value changed, so that it is still valid; fewer where no other value is. */
export function editsOf(object: KubeObject, version: Version): Edited[] {
  const { spec } = object as KubeObject & { spec?: Json };
  if (spec === undefined) return [];
  const leaves = leavesIn(spec, { path: 'spec', schema: version.schema.properties?.['spec'] ?? {} });
  const start = JSON.stringify(spec).length;
  const chosen = Array.from({ length: Math.min(maximumEdits, leaves.length) }, (_, i) => (start + i) % leaves.length);
  return chosen.flatMap((nth) => {
    const leaf = leaves[nth];
    const drafts = (leaf?.others ?? []).map((value) => ({ ...object, spec: leaf?.put(value) }) as KubeObject);
    const fitting = drafts.find((draft) => version.judge(draft).valid);
    return leaf === undefined || fitting === undefined ? [] : [{ path: leaf.path, object: fitting }];
  });
}

interface Leaf {
  readonly path: string;
  /** Values it might have instead. */
  readonly others: readonly Json[];
  /** The whole with another value there. */
  readonly put: (value: Json) => Json;
}

function leavesIn(value: Json, { path, schema }: { path: string; schema: Schema }): Leaf[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) =>
      leavesIn(item, { path: `${path}[${i}]`, schema: schema.items ?? {} }).map((leaf) => ({
        ...leaf,
        put: (inner: Json) => value.with(i, leaf.put(inner)),
      })),
    );
  }
  if (typeof value !== 'object' || value === null)
    return [{ path, others: othersOf(value, schema), put: (own) => own }];
  return Object.entries(value as JsonObject).flatMap(([name, inner]) => {
    const { additionalProperties: values, properties = {} } = schema;
    const part = Object.hasOwn(properties, name) ? properties[name] : typeof values === 'object' ? values : undefined;
    return leavesIn(inner, { path: `${path}.${name}`, schema: part ?? {} }).map((leaf) => ({
      ...leaf,
      put: (own: Json) => ({ ...value, [name]: leaf.put(own) }),
    }));
  });
}

function othersOf(value: Json, schema: Schema): Json[] {
  const near: Json[] =
    typeof value === 'string'
      ? [`${value}a`, 'a', 'b', '1', '2', value.slice(1)]
      : typeof value === 'number'
        ? [value + 1, value - 1, value + (schema.multipleOf ?? 1)]
        : [value !== true];
  return [...(schema.enum ?? []), ...near].filter((other) => other !== value);
}
