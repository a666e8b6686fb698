import { isPromise } from '../internal/index.ts';

/** A field that a write changed. Values are JSON, cut where they are long; what is secret is `***`. */
export interface FieldChange {
  /** `spec.template.spec.containers[0].image` */
  readonly path: string;
  /** Absent where there was nothing, or where the cache did not hold the object. */
  readonly before?: string | undefined;
  /** Absent where there is nothing any more. */
  readonly after?: string | undefined;
}

/** A write of a run. */
export interface WriteRecord {
  readonly verb: 'create' | 'update' | 'edit' | 'patch' | 'apply' | 'delete' | 'write';
  /** `Deployment.apps default/shop`, with its subresource: `WebApp.example.com default/shop/status`. */
  readonly target: string;
  readonly ms: number;
  readonly result: 'changed' | 'unchanged' | 'failed';
  /** At most 20. */
  readonly changes: readonly FieldChange[];
  readonly moreChanges: number;
  readonly error?: string | undefined;
}

/** Where the time of a run went, in milliseconds. */
export interface RunPhases {
  /** Ready, before it was taken. */
  readonly queue: number;
  /** Until the writes of the run before had arrived in the cache. */
  readonly settle: number;
  /** In writes; those sent at the same time count each. */
  readonly writes: number;
  /** The rest: the reconciler itself, with what it reads. */
  readonly code: number;
}

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
  readonly phases: RunPhases;
  /** At most 20, in the order of their answers. */
  readonly writes: readonly WriteRecord[];
  readonly moreWrites: number;
  /** Where it is traced. */
  readonly trace?: { readonly trace_id: string; readonly span_id: string } | undefined;
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

/** A run as the journal describes it. Always in the same words. */
export interface RecordedRun {
  tell(): RunRecord;
}

/** The last runs, bounded; the oldest give way. */
export class Journal {
  /** At most `capacity`; once it is full, the oldest is at `#oldest`. */
  readonly #records: RecordedRun[] = [];
  #oldest = 0;
  readonly #listeners = new Set<(record: RunRecord) => void>();
  readonly #failed: (error: unknown) => void;

  /** `failed` receives what a listener threw. */
  constructor(failed: (error: unknown) => void = () => undefined) {
    this.#failed = failed;
  }

  /** The record is made when somebody reads it: of a busy operator's runs hardly any is looked at. */
  record(run: RecordedRun): void {
    this.#records[this.#oldest] = run;
    this.#oldest = (this.#oldest + 1) % capacity;
    for (const listener of this.#listeners) {
      // Who listens is not part of the run: what is thrown there must not become a failure of it.
      try {
        const answer: unknown = listener(run.tell());
        if (isPromise(answer)) (answer as Promise<unknown>).then(undefined, this.#failed);
      } catch (error) {
        this.#failed(error);
      }
    }
  }

  recent(): readonly RunRecord[] {
    const inOrder = [...this.#records.slice(this.#oldest), ...this.#records.slice(0, this.#oldest)];
    return inOrder.map((run) => run.tell());
  }

  /** Returns how to stop listening. */
  subscribe(listener: (record: RunRecord) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }
}
