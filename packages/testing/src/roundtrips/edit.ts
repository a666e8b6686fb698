import type { Json, JsonObject, KubeObject } from 'kilter/api';
import type { Schema } from '@kilter/apiserver/schema';
import type { Version } from './versions.ts';

/** An object of which one field was changed or one item removed, as somebody would who knows its version only. */
export interface Edited {
  /** As `spec.image`, `spec.hosts[1]`. */
  readonly path: string;
  readonly how: 'changed' | 'removed';
  readonly object: KubeObject;
}

/** So many fields are changed of an object, one at a time; another choice for each object. */
const maximumEdits = 2;
/** So many items are doubled of an object, one at a time. */
const maximumTwins = 2;

type WithSpec = KubeObject & { readonly spec?: Json | undefined };

/** The object with one plain value changed, or one item removed, so that it is still valid; fewer where that cannot be. */
export function editsOf(object: KubeObject, version: Version): Edited[] {
  const { spec } = object as WithSpec;
  if (spec === undefined) return [];
  const leaves = leavesIn(spec, { path: 'spec', schema: specSchema(version) });
  const changes = chosenOf(leaves, spec, maximumEdits).map((leaf) => ({ ...leaf, how: 'changed' as const }));
  const removals = chosenOf(itemsIn(spec, 'spec'), spec, 1);
  return [...changes, ...removals.map(removal)].flatMap(({ path, how, others, put }) => {
    const fitting = fittingOf(object, version, others.map(put));
    return fitting === undefined ? [] : [{ path, how, object: fitting }];
  });
}

/** Objects like this one, but with one item more in a list: a copy of another one in which one plain value differs. */
export function twinsOf(object: KubeObject, version: Version): KubeObject[] {
  const { spec } = object as WithSpec;
  if (spec === undefined) return [];
  const inLists = leavesIn(spec, { path: 'spec', schema: specSchema(version) }).filter(
    ({ copy }) => copy !== undefined,
  );
  return chosenOf(inLists, spec, maximumTwins).flatMap(({ others, copy }) => {
    const fitting = fittingOf(object, version, copy === undefined ? [] : others.map(copy));
    return fitting === undefined ? [] : [fitting];
  });
}

/** The object without one of two items that say the same. */
export function withoutTwins(object: KubeObject, version: Version): Edited[] {
  const { spec } = object as WithSpec;
  if (spec === undefined) return [];
  return itemsIn(spec, 'spec').flatMap((item) => {
    const fitting = item.isTwin ? fittingOf(object, version, [item.removed]) : undefined;
    return fitting === undefined ? [] : [{ path: item.path, how: 'removed' as const, object: fitting }];
  });
}

function removal({ path, removed }: Item): Pick<Leaf, 'path' | 'others' | 'put'> & Pick<Edited, 'how'> {
  return { path, how: 'removed', others: [null], put: () => removed };
}

function specSchema({ schema }: Version): Schema {
  return schema.properties?.['spec'] ?? {};
}

/** So many of them, others for each spec. */
function chosenOf<T>(all: readonly T[], spec: Json, most: number): T[] {
  const start = JSON.stringify(spec).length;
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[(start + i) % all.length] as T);
}

/** The object with the first of these specs that the server takes. */
function fittingOf(object: KubeObject, version: Version, specs: readonly Json[]): KubeObject | undefined {
  return specs.map((spec) => ({ ...object, spec }) as KubeObject).find((draft) => version.judge(draft).valid);
}

/** An item of a list. */
interface Item {
  readonly path: string;
  /** The whole without it. */
  readonly removed: Json;
  /** Whether the item before it says the same. */
  readonly isTwin: boolean;
}

function itemsIn(value: Json, path: string): Item[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => [
      {
        path: `${path}[${i}]`,
        removed: value.toSpliced(i, 1),
        isTwin: i > 0 && JSON.stringify(item) === JSON.stringify(value[i - 1]),
      },
      ...itemsIn(item, `${path}[${i}]`).map((inner) => ({ ...inner, removed: value.with(i, inner.removed) })),
    ]);
  }
  return Object.entries(value as JsonObject).flatMap(([name, part]) =>
    itemsIn(part, `${path}.${name}`).map((inner) => ({ ...inner, removed: { ...value, [name]: inner.removed } })),
  );
}

interface Leaf {
  readonly path: string;
  /** Values it might have instead. */
  readonly others: readonly Json[];
  /** The whole with another value there. */
  readonly put: (value: Json) => Json;
  /** The whole with a copy of the item it stands in, of the innermost list, with another value there. */
  readonly copy?: ((value: Json) => Json) | undefined;
}

function leavesIn(value: Json, { path, schema }: { path: string; schema: Schema }): Leaf[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, i) =>
      leavesIn(item, { path: `${path}[${i}]`, schema: schema.items ?? {} }).map((leaf) => ({
        ...leaf,
        put: (inner: Json) => value.with(i, leaf.put(inner)),
        copy: (inner: Json) =>
          leaf.copy === undefined ? value.toSpliced(i + 1, 0, leaf.put(inner)) : value.with(i, leaf.copy(inner)),
      })),
    );
  }
  if (typeof value !== 'object' || value === null)
    return [{ path, others: othersOf(value, schema), put: (own) => own }];
  return Object.entries(value as JsonObject).flatMap(([name, inner]) => {
    const { additionalProperties: values, properties = {} } = schema;
    const part = Object.hasOwn(properties, name) ? properties[name] : typeof values === 'object' ? values : undefined;
    return leavesIn(inner, { path: `${path}.${name}`, schema: part ?? {} }).map(({ copy, ...leaf }) => ({
      ...leaf,
      put: (own: Json) => ({ ...value, [name]: leaf.put(own) }),
      copy: copy && ((own: Json) => ({ ...value, [name]: copy(own) })),
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
