import { KilterError } from '../errors/index.ts';

/** What a body may hold. */
export interface BodyRules {
  /** What messages call it. */
  readonly what: string;
  /** Whether whole numbers beyond 2^53 may pass: JavaScript cannot have read them exactly. */
  readonly rounded: 'refused' | 'allowed';
}

// Far above what objects have, far below where stringify, clone and compare run out of stack (3,000 to 7,000).
const deepest = 128;

/** A place in a body: as a chain, because a text per place would cost more than the body. */
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
  return keys.length > 8 ? `${keys.slice(0, 8).join('')}…` : keys.join('') || 'it';
}

// Numbers as texts, for what no number can hold. Older type libraries do not know them.
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
};

const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

function problemWith({ value, depth }: Place): string | undefined {
  if (depth > deepest) return `lies deeper than ${deepest} levels`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `is ${value}`;
  if (value instanceof Map || value instanceof Set) return `is a ${value instanceof Map ? 'Map' : 'Set'}`;
  return undefined;
}

const isLeaf = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  isRawJSON(value) ||
  typeof (value as { toJSON?: unknown }).toJSON === 'function';

/**
 * Throws where a body cannot be sent as it is meant; says whether it holds a bigint. Walks without recursion: depth is
 * the user's, and may be endless.
 */
export function checkBody(body: unknown, { what, rounded }: BodyRules): boolean {
  let bigints = false;
  const open: Place[] = [{ value: body, depth: 0, key: '', parent: undefined }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    const problem = problemWith(place);
    if (rounded === 'refused' && isRounded(place.value)) {
      throw new KilterError('CLIENT_NUMBER_ROUNDED', `${what}: ${pathOf(place)} is a whole number beyond 2^53`);
    }
    if (problem !== undefined) {
      throw new KilterError('CLIENT_VALUE_INVALID', `${what}: ${pathOf(place)} ${problem}`);
    }
    bigints ||= typeof place.value === 'bigint';
    if (isLeaf(place.value)) continue;
    for (const [key, value] of Object.entries(place.value as object)) {
      open.push({ value, depth: place.depth + 1, key, parent: place });
    }
  }
  return bigints;
}

const asNumber = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? rawJSON(String(value)) : value);

/** A body as it is sent. A bigint is sent as the whole number it is. */
export function encodeBody(body: unknown, rules: BodyRules): string {
  const bigints = checkBody(body, rules);
  return JSON.stringify(body, bigints ? asNumber : undefined);
}
