import { child, element } from './field-path.ts';
import { matchedByKey } from './metadata.ts';
import type { Report } from './problem.ts';
import { markOf, propertyOf, type Structural, valuesOf } from './structural.ts';

/** Fields by which conversions tell the items of lists apart, by the path of the list: `spec.hosts`, `spec.zones[*].hosts`. */
export type ItemKeys = Readonly<Record<string, readonly string[]>>;

/** The fields that tell items apart: those of a list map, or what the author says. */
export function itemKeysOf(schema: Structural): readonly string[] | undefined {
  return schema['x-kubernetes-list-map-keys'] ?? (markOf(schema, matchedByKey) as string[] | undefined);
}

export function itemKeysIn(schema: Structural, path: string): ItemKeys {
  const keys = itemKeysOf(schema);
  const inner = [schema.items, valuesOf(schema)].filter((part) => part !== undefined);
  return Object.assign(
    keys === undefined ? {} : { [path]: keys },
    ...inner.map((part) => itemKeysIn(part, element(path))),
    ...Object.entries(schema.properties ?? {}).map(([name, part]) => itemKeysIn(part, child(path, name))),
  ) as ItemKeys;
}

interface Side {
  readonly version: string;
  readonly schema: Structural;
  readonly path: string;
}

/**
 * Lists without keys at the same place of two versions, of which the items of one have all that those of the other
 * have, and more: what
 * becomes of the rest when an item is edited in the other, nobody can tell. Where both have something of their own a
 * field may have been
 * renamed, which only trying shows.
 */
export function unmatchedIn(one: Side, other: Side): Report[] {
  const { schema, path } = one;
  const values = [valuesOf(schema), valuesOf(other.schema)];
  const within = (step: string, parts: readonly (Structural | undefined)[]): Report[] => {
    const [left, right] = parts;
    if (left === undefined || right === undefined) return [];
    return unmatchedIn({ ...one, schema: left, path: step }, { ...other, schema: right });
  };
  return [
    ...unmatchedHere(one, other),
    ...within(element(path), [schema.items, other.schema.items]),
    ...within(element(path), values),
    ...Object.keys(schema.properties ?? {}).flatMap((name) =>
      within(child(path, name), [propertyOf(schema, name), propertyOf(other.schema, name)]),
    ),
  ];
}

function unmatchedHere({ schema, path }: Side, other: Side): Report[] {
  if (schema.items === undefined || other.schema.items === undefined || itemKeysOf(schema) !== undefined) return [];
  const [lacking] = lackingIn(other.schema.items, schema.items, element(path));
  if (lacking === undefined || lackingIn(schema.items, other.schema.items, '').length > 0) return [];
  return [
    {
      code: 'CRD_CONVERSION_UNMATCHED',
      path,
      message: `is a list without keys, and ${other.version} has no ${lacking}, so the data cannot be assigned to an item when items change there`,
    },
  ];
}

/** Fields of `whole` that are not in `part`, lists inside aside: those are judged for themselves. */
function lackingIn(part: Structural, whole: Structural, path: string): string[] {
  return Object.entries(whole.properties ?? {}).flatMap(([name, property]) => {
    const place = child(path, name);
    const same = propertyOf(part, name);
    return same === undefined ? [place] : lackingIn(same, property, place);
  });
}
