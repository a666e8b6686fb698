import { type Draft, keyOf, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { checkBody, encodeBody } from './encode-body.ts';
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
    if (isEmpty(holder[key]) && before[key] === undefined) delete holder[key];
  }
  return draft;
}

function lockOf(object: KubeObject): string {
  const { resourceVersion } = object.metadata;
  if (resourceVersion !== undefined && resourceVersion !== '') return resourceVersion;
  throw new KilterError('CLIENT_RESOURCE_VERSION_MISSING', `${object.kind} ${keyOf(object)} has no resourceVersion`);
}

/**
 * What a function changed in an object, as the text of a merge patch locked on the object's version; undefined where it
 * changed nothing. The object itself stays as it is.
 */
export function lockedPatch<T extends KubeObject>(
  object: T,
  change: (draft: Draft<T>) => unknown,
  subresource: string | undefined,
): string | undefined {
  const what = `${object.kind} ${keyOf(object)}`;
  const resourceVersion = lockOf(object);
  // What is copied and compared below must have a bottom, before and after the change.
  checkBody(object, { what, rounded: 'allowed' });
  const draft = draftOf(object, subresource);
  const returned = change(draft);
  if (returned instanceof Promise) {
    // Nobody will ask how it ends: its own failure must not end the process.
    returned.catch(() => undefined);
    throw new KilterError('CLIENT_EDIT_ASYNC', `the change of ${what} is asynchronous`);
  }
  checkBody(draft, { what, rounded: 'allowed' });
  const before = object as unknown as Loose;
  const after = withoutUnused(draft as unknown as Loose, before, subresource);
  // The version is the lock, not a field to change.
  after.metadata.resourceVersion = resourceVersion;
  const patch = mergeDifference(before, after);
  if (patch === undefined) return undefined;
  patch.metadata = Object.assign(Object.create(null), patch.metadata, { resourceVersion });
  return encodeBody(patch, { what, rounded: 'refused' });
}
