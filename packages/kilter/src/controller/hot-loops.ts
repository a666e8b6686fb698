import { keyOf, keyOfRef, kindLabel, type KubeObject, type NamedRef } from '../api/index.ts';
import type { SentWrite } from '../cache/index.ts';
import type { Reader } from '../client/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Work } from '../queue/index.ts';
import type { Logger, Metrics } from '../telemetry/index.ts';
import { differingFields, otherManagers, pathInWords } from './field-difference.ts';
import {
  afterRun,
  echoOf,
  isForgettable,
  isSuspect,
  type LoopKind,
  type LoopState,
  nothingKnown,
  type ObservedWrite,
  type Suspicion,
  suspicionOf,
} from './hot-loop.ts';
import { desireOf, sentFields } from './observed-write.ts';

/** A loop that was found, as logs, Events and the journal of runs tell it. */
export interface HotLoop {
  readonly loop: LoopKind;
  /** What is written again and again: `ConfigMap default/a`. */
  readonly target: string;
  /** Which of its fields, as paths; empty where that could not be seen. */
  readonly fields: readonly string[];
  /** Who else writes them. */
  readonly managers: readonly string[];
}

export interface HotLoopsOptions {
  readonly controller: string;
  /** The controller's field manager: everybody else is another one. */
  readonly manager: string;
  readonly live: Pick<Reader, 'find'>;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** Writes an Event about the object of a key. */
  readonly event: (ref: NamedRef, message: string) => void;
}

/** How a run ended for whoever looks for loops. */
export interface LoopVerdict {
  /** The key is to be left alone for so many milliseconds. */
  readonly hold: number;
  readonly found: HotLoop | undefined;
}

interface Remembered {
  readonly state: LoopState;
  /** The loop the key is in; undefined while it is in none. */
  readonly loop:
    | { readonly kind: LoopKind; readonly since: number; readonly lastAt: number; readonly runs: number }
    | undefined;
}

interface Look extends ObservedWrite {
  /** The object just before the write, and as it was answered; undefined where nobody looked. */
  readonly before?: KubeObject | undefined;
  readonly after?: KubeObject | undefined;
}

// A key takes some hundred bytes; those that wrote longest ago give way. A loop comes back to its key at once.
const mostKeys = 10_000;
// Half a minute is slow enough for anybody, and short enough for a user who corrects the object meanwhile.
const slowing = { base: 100, cap: 30_000 };
// A loop that goes on is reported again from time to time.
const tellAgain = 600_000;
// A contested field is quiet between two writes of the other; only when it stays quiet the contest is over.
const contestOver = 180_000;

const calm: LoopVerdict = { hold: 0, found: undefined };

/** Finds keys that run for ever without getting anywhere: names what they write, slows them down, never stops them. */
export class HotLoops {
  readonly #options: HotLoopsOptions;
  /** By key, oldest run first, at most `mostKeys`. */
  readonly #keys = new Map<string, Remembered>();
  /** Fields of restless statuses that were reported: once for a field, not once for every object. At most a hundred. */
  readonly #restless = new Set<string>();
  readonly #count: (loop: LoopKind) => void;

  constructor(options: HotLoopsOptions) {
    this.#options = options;
    const { metrics, controller } = options;
    const found = metrics.counter('kilter_hot_loops_total', 'Hot loops detected, by kind of loop.');
    for (const loop of ['self-waking', 'contested', 'restless-status'] as const) found.inc({ controller, loop }, 0);
    this.#count = (loop) => found.inc({ controller, loop });
    metrics.observed('kilter_hot_loop_keys', 'Keys that are slowed down because of a hot loop.', () => [
      [{ controller }, [...this.#keys.values()].filter(({ loop }) => loop !== undefined).length],
    ]);
  }

  /** Watches the writes of one run. */
  begin(work: Work): RunWatch {
    return new RunWatch(this, work);
  }

  /** Whether a key has something to do with a target that is written again and again. */
  suspects(key: string, target: string): boolean {
    const known = this.#keys.get(key);
    return known !== undefined && isSuspect(known.state, target);
  }

  /** The object with all its managers, as the write will find it. Not to see it is not a reason not to write. */
  async look({ kind, ref }: SentWrite): Promise<KubeObject | undefined> {
    if (ref === undefined) return undefined;
    try {
      return await this.#options.live.find(kind, ref);
    } catch {
      return undefined;
    }
  }

  /** How many keys something is remembered of. */
  get size(): number {
    return this.#keys.size;
  }

  /** The object is gone. */
  forget(key: string): void {
    this.#keys.delete(key);
  }

  /** After a run: what it was part of. */
  conclude(work: Work, writes: readonly Look[], log: Logger): LoopVerdict {
    const known = this.#keys.get(work.key);
    if (known === undefined && writes.length === 0) return calm;
    const now = this.#options.clock.monotonic();
    const state = afterRun(known?.state ?? nothingKnown, { started: work, writes, now });
    const suspicion = suspicionOf(state, writes);
    const found = suspicion === undefined ? undefined : evidenceOf(suspicion, writes, this.#options.manager);
    const loop = found === undefined ? this.#stillIn(known?.loop, state, now) : nextLoop(known?.loop, found.loop, now);
    if (known?.loop !== undefined && loop === undefined) log.info({ loop: known.loop.kind }, 'the hot loop has ended');
    this.#remember(work.key, { state, loop: found?.loop === 'restless-status' ? undefined : loop });
    if (found === undefined || loop === undefined) return calm;
    if (found.loop === 'restless-status') return { hold: 0, found: this.#tellRestless(work.ref, found, log) };
    // Once when it is found, and then once in each such period.
    const period = (at: number): number => Math.floor((at - loop.since) / tellAgain);
    if (loop.since === now || period(now) > period(known?.loop?.lastAt ?? now)) this.#tell(work.ref, found, log);
    return { hold: Math.min(slowing.base * 2 ** Math.min(loop.runs - 1, 20), slowing.cap), found };
  }

  #stillIn(loop: Remembered['loop'], state: LoopState, now: number): Remembered['loop'] {
    if (loop === undefined) return undefined;
    if (loop.kind === 'contested') return now - loop.lastAt > contestOver ? undefined : loop;
    return state.selfWoken === 0 ? undefined : loop;
  }

  #remember(key: string, remembered: Remembered): void {
    this.#keys.delete(key);
    if (isForgettable(remembered.state) && remembered.loop === undefined) return;
    this.#keys.set(key, remembered);
    const [oldest] = this.#keys.keys();
    if (this.#keys.size > mostKeys && oldest !== undefined) this.#keys.delete(oldest);
  }

  #tell(ref: NamedRef, found: HotLoop, log: Logger): void {
    this.#count(found.loop);
    const message = inWords(this.#options.controller, found);
    log.warn({ ...found, code: 'CONTROLLER_HOT_LOOP' }, message);
    this.#options.event(ref, message);
  }

  #tellRestless(ref: NamedRef, found: HotLoop, log: Logger): HotLoop | undefined {
    const name = found.fields.join(', ');
    if (this.#restless.has(name) || this.#restless.size >= 100) return undefined;
    this.#restless.add(name);
    this.#tell(ref, found, log);
    return found;
  }
}

function nextLoop(before: Remembered['loop'], kind: LoopKind, now: number): NonNullable<Remembered['loop']> {
  if (before?.kind !== kind) return { kind, since: now, lastAt: now, runs: (before?.runs ?? 0) + 1 };
  return { ...before, lastAt: now, runs: before.runs + 1 };
}

/** What was seen of the suspects; undefined where a look shows that nothing was changed. */
function evidenceOf({ kind, targets, certain }: Suspicion, writes: readonly Look[], own: string): HotLoop | undefined {
  const suspects = writes.filter(({ target }) => targets.includes(target));
  const seen = suspects.map((write) => ({ write, ...seenIn(write, own) }));
  const changed = seen.filter(({ idle }) => !idle);
  const shown = changed.find(({ fields }) => fields.length > 0) ?? changed[0];
  if (shown === undefined) return undefined;
  const { write, fields, managers } = shown;
  // The other one wrote between the look and the write: the next run will show what they fight over.
  if (kind === 'contested' && write.before !== undefined && fields.length === 0 && certain !== true) return undefined;
  // What was wanted is not known, and nobody else has a hand in it: it may be work.
  if (kind === 'contested' && write.desire === undefined && managers.length === 0) return undefined;
  const named = fields.length > 0 ? fields : (write.sent ?? '').split(', ').filter((path) => path !== '');
  return { loop: kind, target: write.target, fields: named, managers };
}

function seenIn({ before, after }: Look, own: string): { fields: string[]; managers: string[]; idle: boolean } {
  if (before === undefined || after === undefined) return { fields: [], managers: [], idle: false };
  const paths = differingFields(before, after);
  const idle = paths.length === 0 && before.metadata.resourceVersion === after.metadata.resourceVersion;
  return { fields: paths.map(pathInWords), managers: otherManagers(before.metadata.managedFields, paths, own), idle };
}

function inWords(controller: string, { loop, target, fields, managers }: HotLoop): string {
  const what = fields.length === 0 ? target : `${fields.join(', ')} of ${target}`;
  const others = managers.join(', ');
  switch (loop) {
    case 'contested':
      return managers.length > 0
        ? `${what} flaps between ${controller} and ${others}: each reverts what the other wrote. Let one of them own the field; the key is slowed down`
        : `${controller} writes ${what} again and again, but it never stays: look for a webhook or a controller that reverts or deletes it (the garbage collector does where the owner is gone); the key is slowed down`;
    case 'self-waking':
      return `${controller} triggers itself: its own writes start run after run, each of which writes ${what} again. Write the same for the same input: no times, random values or changing orders; the key is slowed down`;
    case 'restless-status':
      return `${controller} writes ${what} again in every run, although nothing changed but the time. Leave it out, or write it only when something else changes`;
  }
}

const noWrites: Look[] = [];

/** The writes of one run. */
export class RunWatch {
  readonly #loops: HotLoops;
  readonly #work: Work;
  /** In the order of their answers. Most runs write nothing, and share one list. */
  #writes: Look[] = noWrites;

  constructor(loops: HotLoops, work: Work) {
    this.#loops = loops;
    this.#work = work;
  }

  async observe<R extends KubeObject | undefined>(write: SentWrite, send: () => Promise<R>): Promise<R> {
    const target = targetOf(write);
    const before = this.#loops.suspects(this.#work.key, target) ? await this.#loops.look(write) : undefined;
    const after = await send();
    if (this.#writes === noWrites) this.#writes = [];
    this.#writes.push(observed(write, { target, before, after }));
    return after;
  }

  /** After the run: what it was part of. */
  end(log: Logger): LoopVerdict {
    return this.#loops.conclude(this.#work, this.#writes, log);
  }

  /** After a run that found no object: what an earlier one left, which ended after the object was gone, goes too. */
  drop(): void {
    this.#loops.forget(this.#work.key);
  }
}

function targetOf({ kind, ref, part }: SentWrite): string {
  const name = ref === undefined ? 'with a new name' : keyOfRef(ref);
  return `${kindLabel(kind.names)} ${name}${part === undefined ? '' : `/${part}`}`;
}

function observed(
  write: SentWrite,
  { target, before, after }: { target: string; before: KubeObject | undefined; after: KubeObject | undefined },
): Look {
  const label = kindLabel(write.kind.names);
  const key = after === undefined ? (write.ref === undefined ? '' : keyOfRef(write.ref)) : keyOf(after);
  const version = after?.metadata.resourceVersion;
  const sent = write.part === 'status' ? sentFields(write.body) : undefined;
  const echo = echoOf(label, key, version);
  return { target, object: `${label}/${key}`, echo, desire: desireOf(write.body), version, sent, before, after };
}
