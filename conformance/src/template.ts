import type { Answers, Body, Json } from './case.ts';
import { encodeEnvelope, messageOf } from '../../packages/apiserver/src/protobuf/index.ts';
import { valueAt } from './places.ts';

export type Names = Readonly<Record<string, string>>;

// {{times:3:,:text}} is text three times with commas between: large bodies stay readable.
const times = /\{\{times:(\d+):([^:]*):((?:(?!\}\}).)*)\}\}/gs;
// {{get.body.metadata.resourceVersion|1}} is 1 where there is no such answer; {{get.body.metadata.resourceVersion+5}} adds.
const place = /\{\{([\w./-]+)(?:\+(\d+))?(\|[^}]*)?\}\}/g;

/** Fills in names (`{{ns}}`) and values of earlier answers (`{{create.body.metadata.uid}}`). */
export function fill(text: string, names: Names, answers: Answers): string {
  return text
    .replaceAll(place, (whole: string, ...[key, more, otherwise]: [string, string?, string?]) => {
      const found = names[key] ?? valueAt(answers, key) ?? otherwise?.slice(1);
      if (found === undefined) throw new Error(`nothing to fill in for ${whole}`);
      if (more !== undefined) return String(BigInt(JSON.stringify(found).replaceAll('"', '')) + BigInt(more));
      return typeof found === 'string' ? found : JSON.stringify(found);
    })
    .replaceAll(times, (_, ...[count, separator, part]: [string, string, string]) =>
      Array.from({ length: Number(count) }, () => part).join(separator),
    );
}

export function fillJson(value: Json, filled: (text: string) => string): Json {
  if (typeof value === 'string') return filled(value);
  if (Array.isArray(value)) return value.map((item: Json) => fillJson(item, filled));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [filled(key), fillJson(field, filled)]));
}

function protobufOf(object: Json): Buffer {
  const { apiVersion, kind, ...fields } = object as { readonly apiVersion: string; readonly kind: string };
  const message = messageOf(apiVersion, kind);
  if (message === undefined) throw new Error(`${kind} has no protobuf`);
  return encodeEnvelope(message, { apiVersion, kind, ...fields });
}

export function bytesOf(body: Body, filled: (text: string) => string): Buffer {
  if ('base64' in body) return Buffer.from(body.base64, 'base64');
  if ('protobuf' in body) return protobufOf(fillJson(body.protobuf, filled));
  if ('text' in body) return Buffer.from(filled(body.text));
  return Buffer.from(JSON.stringify(fillJson(body.json, filled)));
}
