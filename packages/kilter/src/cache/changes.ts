import { type Kind, type KubeObject, type LabelTerm, matchesLabels } from '../api/index.ts';
import type { CachedReads } from './cached-reads.ts';
import { ChangeStream } from './change-stream.ts';
import { parseLabels } from './declaration.ts';
import type { InformerCore } from './informer-core.ts';
import { checkViewOptions } from './option-names.ts';
import { resolveNamespace } from './store-reads.ts';
import type { CacheChange, ChangesOptions, ObjectChange } from './view.ts';

interface Filter {
  readonly namespace: string | undefined;
  readonly terms: readonly LabelTerm[];
}

const matches = (object: KubeObject | undefined, { terms }: Filter): boolean =>
  object !== undefined && matchesLabels(terms, object.metadata.labels);

/** A change as somebody sees it who knows only what passes the filter; undefined where it shows them nothing. */
function filtered(change: ObjectChange, filter: Filter): ObjectChange | undefined {
  if (filter.namespace !== undefined && change.ref.namespace !== filter.namespace) return undefined;
  if (filter.terms.length === 0) return change;
  const before = matches(change.before, filter);
  const after = matches(change.after, filter);
  if (after) return before ? change : seenAs('add', change);
  return before || (change.type === 'delete' && change.before === undefined) ? seenAs('delete', change) : undefined;
}

function seenAs(type: ObjectChange['type'], change: ObjectChange): ObjectChange {
  const { key, number, ref, resourceVersion, initial, resync, finalStateUnknown, before, after } = change;
  const shown = type === 'delete' ? { before: before ?? after, after: undefined } : { before, after };
  return { type, key, number, ref, resourceVersion, initial, resync, finalStateUnknown, ...shown };
}

/** What left one informer may still be in another: to a reader of both it only changed. */
function stillHeld(change: ObjectChange, others: readonly InformerCore[]): ObjectChange {
  if (change.type !== 'delete') return change;
  const held = others.map(({ store }) => store.get(change.key)).find((object) => object !== undefined);
  if (held === undefined) return change;
  return { ...seenAs('update', change), before: change.before, after: held.decode() };
}

export interface ChangesGiven {
  readonly reads: CachedReads;
  /** Aborts when the cache stops. */
  readonly life: AbortSignal;
}

export function changesOf<T extends KubeObject>(
  kind: Kind<T>,
  options: ChangesOptions,
  { reads, life }: ChangesGiven,
): AsyncIterableIterator<CacheChange<T>> {
  checkViewOptions('cache.changes', options);
  const { labels, signal } = options;
  signal?.throwIfAborted();
  const namespace = resolveNamespace(kind, options.namespace);
  const filter: Filter = { namespace, terms: labels === undefined ? [] : parseLabels(labels) };
  const informers = reads.following(kind, namespace);
  const stream = new ChangeStream<T>((take) => {
    const removals = informers.map((informer) => {
      const others = informers.filter((other) => other !== informer);
      return informer.handle((change) => {
        const seen = filtered(stillHeld(change, others), filter);
        if (seen !== undefined) take(seen);
      });
    });
    return () => {
      for (const remove of removals) remove();
      life.removeEventListener('abort', stopped);
      signal?.removeEventListener('abort', aborted);
    };
  });
  function stopped(): void {
    stream.end();
  }
  function aborted(): void {
    stream.end(signal?.reason);
  }
  life.addEventListener('abort', stopped);
  signal?.addEventListener('abort', aborted);
  return stream;
}
