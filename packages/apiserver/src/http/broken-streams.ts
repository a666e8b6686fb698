import type { WatchEvent } from '../calls/index.ts';
import { ConnectionLost, type ServerResponse } from './message.ts';

async function* cutOff(body: AsyncIterable<Uint8Array>, whole: number): AsyncGenerator<Uint8Array> {
  let left = whole;
  for await (const chunk of body) {
    if (left === 0) {
      yield chunk.subarray(0, Math.floor(chunk.byteLength / 2));
      throw new ConnectionLost('the answer was cut off, as a fault rule asks');
    }
    left -= 1;
    yield chunk;
  }
}

/** An answer whose connection breaks in the middle of a piece of its body; so many pieces before it are whole. */
export function brokenBody(response: ServerResponse, pieces: number): ServerResponse {
  // A body that is complete is one piece.
  const whole = response.whole === undefined ? pieces : 0;
  return { ...response, body: cutOff(response.body, whole), whole: undefined };
}

export interface Spoiling {
  /** The watch ends after this many events, with the error. */
  readonly endsAfter?: number;
  readonly error?: WatchEvent;
  /** Before each event. */
  readonly wait?: () => Promise<void>;
  readonly drop?: { readonly from: number; readonly count: number };
}

/** The events of a watch as a fault leaves them. */
export async function* spoiled(
  events: AsyncIterable<WatchEvent>,
  { endsAfter = Number.POSITIVE_INFINITY, error, wait, drop = { from: 0, count: 0 } }: Spoiling,
): AsyncGenerator<WatchEvent> {
  let seen = 0;
  if (endsAfter > 0)
    for await (const event of events) {
      await wait?.();
      const dropped = seen >= drop.from && seen < drop.from + drop.count;
      seen += 1;
      if (!dropped) yield event;
      if (seen >= endsAfter) break;
    }
  if (error !== undefined && seen >= endsAfter) yield error;
}
