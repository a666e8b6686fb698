import { isDeepStrictEqual } from 'node:util';
import type { Client } from 'kilter';
import { type Kind, kindLabel, keyOf, type KubeObject } from 'kilter/api';
import { difference } from '../cluster/index.ts';

/** What two runs of one scenario have in common when both have come to rest: by kind and key. */
export type WorldState = ReadonlyMap<string, unknown>;

const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}/;
// Drawn or counted by the server: another run may get others.
const drawn = new Set(['clusterIP', 'clusterIPs', 'nodePort']);
const counted = new Set(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'managedFields', 'selfLink']);

type Fields = Readonly<Record<string, unknown>>;

function comparable(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    // Identifiers outside the cluster are made of UIDs: `bucket-<uid>` is the same in every run.
    return isTime.test(value) ? '(a time)' : value.replace(uid, (found) => names.get(found) ?? found);
  }
  if (Array.isArray(value)) return value.map((item) => comparable(item, names));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !drawn.has(key));
  return Object.fromEntries(entries.map(([key, item]) => [key, comparable(inOrder(key, item), names)]));
}

/** Conditions are known by their type: they are in the order in which they first came. */
function inOrder(field: string, value: unknown): unknown {
  if (field !== 'conditions' || !Array.isArray(value)) return value;
  const typeOf = (condition: unknown): string => String((condition as Fields | null)?.['type']);
  return value.toSorted((a, b) => (typeOf(a) < typeOf(b) ? -1 : 1));
}

/** By how much a status lags behind: the number itself depends on how often the object was written. */
function withLag(object: KubeObject & { status?: Fields }): Fields {
  const { generation = 0, ...metadata } = object.metadata;
  const { status } = object;
  const observed = status?.['observedGeneration'];
  if (typeof observed !== 'number') return { ...object, metadata };
  return { ...object, metadata, status: { ...status, observedGeneration: generation - observed } };
}

function strippedOf(object: KubeObject, names: ReadonlyMap<string, string>): unknown {
  const metadata = Object.fromEntries(
    Object.entries(withLag(object)['metadata'] as Fields).filter(([key]) => !counted.has(key)),
  );
  return comparable({ ...withLag(object), metadata }, names);
}

/** Everything of these kinds, without what no two runs have in common: UIDs stand for whom they name, times are times. */
export async function worldState(client: Client, kinds: readonly Kind[]): Promise<WorldState> {
  const lists = await Promise.all(
    kinds.map(async (kind) => ({ label: kindLabel(kind.names), objects: await client.list(kind as Kind<KubeObject>) })),
  );
  const all = lists.flatMap(({ label, objects }) =>
    objects.map((object) => ({ key: `${label} ${keyOf(object)}`, object: object as KubeObject })),
  );
  const names = new Map(all.map(({ key, object }) => [object.metadata.uid ?? '', `(the UID of ${key})`]));
  return new Map(all.map(({ key, object }) => [key, strippedOf(object, names)]));
}

/** How one state differs from the other, a line for each difference. */
export function stateDifferences(expected: WorldState, found: WorldState): string[] {
  const missing = [...expected.keys()].filter((key) => !found.has(key)).map((key) => `${key} is missing`);
  const more = [...found.keys()].filter((key) => !expected.has(key)).map((key) => `${key} exists but should not`);
  const other = [...expected].flatMap(([key, object]) => {
    const actual = found.get(key);
    if (actual === undefined || isDeepStrictEqual(object, actual)) return [];
    const lines = difference(object, actual);
    const extra = difference(actual, object).map((line) =>
      line.replace('expected', 'found').replace(', found', ', expected'),
    );
    return (lines.length > 0 ? lines : extra).map((line) => `${key}: ${line}`);
  });
  return [...missing, ...more, ...other];
}
