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
  /** At most `capacity`; once it is full, the oldest is at `#oldest`. */
  readonly #records: (() => RunRecord)[] = [];
  #oldest = 0;
  readonly #listeners = new Set<(record: RunRecord) => void>();
  readonly #failed: (error: unknown) => void;

  /** `failed` is told what a listener threw. */
  constructor(failed: (error: unknown) => void = () => undefined) {
    this.#failed = failed;
  }

  /** The record is made when somebody reads it: of a busy operator's runs hardly any is looked at. */
  record(make: () => RunRecord): void {
    let made: RunRecord | undefined;
    const read = (): RunRecord => (made ??= make());
    this.#records[this.#oldest] = read;
    this.#oldest = (this.#oldest + 1) % capacity;
    for (const listener of this.#listeners) {
      // Who listens is not part of the run: what is thrown there must not become a failure of it.
      try {
        listener(read());
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  recent(): readonly RunRecord[] {
    const inOrder = [...this.#records.slice(this.#oldest), ...this.#records.slice(0, this.#oldest)];
    return inOrder.map((read) => read());
  }

  /** Returns how to stop listening. */
  subscribe(listener: (record: RunRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
