import type { KubeObject } from '../api/index.ts';
import type { JsonOperation } from '../client/index.ts';
import { KilterError } from '../errors/index.ts';
import { cloneJson, deepestJson, pathOfPlace, walkJson } from '../internal/index.ts';
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

/** Throws where there is something that JSON cannot say: a draft may even hold itself. */
export function checkJson(whole: unknown, code: 'WEBHOOK_DRAFT_INVALID' | 'WEBHOOK_REVIEW_INVALID'): void {
  walkJson(whole, (place) => {
    const { value, depth } = place;
    const problem = depth > deepestJson ? `is nested deeper than ${deepestJson} levels` : problemWith(value);
    if (problem !== undefined) throw new KilterError(code, `${pathOfPlace(place).replace(/^\./, '')} ${problem}`);
    return true;
  });
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
    throw new KilterError('WEBHOOK_DRAFT_INVALID', 'metadata was removed');
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
