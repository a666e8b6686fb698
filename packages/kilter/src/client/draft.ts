import { type Draft, isIncomplete, keyOf, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { checkBody, encodeBody } from './encode-body.ts';
import { editedBy } from './edited-by.ts';
import { jsonDifference, lockOperations, needsJsonPatch } from './json-difference.ts';
import { mergeDifference } from './merge-difference.ts';

type Loose = Record<string, unknown> & { metadata: Record<string, unknown> };

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;

/** Fields a draft always has, so that nobody has to write `??= {}`: where they stand, by the part being edited. */
function convenient(subresource: string | undefined): readonly (readonly [of: 'metadata' | 'self', key: string])[] {
  const labels = [['metadata', 'labels'] as const, ['metadata', 'annotations'] as const];
  return subresource === 'status' ? [...labels, ['self', 'status'] as const] : labels;
}

/** A private copy to change. */
function draftOf<T extends KubeObject>(object: T, subresource: string | undefined): Draft<T> {
  const draft = structuredClone(object) as unknown as Loose;
  for (const [of, key] of convenient(subresource)) {
    const holder = of === 'metadata' ? draft.metadata : draft;
    holder[key] ??= {};
  }
  return draft as unknown as Draft<T>;
}

/** Takes the convenient fields back out where they were not there before and nobody used them. */
function withoutUnused(draft: Loose, object: Loose, subresource: string | undefined): Loose {
  for (const [of, key] of convenient(subresource)) {
    const [holder, before] = of === 'metadata' ? [draft.metadata, object.metadata] : [draft, object];
    if (!isEmpty(holder[key])) continue;
    if (before[key] === undefined) delete holder[key];
    else if (before[key] === null) holder[key] = null;
  }
  return draft;
}

function lockOf(object: KubeObject): string {
  const { resourceVersion } = object.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '') return resourceVersion;
  throw new KilterError('CLIENT_RESOURCE_VERSION_MISSING', `${object.kind} ${keyOf(object)} has no resourceVersion`);
}

/** `/status` takes the status and drops everything else without a word. */
function checkStatusAlone(patch: Readonly<Record<string, unknown>>, what: string): void {
  const others = Object.keys(patch).filter((key) => key !== 'status');
  if (others.length === 0) return;
  const places = others.map((key) => `.${key}`).join(', ');
  throw new KilterError('CLIENT_EDIT_IGNORED', `the edit of the status of ${what} also changes ${places}`);
}

const holdsList = (value: unknown): boolean =>
  Array.isArray(value) || (typeof value === 'object' && value !== null && Object.values(value).some(holdsList));

/** A list is sent whole: what was left out of its items would be removed. */
function checkLists(object: KubeObject, patch: unknown, what: string): void {
  if (!isIncomplete(object) || !holdsList(patch)) return;
  throw new KilterError('CLIENT_OBJECT_INCOMPLETE', `the edit of ${what} changes a list`);
}

/** What is sent for an edit. */
export interface LockedPatch {
  readonly contentType: string;
  readonly body: string;
  /** Whether the status is among what changed. */
  readonly ofStatus: boolean;
}

/**
 * What a function changed in an object, locked on the object's version; undefined where it changed nothing. A merge
 * patch, or a JSON patch where the change holds a null that a merge patch cannot say. The object itself stays as it is.
 */
export function lockedPatch<T extends KubeObject>(
  object: T,
  change: (draft: Draft<T>) => unknown,
  subresource: string | undefined,
): LockedPatch | undefined {
  const what = `${object.kind} ${keyOf(object)}`;
  const resourceVersion = lockOf(object);
  // What is copied and compared below must have a bottom, before and after the change.
  checkBody(object, { what, rounded: 'allowed' });
  const before = object as unknown as Loose;
  const edited = editedBy(change as (draft: unknown) => unknown, draftOf(object, subresource), what);
  checkBody(edited.object, { what, rounded: 'allowed' });
  const after = withoutUnused(edited.object as Loose, before, subresource);
  // The version is the lock, not a field to change.
  after.metadata.resourceVersion = resourceVersion;
  const patch = mergeDifference(before, after);
  if (patch === undefined) {
    edited.checkUnused();
    return undefined;
  }
  if (subresource === 'status') checkStatusAlone(patch, what);
  checkLists(object, patch, what);
  const ofStatus = Object.hasOwn(patch, 'status');
  const rules = { what, rounded: 'refused' } as const;
  if (needsJsonPatch(before, after)) {
    const operations = [...lockOperations(resourceVersion), ...jsonDifference(before, after)];
    return { contentType: 'application/json-patch+json', body: encodeBody(operations, rules), ofStatus };
  }
  patch.metadata = Object.assign(Object.create(null), patch.metadata, { resourceVersion });
  return { contentType: 'application/merge-patch+json', body: encodeBody(patch, rules), ofStatus };
}
