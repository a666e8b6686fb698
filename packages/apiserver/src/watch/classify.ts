import type { Change } from '../storage/index.ts';

/** How a watcher sees stored content: in its version, and only what its selectors admit. */
export interface Viewer<T> {
  /** Content in the watched version, carrying the given revision. */
  readonly decode: (text: string, revision: number) => T;
  /** The content before a change, carrying the revision of the change. */
  readonly decodePrevious: (text: string, revision: number) => T;
  /** Undefined: everything matches, and nobody needs to look. */
  readonly matches: ((object: T) => boolean) | undefined;
  /** Where it takes time to see content: changes are handed on as they are, to be judged by `signalOf` later. */
  readonly handOn?: ((change: Change) => T) | undefined;
}

export interface ObjectSignal<T> {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly object: T;
}

/**
 * What a change is to one watcher: an object that begins to match is added, one that ceases to match is deleted with
 * its last matching content, and either way the revision is that of the change.
 */
export function classify<T>(change: Change, viewer: Viewer<T>): ObjectSignal<T> | undefined {
  const { matches, handOn } = viewer;
  if (handOn !== undefined) return { type: change.type, object: handOn(change) };
  const object = viewer.decode(change.text, change.revision);
  if (matches === undefined) return { type: change.type, object };
  const before =
    change.previous === undefined ? undefined : viewer.decodePrevious(change.previous.text, change.revision);
  return signalOf({ type: change.type, object, before }, matches);
}

/** What a change is to a watcher who sees only what matches. */
export function signalOf<T>(
  { type, object, before }: ObjectSignal<T> & { readonly before: T | undefined },
  matches: (object: T) => boolean,
): ObjectSignal<T> | undefined {
  const did = before !== undefined && matches(before);
  const does = type !== 'DELETED' && matches(object);
  if (does) return { type: did ? 'MODIFIED' : 'ADDED', object };
  return did ? { type: 'DELETED', object: before } : undefined;
}
