/** One finished run of a reconciler: the answer to "why did this run, and what came of it?". */
export interface RunRecord {
  readonly controller: string;
  readonly key: string;
  readonly reconcileID: string;
  /** In words, most frequent sources first as they arrived: `update of Deployment.apps default/shop (2x)`. */
  readonly causes: readonly string[];
  readonly result: 'success' | 'error' | 'requeue' | 'requeue_after';
  /** What happens next, in words: `after 30s: poll the rollout`. */
  readonly next: string;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly error?: string | undefined;
  /** Set where the run is part of a loop that gets nowhere: what is written again and again, and who else writes it. */
  readonly hotLoop?:
    | {
        readonly loop: 'self-waking' | 'contested' | 'restless-status';
        readonly target: string;
        readonly fields: readonly string[];
        readonly managers: readonly string[];
      }
    | undefined;
}

// About one hour of a lively operator; a record is some hundred bytes.
const capacity = 1000;

/** The last runs, bounded; the oldest give way. */
export class Journal {
  /** At most `capacity`, oldest first. */
  readonly #records: RunRecord[] = [];
  readonly #listeners = new Set<(record: RunRecord) => void>();
  readonly #failed: (error: unknown) => void;

  /** `failed` is told what a listener threw. */
  constructor(failed: (error: unknown) => void = () => undefined) {
    this.#failed = failed;
  }

  record(record: RunRecord): void {
    this.#records.push(record);
    if (this.#records.length > capacity) this.#records.shift();
    for (const listener of this.#listeners) {
      // Who listens is not part of the run: what is thrown there must not become a failure of it.
      try {
        listener(record);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  recent(): readonly RunRecord[] {
    return [...this.#records];
  }

  /** Returns how to stop listening. */
  subscribe(listener: (record: RunRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
