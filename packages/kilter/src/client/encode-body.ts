import { KilterError } from '../errors/index.ts';
import { deepestJson, type JsonPlace, pathOfPlace, walkJson } from '../internal/index.ts';

/** What a body may hold. */
export interface BodyRules {
  /** What messages call it. */
  readonly what: string;
  /** Whether whole numbers beyond 2^53 may pass: JavaScript cannot have read them exactly. */
  readonly rounded: 'refused' | 'allowed';
}

// Numbers as texts, for what no number can hold. Older type libraries do not know them.
const { rawJSON, isRawJSON } = JSON as unknown as {
  readonly rawJSON: (text: string) => unknown;
  readonly isRawJSON: (value: unknown) => boolean;
};

const isRounded = (value: unknown): boolean => Number.isInteger(value) && !Number.isSafeInteger(value);

function problemWith({ value, depth }: JsonPlace): string | undefined {
  if (depth > deepestJson) return `is nested deeper than ${deepestJson} levels`;
  if (typeof value === 'number' && !Number.isFinite(value)) return `is ${value}`;
  if (value instanceof Map || value instanceof Set) return `is a ${value instanceof Map ? 'Map' : 'Set'}`;
  if (value instanceof Promise) return 'is a promise';
  // JSON leaves them out, and what they were meant to say with them.
  if (typeof value === 'function' || typeof value === 'symbol') return `is a ${typeof value}`;
  return undefined;
}

const isLeaf = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  isRawJSON(value) ||
  typeof (value as { toJSON?: unknown }).toJSON === 'function';

/** Throws where a body cannot be sent as it is meant; says whether it holds a bigint. */
export function checkBody(body: unknown, { what, rounded }: BodyRules): boolean {
  let bigints = false;
  walkJson(body, (place) => {
    if (rounded === 'refused' && isRounded(place.value)) {
      throw new KilterError('CLIENT_NUMBER_ROUNDED', `${what}: ${pathOfPlace(place)} is a whole number beyond 2^53`);
    }
    const problem = problemWith(place);
    if (problem !== undefined)
      throw new KilterError('CLIENT_VALUE_INVALID', `${what}: ${pathOfPlace(place)} ${problem}`);
    bigints ||= typeof place.value === 'bigint';
    return !isLeaf(place.value);
  });
  return bigints;
}

const asNumber = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? rawJSON(String(value)) : value);

/** A body as it is sent. A bigint is sent as the whole number it is. */
export function encodeBody(body: unknown, rules: BodyRules): string {
  const bigints = checkBody(body, rules);
  return JSON.stringify(body, bigints ? asNumber : undefined);
}
