import type { Registry } from '../calls/index.ts';
import type { Stage } from './stage.ts';

export interface RunStagesOptions {
  /** Told of every action that failed; it is tried again after a delay. What it throws itself is nobody's to catch. */
  readonly onError: (error: unknown) => void;
}

export interface RunningStages {
  /** Looks for something to do, though nothing stored has changed. */
  wake(): void;
  /** Stops after the action under way. */
  close(): void;
  /** Resolves when nothing is left to do now; work that waits for time, a retry included, does not count. */
  idle(): Promise<void>;
}

// A failing action is most often one that raced with a client: soon enough for tests, and never a busy loop.
const firstRetry = 100;
const longestRetry = 10_000;

interface Attempts {
  /** Failures since the last success of this stage. */
  failures: number;
  /** Nothing of this stage runs before. */
  notBefore: number;
}

class StageDriver implements RunningStages {
  readonly #registry: Registry;
  readonly #stages: readonly Stage[];
  readonly #onError: (error: unknown) => void;
  readonly #attempts = new Map<Stage, Attempts>();
  readonly #unsubscribe: () => void;
  /** True while the loop runs: there is never a second one, so no two actions overlap. */
  #running = false;
  #closed = false;
  /** The stage asked first next time, so that a busy one does not starve the others. */
  #turn = 0;
  /** Set only while the loop is at rest; fires at the earliest time a stage named. */
  #timer: { cancel(): void } | undefined;
  #waiting: (() => void)[] = [];

  constructor(registry: Registry, stages: readonly Stage[], { onError }: RunStagesOptions) {
    this.#registry = registry;
    this.#stages = stages;
    this.#onError = onError;
    this.#unsubscribe = registry.onChange(() => this.wake());
    this.wake();
  }

  close(): void {
    this.#closed = true;
    this.#unsubscribe();
    this.#timer?.cancel();
    this.#stages.forEach((stage) => stage.close());
    this.#release();
  }

  async idle(): Promise<void> {
    if (this.#running) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  wake(): void {
    if (this.#running || this.#closed) return;
    this.#running = true;
    this.#timer?.cancel();
    void this.#loop();
  }

  async #loop(): Promise<void> {
    // Changes arrive in the middle of a write: what follows from them comes after it.
    await Promise.resolve();
    try {
      for (let found = this.#find(); found !== undefined; found = this.#find()) await this.#run(found);
    } finally {
      this.#running = false;
      this.#setTimer();
      this.#release();
    }
  }

  #find(): { stage: Stage; action: () => Promise<void> } | undefined {
    if (this.#closed) return undefined;
    for (let offset = 0; offset < this.#stages.length; offset += 1) {
      const index = (this.#turn + offset) % this.#stages.length;
      const stage = this.#stages[index];
      if (stage === undefined || this.#notBefore(stage) > this.#registry.clock.now()) continue;
      const action = stage.next();
      if (action === undefined) continue;
      this.#turn = index + 1;
      return { stage, action };
    }
    return undefined;
  }

  async #run({ stage, action }: { stage: Stage; action: () => Promise<void> }): Promise<void> {
    try {
      await action();
      this.#attempts.delete(stage);
    } catch (error) {
      const failures = (this.#attempts.get(stage)?.failures ?? 0) + 1;
      const delay = Math.min(firstRetry * 2 ** (failures - 1), longestRetry);
      this.#attempts.set(stage, { failures, notBefore: this.#registry.clock.now() + delay });
      this.#onError(error);
    }
  }

  #notBefore(stage: Stage): number {
    return this.#attempts.get(stage)?.notBefore ?? 0;
  }

  #setTimer(): void {
    if (this.#closed) return;
    const now = this.#registry.clock.now();
    const times = this.#stages.flatMap((stage) => {
      const retry = this.#attempts.get(stage)?.notBefore;
      const due = stage.dueAt?.();
      if (retry !== undefined) return [Math.max(retry, due ?? 0)];
      return due === undefined ? [] : [due];
    });
    if (times.length === 0) return;
    this.#timer = this.#registry.clock.timer(Math.max(0, Math.min(...times) - now), () => this.wake());
  }

  #release(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    waiting.forEach((resolve) => resolve());
  }
}

/** Runs the stages at once: each action when it is there, one at a time, each stage in its turn. */
export function runStages(registry: Registry, stages: readonly Stage[], options: RunStagesOptions): RunningStages {
  return new StageDriver(registry, stages, options);
}
