import type { Runtime } from '../internal/index.ts';
import type { Work } from '../queue/index.ts';
import type { RecordedRun, RunPhases, RunRecord, Span } from '../telemetry/index.ts';
import { causeInWords } from './causes.ts';
import type { HotLoop } from './hot-loops.ts';
import { nextInWords, type Outcome } from './outcome.ts';
import type { RunWrites } from './run-writes.ts';

/** The ID of a run, drawn when somebody wants to know it. */
export class RunID {
  readonly #runtime: Runtime;
  #text: string | undefined = undefined;

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  get text(): string {
    return (this.#text ??= this.#runtime.uuid());
  }
}

/** How a run went. */
export interface RunFacts {
  readonly startedAt: number;
  readonly durationMs: number;
  readonly found: HotLoop | undefined;
  readonly timing: { readonly settle: number };
  readonly writes: Pick<RunWrites, 'records' | 'more' | 'took'>;
  readonly trace: Span['ids'];
}

type Writes = Pick<RunFacts['writes'], 'records' | 'more' | 'took'>;

const noWrites: Writes = Object.freeze({ records: [], more: 0, took: 0 });

/**
 * What the journal keeps of a run, put into words when somebody reads it: nearly all are overwritten before. A thousand of them
 * outlive their runs, and the garbage collector copies all they refer to: so nothing of the run itself is among it.
 */
export class RunEntry implements RecordedRun {
  readonly #controller: string;
  readonly #work: Work;
  readonly #id: RunID;
  readonly #result: Outcome['result'];
  readonly #next: Outcome['next'];
  readonly #error: string | undefined;
  readonly #startedAt: number;
  readonly #durationMs: number;
  readonly #settle: number;
  readonly #writes: Writes;
  readonly #trace: Span['ids'];
  readonly #found: HotLoop | undefined;

  constructor(of: { controller: string; work: Work; id: RunID }, outcome: Outcome, facts: RunFacts) {
    this.#controller = of.controller;
    this.#work = of.work;
    this.#id = of.id;
    this.#result = outcome.result;
    this.#next = outcome.next;
    // What the record keeps is named one by one: an error may hold anything.
    this.#error = outcome.error instanceof Error ? outcome.error.message : undefined;
    this.#startedAt = facts.startedAt;
    this.#durationMs = facts.durationMs;
    this.#settle = facts.timing.settle;
    const { records, more, took } = facts.writes;
    this.#writes = records.length === 0 ? noWrites : { records, more, took };
    this.#trace = facts.trace;
    this.#found = facts.found;
  }

  tell(): RunRecord {
    const { key, causes } = this.#work;
    return {
      controller: this.#controller,
      key,
      reconcileID: this.#id.text,
      causes: causes.map(causeInWords),
      result: this.#result,
      next: nextInWords(this.#next),
      startedAt: this.#startedAt,
      durationMs: this.#durationMs,
      phases: this.#phases(),
      writes: this.#writes.records,
      moreWrites: this.#writes.more,
      ...(this.#trace !== undefined && { trace: this.#trace }),
      error: this.#error,
      ...(this.#found !== undefined && { hotLoop: this.#found }),
    };
  }

  #phases(): RunPhases {
    const settle = this.#settle;
    const writes = this.#writes.took;
    return { queue: this.#work.waited, settle, writes, code: Math.max(0, this.#durationMs - settle - writes) };
  }
}
