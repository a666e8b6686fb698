import type { KubeObject } from '../api/index.ts';
import type { JsonOperation } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { cloneJson } from '../internal/index.ts';
import { patchDifference } from './patch-difference.ts';

type Loose = Record<string, unknown> & { metadata: Record<string, unknown> };

/** Fields a draft always has, so that nobody has to write `??= {}`. */
const convenient = ['labels', 'annotations'] as const;

/** A private copy to change. */
export function draftOf(object: KubeObject): KubeObject {
  const draft = cloneJson(object);
  const metadata = draft.metadata as unknown as Record<string, unknown>;
  for (const key of convenient) metadata[key] ??= {};
  return draft;
}

// As deep as everything that Kilter reads and sends; recursive code below has a bottom then.
const deepest = 128;

const isPlain = (value: object): boolean => {
  if (Array.isArray(value)) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/** Why a value cannot be part of an object; undefined where it can. */
function problemWith(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : `is ${value}`;
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    return `is a ${typeof value}`;
  if (typeof value !== 'object' || value === null || isPlain(value)) return undefined;
  return `is a ${value.constructor.name}`;
}

/** A place in a value: as a chain, because a text per place would cost more than the value. */
interface Place {
  readonly value: unknown;
  readonly depth: number;
  readonly key: string;
  readonly parent: Place | undefined;
}

function pathOf(place: Place): string {
  const keys: string[] = [];
  for (let at: Place | undefined = place; at?.parent !== undefined; at = at.parent) {
    keys.unshift(Array.isArray(at.parent.value) ? `[${at.key}]` : `.${at.key}`);
  }
  return keys.length > 8 ? `${keys.slice(0, 8).join('')}…`.slice(1) : keys.join('').slice(1) || 'it';
}

/** Throws where there is something that JSON cannot say. Walks without recursion: a draft may hold itself. */
export function checkJson(whole: unknown, code: 'WEBHOOK_DRAFT_INVALID' | 'WEBHOOK_REVIEW_INVALID'): void {
  const open: Place[] = [{ value: whole, depth: 0, key: '', parent: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const { value, depth } = place;
    const problem = depth > deepest ? `lies deeper than ${deepest} levels` : problemWith(value);
    if (problem !== undefined) throw new KilterError(code, `${pathOf(place)} ${problem}`);
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      // Most of an object: nothing that could be wrong with it.
      if (typeof inner === 'string' || typeof inner === 'boolean' || inner === null) continue;
      open.push({ value: inner, depth: depth + 1, key, parent: place });
    }
  }
}

/** What identifies an object is not a webhook's to change; a name that is not made yet may be given. */
function checkIdentity(before: Loose, after: Loose): void {
  const fields = [
    ['apiVersion', before['apiVersion'], after['apiVersion']],
    ['kind', before['kind'], after['kind']],
    ['metadata.name', before.metadata['name'], after.metadata['name']],
    ['metadata.namespace', before.metadata['namespace'], after.metadata['namespace']],
    ['metadata.uid', before.metadata['uid'], after.metadata['uid']],
  ] as const;
  for (const [field, old, now] of fields) {
    if (old === now || (field === 'metadata.name' && (old === undefined || old === ''))) continue;
    throw new KilterError('WEBHOOK_DRAFT_INVALID', `${field} was changed from ${String(old)} to ${String(now)}`);
  }
}

/** The patch that says what was done to a draft; the draft is not to be used any more. */
export function patchOf(object: KubeObject, draft: KubeObject): JsonOperation[] {
  checkJson(draft, 'WEBHOOK_DRAFT_INVALID');
  const [before, after] = [object as unknown as Loose, draft as unknown as Loose];
  if (typeof after.metadata !== 'object' || after.metadata === null || Array.isArray(after.metadata)) {
    throw new KilterError('WEBHOOK_DRAFT_INVALID', 'metadata was taken away');
  }
  checkIdentity(before, after);
  for (const key of convenient) {
    const left = after.metadata[key];
    const isUnused = typeof left === 'object' && left !== null && Object.keys(left).length === 0;
    if (!isUnused) continue;
    if (before.metadata[key] === undefined) delete after.metadata[key];
    else if (before.metadata[key] === null) after.metadata[key] = null;
  }
  return patchDifference(before, after);
}
