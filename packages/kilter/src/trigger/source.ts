import { keyOfRef, type KubeObject } from '../api/index.ts';
import { inShort, inWordsWithCauses, KilterError } from '../errors/index.ts';
import { backoffDelay, orAbort } from '../internal/index.ts';
import { inSlices } from './in-slices.ts';
import { resolved } from './listen.ts';
import type { Primaries, PrimaryStore } from './primaries.ts';
import { type Report, reportOf, type TriggerContext } from './report.ts';
import type { Targets } from './targets.ts';

// As controller-runtime's channel source.
const bufferSize = 1024;
// A source is its own connection to somewhere: it is tried again as a watch would be, soon and then once a minute.
const restarts = { base: 1000, factor: 2, cap: 60_000 };

export interface SourceTrigger<E, T extends KubeObject> extends TriggerContext {
  /** Asked at the start and again after each failure; its signal aborts when the trigger is disconnected. */
  readonly source: (signal: AbortSignal) => AsyncIterable<E>;
  readonly map: (event: E, at: { readonly primaries: Primaries<string> }) => Targets;
  readonly primaries: PrimaryStore<T>;
  readonly view: Primaries<string>;
  /** Events are only collected before it resolves: mappers need synced objects to look at. */
  readonly started: Promise<void>;
}

function wake<E, T extends KubeObject>(options: SourceTrigger<E, T>, event: E, report: Report): void {
  const { map, primaries, view, queue, clock } = options;
  const place = { scope: primaries.kind.names.scope, namespace: undefined };
  const failed = (error: unknown): void => report.failed(error, 'a mapper of an external source failed');
  try {
    const refs = resolved(map(event, { primaries: view }), place, failed);
    inSlices(clock, new Map([...refs].map((target) => [keyOfRef(target), target])).values(), (ref) => {
      if (queue.add(ref, { source: 'external', change: 'external' })) report.woke('external');
    });
  } catch (error) {
    failed(error);
  }
}

/** Iterators written by hand may throw here, or answer without a promise: by now nobody asks. */
async function release(iterator: AsyncIterator<unknown>): Promise<void> {
  try {
    await iterator.return?.();
  } catch {
    // What the source had to say it said by its events.
  }
}

/** Plain JavaScript gives what is not one: a list, a promise of one, nothing. */
function iteratorOf<E>(source: AsyncIterable<E>): AsyncIterator<E> {
  if (typeof source?.[Symbol.asyncIterator] === 'function') return source[Symbol.asyncIterator]();
  throw new TypeError(`${inShort(source)} is not an async iterable`);
}

/** Events of the source up to its end, which is quiet. The source is told when nobody listens any more. */
async function* eventsOf<E>(source: SourceTrigger<E, KubeObject>['source'], signal: AbortSignal): AsyncGenerator<E> {
  const iterator = iteratorOf(source(signal));
  try {
    for (;;) {
      // Iterators written by hand may answer without a promise, as for `for await`.
      const next = await orAbort(Promise.resolve(iterator.next()), signal);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // Not awaited: a source that is stuck would hold up the stop.
    void release(iterator);
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
  /** Failures since the last event. */
  let failures = 0;
  const pump = async (): Promise<void> => {
    for await (const event of eventsOf(options.source, stop.signal)) {
      failures = 0;
      // A source that always has another event at hand would leave no turn to anybody else.
      const pause = options.clock.pause();
      if (pause !== undefined) await pause;
      if (held !== undefined && held.length >= bufferSize) await orAbort(open, stop.signal);
      if (held === undefined) wake(options, event, report);
      else held.push(event);
    }
  };
  const keepGoing = async (): Promise<void> => {
    for (;;) {
      try {
        return await pump();
      } catch (error) {
        if (stop.signal.aborted) return;
        failures += 1;
        const wait = backoffDelay(restarts, failures);
        const message = `an external source ended with an error: ${inWordsWithCauses(error)}; it is restarted in ${wait / 1000} s`;
        report.ended(new KilterError('TRIGGER_SOURCE_FAILED', message, { cause: error }), 'an external source failed');
        await options.clock.sleep(wait, stop.signal);
      }
    }
  };
  // Only the stop ends it early, and that is known.
  keepGoing().catch(() => undefined);
  return () => stop.abort();
}
