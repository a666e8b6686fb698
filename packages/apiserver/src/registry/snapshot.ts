import { isEstablished } from '../customresources/index.ts';
import type { Catalog } from '../kinds/index.ts';
import type { SnapshotObject, StorageSnapshot } from '../storage/index.ts';
import { isObject, objectIfIn, parseJson, specOf, textIn } from '../values/index.ts';
import { crdBucket } from './custom-resources.ts';

/**
 * The complete state of a server at one moment, as plain data for `JSON.stringify`. Contents are JSON texts, in which
 * 64-bit integers are exact. Tokens, watches, earlier history and pending timers are not part of it.
 */
export interface Snapshot extends StorageSnapshot {
  /** The format of this data; any other is refused. */
  readonly form: 'kilter-apiserver/1';
  /** How many cluster addresses and node ports were allocated, so that the next one differs from all of them. */
  readonly allocations: number;
}

/** A snapshot that cannot be restored; nothing was changed. */
export class SnapshotRefused extends Error {
  override readonly name = 'SnapshotRefused';
  constructor(problem: string) {
    super(`the snapshot cannot be restored: it ${problem}. Take one with snapshot() of a server of this version`);
  }
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

function objectProblem(object: unknown, revision: number): string | undefined {
  const { bucket, key, text, revision: own } = (object ?? {}) as Record<string, unknown>;
  if (typeof bucket !== 'string' || typeof key !== 'string' || typeof text !== 'string')
    return 'needs bucket, key and text';
  if (!isCount(own) || own > revision) return `${bucket} ${key} has a revision that is not in 0 to ${revision}`;
  try {
    if (isObject(parseJson(text))) return undefined;
  } catch {
    return `${bucket} ${key} has a text that is not JSON`;
  }
  return `${bucket} ${key} has a text that is not an object`;
}

/** The buckets of the custom resources a snapshot defines. */
function definedIn(objects: readonly SnapshotObject[]): string[] {
  return objects.flatMap(({ bucket, text }) => {
    const crd = bucket === crdBucket ? parseJson(text) : undefined;
    if (!isObject(crd) || !isEstablished(crd)) return [];
    const spec = specOf(crd);
    return [`${textIn(spec, 'group')}/${textIn(objectIfIn(spec, 'names') ?? {}, 'plural')}`];
  });
}

function contentProblem(objects: readonly SnapshotObject[], catalog: Catalog): string | undefined {
  const builtin = catalog.all().flatMap(({ definition, bucket }) => (definition.custom ? [] : [bucket]));
  const known = new Set([...builtin, ...definedIn(objects)]);
  const seen = new Set<string>();
  for (const { bucket, key } of objects) {
    if (!known.has(bucket)) return `holds objects of ${bucket}, which nothing in it and nothing in this server defines`;
    if (seen.has(`${bucket} ${key}`)) return `holds ${bucket} ${key} twice`;
    seen.add(`${bucket} ${key}`);
  }
  return undefined;
}

/** Why a server cannot be made to hold this, or undefined if it can. */
export function snapshotProblem(given: unknown, catalog: Catalog): string | undefined {
  if (!isObject(given) || given['form'] !== 'kilter-apiserver/1') return 'does not have the form kilter-apiserver/1';
  const { revision, allocations, objects } = given as Record<string, unknown>;
  if (!isCount(revision) || revision < 1) return 'has a revision that is not a whole number above 0';
  if (!isCount(allocations)) return 'has a number of allocations that is not a whole number';
  if (!Array.isArray(objects)) return 'has objects that are not a list';
  for (const [index, object] of objects.entries()) {
    const problem = objectProblem(object, revision);
    if (problem !== undefined) return `has an object that cannot be stored: objects[${index}] ${problem}`;
  }
  return contentProblem(objects as SnapshotObject[], catalog);
}
