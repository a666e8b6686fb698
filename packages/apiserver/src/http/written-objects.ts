import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import type { WatchEvent } from '../calls/index.ts';
import { jsonText, type Shape } from '../wire/index.ts';

interface Written {
  readonly shape: Shape;
  readonly text: string;
  /** The last line of a watch made of it: its watchers all need the same one. */
  line?: { readonly type: WatchEvent['type']; readonly bytes: Uint8Array };
}

/** What was written of objects that the registry hands to all readers of one revision; it goes with them. */
const written = new WeakMap<JsonObject, Written>();

function writtenOf(object: JsonObject, shape: Shape): Written {
  const known = written.get(object);
  if (known !== undefined && known.shape === shape) return known;
  const made: Written = { shape, text: jsonText(object, shape) };
  written.set(object, made);
  return made;
}

/** An object as JSON in one line, without its end. */
export function objectText(object: JsonObject, shape: Shape): string {
  return writtenOf(object, shape).text;
}

/** A line of a watch. */
export function eventLine({ type, object }: WatchEvent, shape: Shape): Uint8Array {
  const known = writtenOf(object, shape);
  if (known.line?.type !== type) {
    known.line = { type, bytes: Buffer.from(`{"type":"${type}","object":${known.text}}\n`) };
  }
  return known.line.bytes;
}

const frames = new WeakMap<JsonObject, { readonly type: WatchEvent['type']; readonly bytes: Uint8Array }>();

/** A frame of a watch in another format, made once for all its watchers. */
export function sharedFrame(
  { type, object }: WatchEvent,
  make: (type: WatchEvent['type'], object: JsonObject) => Uint8Array,
): Uint8Array {
  const known = frames.get(object);
  if (known?.type === type) return known.bytes;
  const bytes = make(type, object);
  frames.set(object, { type, bytes });
  return bytes;
}

/** The list with its items written from the objects, which say of themselves what the list leaves out of them. */
export function listText(list: JsonObject, shape: Shape, items: ListItems): string {
  const { objects, shape: ofItems, prefix } = items;
  const texts = objects.map((object) => {
    const text = objectText(object, ofItems);
    return prefix !== '' && text.startsWith(prefix) ? `{${text.slice(prefix.length)}` : text;
  });
  // No text can hold this but as the field: quotes in texts are escaped.
  return jsonText({ ...list, items: [] }, shape).replace('"items":[]', () => `"items":[${texts.join(',')}]`);
}

export interface ListItems {
  readonly objects: readonly JsonObject[];
  readonly shape: Shape;
  /** What each begins with and the list does not repeat, the brace included; empty to leave all as it is. */
  readonly prefix: string;
}
