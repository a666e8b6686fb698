import { Quantity } from './quantity.ts';
import { Duration, Timestamp } from './time.ts';

/** An expression ran and failed, as it would on any server: no such key, division by zero. */
export class CelFailure extends Error {}

export const noSuchOverload = (): CelFailure => new CelFailure('no such overload');

/** An unsigned integer; signed ones are bigints, doubles numbers. */
export class Uint {
  readonly value: bigint;

  constructor(value: bigint) {
    this.value = value;
  }
}

export class CelOptional {
  /** Undefined if there is none. */
  readonly value: unknown;

  constructor(value?: unknown) {
    this.value = value;
  }

  get hasValue(): boolean {
    return this.value !== undefined;
  }
}

/** A type as a value: `type(self)`. */
export class TypeValue {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** A value of Kubernetes' library, known by its type and its text. */
export abstract class LibraryValue {
  abstract readonly typeName: string;
  abstract equals(other: LibraryValue): boolean;
  /** How large it is, where that counts for costs. */
  readonly size: number = 1;
}

export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return 'int';
    case 'number':
      return 'double';
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    default:
      return objectTypeName(value);
  }
}

function objectTypeName(value: unknown): string {
  if (value === null) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof Map) return 'map';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof Uint) return 'uint';
  if (value instanceof Timestamp) return 'google.protobuf.Timestamp';
  if (value instanceof Duration) return 'google.protobuf.Duration';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof TypeValue) return 'type';
  if (value instanceof Quantity) return 'kubernetes.Quantity';
  return value instanceof LibraryValue ? value.typeName : 'dyn';
}

export type CelNumber = bigint | number | Uint;

export function isNumber(value: unknown): value is CelNumber {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof Uint;
}

const plainNumber = (value: CelNumber): bigint | number => (value instanceof Uint ? value.value : value);

/** Lists of which only the members count, with the fields that tell members apart: none for sets. */
const unordered = new WeakMap<readonly unknown[], readonly string[]>();

export function asUnordered<T>(list: T[], keys: readonly string[] = []): T[] {
  unordered.set(list, keys);
  return list;
}

function isSameMember(a: unknown, b: unknown, keys: readonly string[]): boolean {
  if (keys.length === 0 || !(a instanceof Map) || !(b instanceof Map)) return same(a, b);
  return keys.every((key) => same(a.get(key), b.get(key)));
}

/** Two lists as one: members that both have stand where the first has them, as the second has them. */
export function joinedLists(a: readonly unknown[], b: readonly unknown[]): unknown[] {
  const keys = unordered.get(a);
  if (keys === undefined) return [...a, ...b];
  const kept = a.map((item) => b.find((other) => isSameMember(item, other, keys)) ?? item);
  const added = b.filter((other) => !a.some((item) => isSameMember(item, other, keys)));
  return asUnordered([...kept, ...added], keys);
}

/** Members stand once in such a list. */
function sameMembers(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item) => b.some((other) => same(item, other)));
}

/** Equality of values, numbers of different types included. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // oxlint-disable-next-line eqeqeq -- an integer and a double are equal if their values are
  if (isNumber(a) && isNumber(b)) return plainNumber(a) == plainNumber(b);
  if (Array.isArray(a) && Array.isArray(b)) return unordered.has(a) ? sameMembers(a, b) : sameItems(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return sameItems([...a], [...b]);
  if (a instanceof Map && b instanceof Map) return sameEntries(a, b);
  if (a instanceof Quantity && b instanceof Quantity) return a.nanos === b.nanos;
  if (a instanceof Timestamp && b instanceof Timestamp) return a.nanos === b.nanos;
  if (a instanceof Duration && b instanceof Duration) return a.nanos === b.nanos;
  if (a instanceof TypeValue && b instanceof TypeValue) return a.name === b.name;
  if (a instanceof CelOptional && b instanceof CelOptional) {
    return a.hasValue === b.hasValue && (!a.hasValue || same(a.value, b.value));
  }
  return a instanceof LibraryValue && b instanceof LibraryValue && a.typeName === b.typeName && a.equals(b);
}

function sameItems(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((item, index) => same(item, b[index]));
}

function sameEntries(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  return a.size === b.size && [...a].every(([key, item]) => b.has(key) && same(item, b.get(key)));
}

/** Orders two values of one type, or two numbers; undefined for others. */
export function compare(a: unknown, b: unknown): number | undefined {
  if (isNumber(a) && isNumber(b)) return order(plainNumber(a), plainNumber(b));
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (typeof a === 'boolean' && typeof b === 'boolean') return order(Number(a), Number(b));
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Buffer.compare(a, b);
  if (a instanceof Timestamp && b instanceof Timestamp) return order(a.nanos, b.nanos);
  return a instanceof Duration && b instanceof Duration ? order(a.nanos, b.nanos) : undefined;
}

function order(a: bigint | number, b: bigint | number): number | undefined {
  if (Number.isNaN(a) || Number.isNaN(b)) return undefined;
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Code points of a string, items of a list, entries of a map; 1 for what has no size. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return codePoints(value);
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length;
  if (value instanceof Map) return value.size;
  if (value instanceof CelOptional && value.hasValue) return sizeOf(value.value);
  return value instanceof LibraryValue ? value.size : 1;
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}
