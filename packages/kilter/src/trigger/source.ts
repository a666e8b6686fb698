import { keyOfRef, type KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { orAbort } from '../internal/index.ts';
import { resolved } from './listen.ts';
import type { Primaries, PrimaryStore } from './primaries.ts';
import { type Report, reportOf, type TriggerContext } from './report.ts';
import type { Targets } from './targets.ts';

// As controller-runtime's channel source.
const bufferSize = 1024;

export interface SourceTrigger<E, T extends KubeObject> extends TriggerContext {
  /** Asked once; its signal aborts when the trigger is disconnected. */
  readonly source: (signal: AbortSignal) => AsyncIterable<E>;
  readonly map: (event: E, at: { readonly primaries: Primaries<string> }) => Targets;
  readonly primaries: PrimaryStore<T>;
  readonly view: Primaries<string>;
  /** Events are only collected before it resolves: mappers need synced objects to look at. */
  readonly started: Promise<void>;
}

function wake<E, T extends KubeObject>(options: SourceTrigger<E, T>, event: E, report: Report): void {
  const { map, primaries, view, queue } = options;
  const place = { scope: primaries.kind.names.scope, namespace: undefined };
  const failed = (error: unknown): void => report.failed(error, 'a mapper of an external source failed');
  try {
    const refs = resolved(map(event, { primaries: view }), place, failed);
    for (const ref of new Map([...refs].map((target) => [keyOfRef(target), target])).values()) {
      queue.add(ref, { source: 'external', change: 'external' });
      report.woke('external');
    }
  } catch (error) {
    failed(error);
  }
}

/** Events of the source up to its end, which is quiet. The source is told when nobody listens any more. */
async function* eventsOf<E>(source: SourceTrigger<E, KubeObject>['source'], signal: AbortSignal): AsyncGenerator<E> {
  const iterator = source(signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await orAbort(iterator.next(), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that is stuck would hold up the stop.
    iterator.return?.()?.catch(() => undefined);
  }
}

/** Changes outside the cluster. Returns how to stop. */
export function connectSource<E, T extends KubeObject>(options: SourceTrigger<E, T>): () => void {
  const report = reportOf(options, 'external');
  const stop = new AbortController();
  /** Events that came before the start, in order, at most `bufferSize`; undefined from then on. */
  let held: E[] | undefined = [];
  const open = options.started.then(() => {
    for (const event of held ?? []) wake(options, event, report);
    held = undefined;
  });
  // Without a start there is nobody to wake.
  open.catch(() => stop.abort());
  const pump = async (): Promise<void> => {
    for await (const event of eventsOf(options.source, stop.signal)) {
      if (held !== undefined && held.length >= bufferSize) await orAbort(open, stop.signal);
      if (held === undefined) wake(options, event, report);
      else held.push(event);
    }
  };
  pump().catch((error: unknown) => {
    if (stop.signal.aborted) return;
    const failure = new KilterError('TRIGGER_SOURCE_FAILED', 'an external source ended with an error', {
      cause: error,
    });
    report.failed(failure, 'an external source failed');
  });
  return () => stop.abort();
}
