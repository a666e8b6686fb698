import { Buffer } from 'node:buffer';
import { posix } from 'node:path';
import type { Json } from 'kilter/api';
import { goJsonProblem } from '../schema/index.ts';
import { badRequest } from '../status/index.ts';
import { fieldOf, isObject, jsonKind } from '../values/index.ts';

/** Where the next page of a list begins. */
export interface ContinueToken {
  /** The snapshot's revision; below 0 goes on at the latest one. */
  readonly revision: number;
  /** The first key that may come, without the prefix that all keys of the list share. */
  readonly start: string;
}

/** The first key behind another one. */
export const startAfter = (key: string): string => `${key}\u0000`;

/** The form of the real server, which no client may look into, though some tests do. */
export function encodeToken({ revision, start }: ContinueToken): string {
  return Buffer.from(JSON.stringify({ v: 'meta.k8s.io/v1', rv: revision, start })).toString('base64url');
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid${why}`);
}

function bytesIn(token: string): Buffer {
  // Line breaks are passed over, but count where something is amiss behind them.
  const packed = token.replaceAll(/[\r\n]/g, '');
  const illegal = token.search(/[^\w\r\n-]/);
  // One character alone says less than a byte.
  const stray = packed.length % 4 === 1 ? token.length - 1 : -1;
  const at = illegal >= 0 ? illegal : stray;
  if (at >= 0) throw invalidToken(`: illegal base64 data at input byte ${at}`);
  return Buffer.from(packed, 'base64url');
}

function parsed(bytes: Buffer): Json {
  const problem = goJsonProblem(bytes);
  if (problem !== undefined) throw invalidToken(`: ${problem}`);
  return JSON.parse(bytes.toString()) as Json;
}

const fieldTypes: Readonly<Record<string, string>> = { v: 'string', rv: 'int64', start: 'string' };

function fieldsOf(value: Json): { v: string; rv: number; start: string } {
  const refuse = (found: Json, into: string): Error =>
    invalidToken(`: json: cannot unmarshal ${jsonKind(found)} into Go ${into}`);
  if (value !== null && !isObject(value)) throw refuse(value, 'value of type storage.continueToken');
  const fields: Record<string, Json> = {};
  // Capitals do not count, and of the same field the last one does.
  for (const [given, found = null] of Object.entries(value ?? {})) {
    const field = given.toLowerCase();
    const type = fieldOf(fieldTypes, field);
    if (type === undefined || found === null) continue;
    const fits = type === 'string' ? typeof found === 'string' : Number.isInteger(found);
    if (!fits) throw refuse(found, `struct field continueToken.${field} of type ${type}`);
    fields[field] = found;
  }
  const { v, rv, start } = fields;
  return { v: (v ?? '') as string, rv: (rv ?? 0) as number, start: (start ?? '') as string };
}

/** Reads a token; refuses one that leads out of the list. */
export function decodeToken(text: string): ContinueToken {
  const { v, rv, start } = fieldsOf(parsed(bytesIn(text)));
  if (v !== 'meta.k8s.io/v1') throw invalidToken(`: server does not recognize this encoded version ${v}`);
  if (rv === 0) throw invalidToken(': incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (start === '') throw invalidToken(': encoded start key empty (version meta.k8s.io/v1)');
  const key = start.startsWith('/') ? start : `/${start}`;
  if (cleaned(key) !== key) throw invalidToken(`: ${start}`);
  return { revision: rv, start: key.slice(1) };
}

/** The shortest form of a path: nothing doubled, no step that leads up or nowhere, no slash at its end. */
function cleaned(key: string): string {
  const normal = posix.normalize(key);
  return normal.length > 1 && normal.endsWith('/') ? normal.slice(0, -1) : normal;
}
