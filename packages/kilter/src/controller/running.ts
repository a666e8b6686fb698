import { keyOfRef, type KubeObject, type MergedCause, type NamedRef } from '../api/index.ts';
import type { SentWrite, WriteObserver } from '../cache/index.ts';
import type { Client } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { type Clock, cloneJson } from '../internal/index.ts';
import type { Work } from '../queue/index.ts';
import type { Run } from '../reconcile/index.ts';
import type { Logger, Span } from '../telemetry/index.ts';
import type { RunWatch } from './hot-loops.ts';
import type { RunFacts, RunID } from './run-entry.ts';
import type { RunLimit } from './run-limits.ts';
import { inWordsOf, RunWrites, type RunWritesOptions } from './run-writes.ts';

/** What identifies a run: what was drawn or requested when it began. */
export interface Begun {
  readonly id: RunID;
  /** Milliseconds since 1970, and on the monotonic clock. */
  readonly startedAt: number;
  readonly start: number;
  readonly span: Span | undefined;
  readonly log: Logger;
  readonly limit: RunLimit;
  readonly watch: RunWatch;
}

/** What runs of one loop share. */
export interface RunTools {
  readonly clock: Clock;
  readonly before: RunWritesOptions['before'];
  /** The client of a run, which remembers its writes for the key and shows them to an observer. */
  readonly clientFor: (work: Work, observe: WriteObserver) => Client;
}

/** What is done for a run after its function has returned: prunes, a status that is put right, a finalizer that is taken away. */
const afterwards: ReadonlySet<SentWrite['verb']> = new Set(['delete', 'patch', 'edit']);

const noWrites: RunFacts['writes'] = Object.freeze({ records: Object.freeze([]), more: 0, took: 0 });

/**
 * One run, from the taking of its key to its conclusion. One object holds all of it: an asynchronous function keeps each of its
 * variables on the heap while it waits, and most of what is in here is only made where somebody asks for it.
 */
export class RunInProgress implements Run {
  readonly work: Work;
  readonly begun: Begun;
  readonly client: Client;
  /** Milliseconds it waited for the writes of earlier runs; written by who waits. */
  settle = 0;
  readonly #tools: RunTools;
  /** Its function has returned: what it writes from now on, nobody waits for. */
  #left = false;
  /** What follows its function is done, too. */
  #returned = false;
  /** Writes that were told, each once. */
  #told: Set<string> | undefined = undefined;
  /** Made by the first write: most runs have none. */
  #writes: RunWrites | undefined = undefined;
  /** The object as the run found it, or as its last write was answered. Not what the user's code was given, which it may have changed. */
  #found: KubeObject | undefined = undefined;

  constructor(work: Work, begun: Begun, tools: RunTools) {
    this.work = work;
    this.begun = begun;
    this.#tools = tools;
    this.client = tools.clientFor(work, (write, send) => {
      if (this.#returned || (this.#left && !afterwards.has(write.verb))) this.#notAwaited(inWordsOf(write));
      return this.#observed().observe(write, send);
    });
  }

  /** The user's function has returned; what follows it is the framework's. */
  left(): void {
    this.#left = true;
    for (const write of this.#writes?.open ?? []) this.#notAwaited(write);
  }

  /** Not for a run that threw: the others of a `Promise.all` are under way then, and the run is retried. */
  returned(): void {
    this.#returned = true;
    for (const write of this.#writes?.open ?? []) this.#notAwaited(write);
  }

  #notAwaited(write: string): void {
    if (this.#told?.has(write) === true) return;
    (this.#told ??= new Set()).add(write);
    const err = new KilterError('RECONCILE_NOT_AWAITED', `the run returned without waiting for: ${write}`);
    this.log.warn({ err }, 'a write was not awaited');
  }

  get key(): string {
    return this.work.key;
  }

  get number(): number {
    return this.work.number;
  }

  get ref(): NamedRef {
    return this.work.ref;
  }

  /** Put together again each time: the journal tells them whatever the user's code did with its own. */
  get causes(): readonly MergedCause[] {
    return this.work.causes;
  }

  get signal(): AbortSignal {
    return this.begun.limit.signal;
  }

  get log(): Logger {
    return this.begun.log;
  }

  get timing(): { settle: number } {
    return this;
  }

  get writes(): RunFacts['writes'] {
    return this.#writes ?? noWrites;
  }

  found(object: KubeObject): void {
    this.#found = object;
  }

  #observed(): RunWrites {
    const { clock } = this.#tools;
    const before = (write: SentWrite): KubeObject | undefined => this.#before(write);
    const after = (answer: KubeObject): void => {
      // A copy: the answer is the user's code's, which may change it.
      if (this.#found?.metadata.uid === answer.metadata.uid) this.#found = cloneJson(answer);
    };
    return (this.#writes ??= new RunWrites({ clock, before, after, within: this.begun.watch }));
  }

  /** A write that is locked on the version this run knows changes that one: the cache need not be asked, and may not have it yet. */
  #before(write: SentWrite): KubeObject | undefined {
    const found = this.#found;
    const { metadata } = (write.body ?? {}) as { metadata?: { resourceVersion?: unknown } };
    const same =
      found !== undefined &&
      metadata?.resourceVersion === found.metadata.resourceVersion &&
      write.kind.names.kind === found.kind &&
      write.ref !== undefined &&
      keyOfRef(write.ref) === this.key;
    return same ? found : this.#tools.before(write);
  }
}
