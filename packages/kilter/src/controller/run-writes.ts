import { keyOf, keyOfRef, kindLabel, type KubeObject } from '../api/index.ts';
import type { SentWrite, WriteObserver } from '../cache/index.ts';
import { inWords } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { WriteRecord } from '../telemetry/index.ts';
import { writeDifference } from './write-difference.ts';

// A run that writes more than this writes a list of things: the first of them tell what it does.
const mostWrites = 20;
// Of all its writes together: a thousand runs are kept, and each change may hold two texts of 300 characters.
const mostChanges = 50;

export interface RunWritesOptions {
  readonly clock: Clock;
  /** The object as the cache has it; undefined where it has none. */
  readonly before: (write: SentWrite) => KubeObject | undefined;
  /** Told what the server answered, before the next write can ask what there was. */
  readonly after: (answer: KubeObject) => void;
  /** Stands around the write as well. */
  readonly within: { readonly observe: WriteObserver };
}

const none: WriteRecord[] = [];

/** The writes of one run as its record tells them: what each changed, and how long it took. */
export class RunWrites {
  readonly #options: RunWritesOptions;
  /** At most `mostWrites`. Most runs write nothing, and share one list. */
  #records: WriteRecord[] = none;
  #more = 0;
  /** How many more changes are listed. */
  #room = mostChanges;
  /** Summed: writes sent at the same time count each. */
  #took = 0;
  /** Sent and not answered yet. */
  readonly #open = new Set<SentWrite>();

  constructor(options: RunWritesOptions) {
    this.#options = options;
  }

  get records(): readonly WriteRecord[] {
    return this.#records;
  }

  /** Those beyond the ones that are listed. */
  get more(): number {
    return this.#more;
  }

  get took(): number {
    return this.#took;
  }

  /** What is under way, in words. */
  get open(): readonly string[] {
    return [...this.#open].map(inWordsOf);
  }

  async observe<R extends KubeObject | undefined>(write: SentWrite, send: () => Promise<R>): Promise<R> {
    const { clock, within } = this.#options;
    const before = this.#records.length < mostWrites ? this.#options.before(write) : undefined;
    const start = clock.monotonic();
    this.#open.add(write);
    try {
      const after = await within.observe(write, send);
      if (after !== undefined && write.verb !== 'delete') this.#options.after(after);
      this.#add(write, start, () => outcome(write, before, after));
      return after;
    } catch (error) {
      this.#add(write, start, () => ({ result: 'failed', changes: [], moreChanges: 0, error: inWords(error) }));
      throw error;
    } finally {
      this.#open.delete(write);
    }
  }

  #add(
    write: SentWrite,
    start: number,
    tell: () => Pick<WriteRecord, 'result' | 'changes' | 'moreChanges' | 'error'>,
  ): void {
    const ms = this.#options.clock.monotonic() - start;
    this.#took += ms;
    if (this.#records.length >= mostWrites) this.#more += 1;
    else {
      if (this.#records === none) this.#records = [];
      const told = tell();
      const changes = told.changes.slice(0, this.#room);
      this.#room -= changes.length;
      const moreChanges = told.moreChanges + told.changes.length - changes.length;
      this.#records.push({ verb: write.verb ?? 'write', target: targetOf(write), ms, ...told, changes, moreChanges });
    }
  }
}

function targetOf({ kind, ref, part }: SentWrite): string {
  const name = ref === undefined ? '(a new name)' : keyOfRef(ref);
  return `${kindLabel(kind.names)} ${name}${part === undefined ? '' : `/${part}`}`;
}

/** `patch ConfigMap default/shop`. */
export const inWordsOf = (write: SentWrite): string => `${write.verb ?? 'write'} ${targetOf(write)}`;

function outcome(
  { verb }: SentWrite,
  before: KubeObject | undefined,
  after: KubeObject | undefined,
): Pick<WriteRecord, 'result' | 'changes' | 'moreChanges' | 'error'> {
  if (after === undefined || verb === 'delete') return { result: 'changed', changes: [], moreChanges: 0 };
  // The cache may hold an older version, or another object of that name: then nothing is known of what it was.
  const known = before !== undefined && keyOf(before) === keyOf(after) && before.metadata.uid === after.metadata.uid;
  if (known && before.metadata.resourceVersion === after.metadata.resourceVersion) {
    return { result: 'unchanged', changes: [], moreChanges: 0 };
  }
  const { changes, more } = writeDifference(known ? before : undefined, after);
  return { result: 'changed', changes, moreChanges: more };
}
