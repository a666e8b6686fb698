import type { NamedRef } from '../api/index.ts';
import { cutNote, type Occurrence } from './occurrence.ts';
import { Recent } from './recent.ts';

// The limits of client-go's recorder: what cluster administrators are used to.
const memory = 4096;
const distinctNotes = 10;
const similarWithin = 600_000;
const burst = 25;
const refillEvery = 300_000;

/** One Event in the cluster and how often it occurred. */
export interface Series {
  readonly note: string;
  /** Occurrences so far, those kept back included. */
  count: number;
  /** Where the Event is; undefined until it is known to exist. */
  event: NamedRef | undefined;
}

interface Similar {
  /** Fewer than `distinctNotes`: the notes that have Events of their own. */
  readonly notes: Set<string>;
  lastAt: number;
}

interface Bucket {
  /** From 0 to `burst`; each Event sent takes one. */
  tokens: number;
  filledAt: number;
}

function keyOf(...parts: readonly (string | undefined)[]): string {
  return JSON.stringify(parts);
}

/** Groups what happens before it is sent: similar messages into one, equal ones into a series, and never too many. */
export class Correlator {
  /** By object, type and reason. */
  readonly #similar = new Recent<Similar>(memory);
  /** By object, type, reason and note. */
  readonly #series = new Recent<Series>(memory);
  /** By object and type. */
  readonly #buckets = new Recent<Bucket>(memory);

  /** The series an occurrence belongs to, already counted, and whether it may be sent. */
  observe(occurrence: Occurrence): { readonly series: Series; readonly allowed: boolean } {
    const { regarding, type, reason, note, tick } = occurrence;
    const object = keyOf(
      regarding.apiVersion,
      regarding.kind,
      regarding.namespace,
      regarding.name,
      regarding.uid,
      type,
    );
    const combined = this.#isOneTooMany(keyOf(object, reason), note, tick);
    const key = combined ? keyOf(object, reason, 'combined') : keyOf(object, reason, 'note', note);
    // The server lets nobody change the note of an Event, so the first combined one stands for all.
    const text = combined ? cutNote(`(combined from similar events): ${note}`) : note;
    const series = this.#series.use(key, () => ({ note: text, count: 0, event: undefined }));
    series.count += 1;
    return { series, allowed: this.#takeToken(object, tick) };
  }

  #isOneTooMany(key: string, note: string, tick: number): boolean {
    const similar = this.#similar.use(key, () => ({ notes: new Set<string>(), lastAt: tick }));
    if (tick - similar.lastAt > similarWithin) similar.notes.clear();
    similar.lastAt = tick;
    if (similar.notes.has(note)) return false;
    if (similar.notes.size >= distinctNotes - 1) return true;
    similar.notes.add(note);
    return false;
  }

  #takeToken(key: string, tick: number): boolean {
    const bucket = this.#buckets.use(key, () => ({ tokens: burst, filledAt: tick }));
    bucket.tokens = Math.min(burst, bucket.tokens + (tick - bucket.filledAt) / refillEvery);
    bucket.filledAt = tick;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}
