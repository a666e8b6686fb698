import { orAbort, type Runtime, type Timer } from '../internal/index.ts';
import type { Received } from './intake.ts';
import { ObjectMap } from './object-map.ts';
import type { SourceEvent, WatchSource } from './source.ts';
import { ageOf } from './store.ts';
import { isUnreached, verdictOf } from './watch-verdict.ts';
import { step } from './watcher.ts';
import { type Effect, idle, type Input, type Operation, type Report, type WatcherState } from './watcher-state.ts';
import {
  confirmEvery,
  endGrace,
  initialPatience,
  jittered,
  stallGrace,
  wakeEvery,
  watchTimeoutSeconds,
} from './watcher-timing.ts';

export type ChangeType = 'ADDED' | 'MODIFIED' | 'DELETED';

/** A complete state of what one reflector watches. */
export interface Snapshot {
  /** Whoever is given it may keep it. */
  readonly objects: ObjectMap;
  /** Keys that exist but whose objects cannot be used. */
  readonly unusable: ReadonlySet<string>;
  readonly resourceVersion: string;
  /** The server's history went back: versions seen before will not come again. */
  readonly rewound: boolean;
}

/** Where a reflector puts what it received, in order. Nothing but `replace` may wait. */
export interface ReflectorSink {
  /** May take several turns of the event loop: nothing else is handed over until then. */
  replace(snapshot: Snapshot): Promise<void> | undefined;
  /** `at` is the monotonic time of its arrival. */
  apply(type: ChangeType, received: Received, at: number): void;
  progress(resourceVersion: string, at: number): void;
  report(report: Report): void;
  /** Something that is not used, for the log and the metrics. */
  skipped(problem: string, key: string | undefined): void;
}

export interface ReflectorOptions {
  readonly source: WatchSource;
  readonly sink: ReflectorSink;
  readonly runtime: Runtime;
  /** How long an initial stream may be silent before its end marker, in milliseconds. Default: 10 s. */
  readonly initialPatience?: number | undefined;
}

const changeTypes: ReadonlySet<string> = new Set(['ADDED', 'MODIFIED', 'DELETED']);

interface Arrived {
  readonly type: ChangeType;
  readonly received: Received;
}

/** How a stream is over: `ended` by the other side, `close` by this one. */
interface StreamEnds {
  close(this: void, next: Operation | undefined): void;
  ended(this: void, next: Operation | undefined): void;
}

/** The driver of the watcher: does what the protocol says, one operation at a time. */
export class Reflector {
  readonly #options: ReflectorOptions;
  readonly #life = new AbortController();
  /** Changed by #feed alone. */
  #state: WatcherState = idle;
  /** What a complete state is made of while it arrives; empty outside a re-sync. */
  #objects = new ObjectMap();
  #unusable = new Set<string>();
  #running: Promise<void> | undefined;
  /** Set while a complete state is being put in place. */
  #replacing: Promise<void> | undefined;
  /** Set while backing off: ends the wait. */
  #nap: AbortController | undefined;
  /** Monotonic time of the last wait after an answer that was cut short. */
  #wokenAt = -Infinity;
  /** Set while a watch is open: ends it, and continues with what the input asks for. */
  #interrupt: ((input: Input) => void) | undefined;
  /** A watch broke or ended before its time, and since then the server has not shown that it knows the version held here. */
  #unsure = false;
  /** Set while an initial stream is under way. */
  #quiet: Timer | undefined;
  /** Monotonic time of the answer or of the last initial event. */
  #initialAt = 0;

  constructor(options: ReflectorOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#life.abort();
    await this.#running;
  }

  /** The server is there: whoever waits only because nobody answered need no longer wait. */
  wake(): void {
    const { phase } = this.#state;
    if (phase.name !== 'waiting' || phase.wakeable === 'never') return;
    const now = this.#options.runtime.clock.monotonic();
    // What a server answered will mostly be answered again: one try is worth it, one with every call is not.
    if (phase.wakeable === 'rarely') {
      if (now - this.#wokenAt < wakeEvery) return;
      this.#wokenAt = now;
    }
    this.#nap?.abort();
  }

  /** What is held is known to be wrong: the complete state is read again. Where that is under way already, nothing changes. */
  resync(): void {
    if (this.#state.phase.name === 'watching') this.#interrupt?.({ type: 'differs' });
  }

  async #run(): Promise<void> {
    let next = this.#feed({ type: 'start' });
    while (next !== undefined && !this.#life.signal.aborted) {
      if (this.#replacing !== undefined) await this.#replacing;
      next = await this.#perform(next);
    }
    this.#feed({ type: 'stop' });
  }

  #perform(operation: Operation): Promise<Operation | undefined> {
    switch (operation.do) {
      case 'watch':
        return this.#watch(operation.resourceVersion);
      case 'list':
        return this.#list(operation.continue);
      case 'wait':
        return this.#wait(operation);
    }
  }

  async #wait({ ms, jitter, atLeast }: Extract<Operation, { do: 'wait' }>): Promise<Operation | undefined> {
    const { runtime } = this.#options;
    const backoff = jitter ? jittered(ms, runtime.random()) : ms;
    const nap = new AbortController();
    const stopped = (): void => nap.abort();
    this.#life.signal.addEventListener('abort', stopped);
    this.#nap = nap;
    // A sleep that is ended early is over all the same.
    await runtime.clock.sleep(Math.max(backoff, atLeast), nap.signal).catch(() => undefined);
    this.#nap = undefined;
    this.#life.signal.removeEventListener('abort', stopped);
    return this.#life.signal.aborted ? undefined : this.#feed({ type: 'elapsed' });
  }

  async #list(token: string | undefined): Promise<Operation | undefined> {
    const { signal } = this.#life;
    try {
      const page = await orAbort(this.#options.source.list({ continue: token, signal }), signal);
      const arrived = page.items.map((received): Arrived => ({ type: 'ADDED', received }));
      return this.#feed({ type: 'page', resourceVersion: page.resourceVersion, continue: page.continue }, arrived);
    } catch (error) {
      // An error after a stop is the stop itself.
      return signal.aborted ? undefined : this.#feed({ type: 'failed', error });
    }
  }

  /** Resolves with what follows the stream, or with nothing after a stop; whatever it opened is closed by then. */
  #watch(resourceVersion: string | undefined): Promise<Operation | undefined> {
    const { runtime } = this.#options;
    const timeoutSeconds = watchTimeoutSeconds(runtime.random());
    const stream = new AbortController();
    const life = this.#life.signal;
    return new Promise((resolve) => {
      const close = (next: Operation | undefined): void => {
        timer.cancel();
        life.removeEventListener('abort', stopped);
        this.#interrupt = undefined;
        stream.abort();
        resolve(next);
      };
      this.#interrupt = (input) => close(this.#feed(input));
      const stopped = (): void => close(undefined);
      const timer = runtime.clock.timer(timeoutSeconds * 1000 + stallGrace, () =>
        close(this.#feed({ type: 'stalled' })),
      );
      life.addEventListener('abort', stopped);
      const onOpen = (): void => {
        if (stream.signal.aborted) return;
        this.#feed({ type: 'opened' });
        // From here on: until the server has answered, the request has its own deadline.
        if (resourceVersion === undefined) this.#watchInitial(close);
        else if (this.#unsure) void this.#confirm({ resourceVersion, signal: stream.signal }, close);
      };
      const opened = runtime.clock.monotonic();
      const ended = (next: Operation | undefined): void => {
        if (runtime.clock.monotonic() - opened < timeoutSeconds * 1000 - endGrace) this.#unsure = true;
        close(next);
      };
      void this.#pump({ resourceVersion, timeoutSeconds, signal: stream.signal, onOpen }, { close, ended });
    });
  }

  /**
   * A watch from a version the server has not reached is silent until it has, which after a restore from a backup may be never: who
   * comes back to a server asks (RF-31). Never rejects.
   */
  async #confirm(
    request: Parameters<WatchSource['confirm']>[0],
    close: (next: Operation | undefined) => void,
  ): Promise<void> {
    const { source, runtime } = this.#options;
    const { signal } = request;
    while (!signal.aborted) {
      try {
        await source.confirm(request);
        this.#unsure = false;
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isUnreached(error)) return close(this.#feed({ type: 'failed', error }));
        // It says nothing about the version; if the server is in trouble, the watch itself will tell.
        await runtime.clock.sleep(confirmEvery, signal).catch(() => undefined);
      }
    }
  }

  /** Looks whether the initial stream still brings something; a timer per event would cost more than the event. */
  #watchInitial(close: (next: Operation | undefined) => void): void {
    const { runtime, initialPatience: patience = initialPatience } = this.#options;
    const { clock } = runtime;
    this.#initialAt = clock.monotonic();
    const look = (): void => {
      const left = this.#initialAt + patience - clock.monotonic();
      if (left > 0) this.#quiet = clock.timer(left, look);
      else close(this.#feed({ type: 'quiet' }));
    };
    this.#quiet = clock.timer(patience, look);
  }

  /** Never rejects. A stream that was closed from this side may end as it likes: nobody listens any more. */
  async #pump(request: Parameters<WatchSource['watch']>[0], { close, ended }: StreamEnds): Promise<void> {
    const { signal } = request;
    const { clock } = this.#options.runtime;
    try {
      for await (const events of this.#options.source.watch(request)) {
        // A socket may have megabytes at hand: unasked, they would be taken in within one turn of the event loop.
        const pause = clock.pause();
        if (pause !== undefined) await pause;
        // What came together is as old: asking for the time costs as much as looking up an object.
        const now = clock.monotonic();
        for (const event of events) {
          if (signal.aborted) return;
          const next = this.#receive(event, now);
          if (next !== undefined) return close(next);
          if (this.#replacing !== undefined) await this.#replacing;
        }
      }
      if (!signal.aborted) ended(this.#feed({ type: 'ended' }));
    } catch (error) {
      if (signal.aborted) return;
      // Bytes that make no sense come from something in between: the server has not gone.
      const next = this.#feed({ type: 'failed', error });
      if (verdictOf(error) === 'malformed') close(next);
      else ended(next);
    }
  }

  #receive(event: SourceEvent, now: number): Operation | undefined {
    if (event.type === 'BOOKMARK' && 'resourceVersion' in event) {
      return this.#feed({ ...event, type: 'bookmark' }, [], now);
    }
    if (!changeTypes.has(event.type) || !('received' in event)) {
      this.#options.sink.skipped(`is an event of the unexpected type ${JSON.stringify(event.type)}`, undefined);
      return undefined;
    }
    const { received } = event;
    const { resourceVersion } = received;
    return this.#feed({ type: 'object', resourceVersion }, [event as Arrived], now);
  }

  #feed(
    input: Input,
    arrived: readonly Arrived[] = [],
    now = this.#options.runtime.clock.monotonic(),
  ): Operation | undefined {
    const { state, effects, next } = step(this.#state, input, now);
    this.#state = state;
    if (state.phase.name !== 'streaming') {
      this.#quiet?.cancel();
      this.#quiet = undefined;
      // Changes come after the last initial event: they are not a sign that more of those follow.
    } else if (arrived[0]?.type === 'ADDED') this.#initialAt = now;
    for (const effect of effects) this.#carryOut(effect, arrived, now);
    return next;
  }

  #carryOut(effect: Effect, arrived: readonly Arrived[], now: number): void {
    const { sink } = this.#options;
    switch (effect.do) {
      case 'gather':
        for (const one of arrived) this.#gather(one);
        return;
      case 'discard':
        this.#discard();
        return;
      case 'replace': {
        const { resourceVersion, rewound } = effect;
        const snapshot = { objects: this.#objects, unusable: this.#unusable, resourceVersion, rewound };
        this.#discard();
        this.#unsure = false;
        const replacing = sink.replace(snapshot);
        this.#replacing = replacing?.finally(() => (this.#replacing = undefined));
        return;
      }
      case 'apply':
        for (const { type, received } of arrived) sink.apply(type, received, now);
        return;
      case 'progress':
        sink.progress(effect.resourceVersion, now);
        return;
      case 'report':
        sink.report(effect.report);
        return;
    }
  }

  /** Real changes may come between the initial ones, before the end marker. */
  #gather({ type, received }: Arrived): void {
    const { key } = received;
    if (!received.usable) this.#options.sink.skipped(received.problem, key);
    if (key === undefined) return;
    if (type === 'DELETED') {
      this.#objects.delete(key);
      this.#unusable.delete(key);
      return;
    }
    if (!received.usable) {
      this.#unusable.add(key);
      return;
    }
    const held = this.#objects.get(key);
    if (held === undefined || ageOf(received.object, held) === 'newer') this.#objects.set(received.object);
  }

  #discard(): void {
    this.#objects = new ObjectMap();
    this.#unusable = new Set();
  }
}
