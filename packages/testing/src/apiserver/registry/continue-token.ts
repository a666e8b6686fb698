import { Buffer } from 'node:buffer';
import { isObject } from './builtin-fields.ts';
import { badRequest } from './refusals.ts';
import type { Json } from 'kilter/api';

/** Where the next page of a list begins. */
export interface ContinueToken {
  /** The snapshot's revision; -1 goes on at the latest one. */
  readonly revision: number;
  /** The last key of the page before, without the prefix that all keys of the list share. */
  readonly after: string;
}

/** The form of the real server, which no client may look into, though some tests do. */
export function encodeToken({ revision, after }: ContinueToken): string {
  const token = { v: 'meta.k8s.io/v1', rv: revision, start: `${after}\u0000` };
  return Buffer.from(JSON.stringify(token)).toString('base64url');
}

export function decodeToken(text: string): ContinueToken {
  const problem = (why: string): Error => badRequest(`invalid continue token: continue key is not valid: ${why}`);
  let token: Json;
  try {
    token = JSON.parse(Buffer.from(text, 'base64url').toString()) as Json;
  } catch (error) {
    throw problem(String(error instanceof Error ? error.message : error));
  }
  if (!isObject(token) || token['v'] !== 'meta.k8s.io/v1')
    throw problem('server does not recognize this encoded version');
  const { rv, start } = token;
  if (typeof rv !== 'number' || rv === 0)
    throw problem('incorrect encoded start resourceVersion (version meta.k8s.io/v1)');
  if (typeof start !== 'string' || start === '') throw problem('encoded start key empty (version meta.k8s.io/v1)');
  return { revision: rv, after: start.endsWith('\u0000') ? start.slice(0, -1) : start };
}
