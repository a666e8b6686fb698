import type { KubeObject } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import type { EventInput } from './recorder.ts';

/** What an Event says it is about. */
export interface Regarding {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
  readonly uid?: string | undefined;
  readonly resourceVersion?: string | undefined;
}

/** Something that happened, with no more of the object than an Event tells. */
export interface Occurrence {
  readonly regarding: Regarding;
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly note: string;
  readonly action: string;
  /** Wall clock: what the Event says. */
  readonly at: number;
  /** Monotonic clock: what limits are counted by. */
  readonly tick: number;
}

// Limits of the API server.
const longestNote = 1024;
const longestWord = 128;

/** Cuts a text to so many bytes of UTF-8, never inside a character. */
export function cutToBytes(text: string, bytes: number): string {
  // No character has more bytes than three times its UTF-16 length.
  if (text.length * 3 <= bytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(bytes));
  return text.slice(0, read);
}

export function cutNote(note: string): string {
  return cutToBytes(note, longestNote);
}

function regardingOf({ apiVersion, kind, metadata }: KubeObject): Regarding {
  const { name, namespace, uid, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    name,
    ...(namespace !== undefined && { namespace }),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
  };
}

/** Throws coded errors for what the API server would refuse. */
export function occurrenceOf(input: EventInput, time: { at: number; tick: number }): Occurrence {
  const { regarding, type, reason, message, action = 'Reconcile' } = input;
  if (type !== 'Normal' && type !== 'Warning') {
    throw new KilterError('RECONCILE_EVENT_TYPE', `an Event has the type ${JSON.stringify(type)}`);
  }
  if (typeof reason !== 'string' || reason === '') {
    throw new KilterError('RECORDER_EVENT_INVALID', 'an Event has no reason');
  }
  if (typeof message !== 'string' || typeof action !== 'string') {
    const wrong = typeof message === 'string' ? `action ${inShort(action)}` : `message ${inShort(message)}`;
    throw new KilterError('RECORDER_EVENT_INVALID', `an Event ${reason} has the ${wrong}, which is not a string`);
  }
  if (typeof regarding?.metadata?.name !== 'string' || regarding.metadata.name === '') {
    throw new KilterError('RECORDER_EVENT_INVALID', `an Event ${reason} is about something without a name`);
  }
  return {
    regarding: regardingOf(regarding),
    type,
    reason: cutToBytes(reason, longestWord),
    note: cutNote(message),
    action: cutToBytes(action, longestWord),
    ...time,
  };
}
