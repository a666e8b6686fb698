import { Duration, isDurationInRange, isTimestampInRange, Timestamp } from './time.ts';
import { CelFailure, CelOptional, compare, joinedLists, noSuchOverload, same, typeName, Uint } from './value.ts';

type Operation = (a: unknown, b: unknown) => unknown;

function checkedInt(value: bigint): bigint {
  if (value >= 2n ** 63n || value < -(2n ** 63n)) throw new CelFailure('integer overflow');
  return value;
}

function checkedUint(value: bigint): Uint {
  if (value < 0n || value >= 2n ** 64n) throw new CelFailure('unsigned integer overflow');
  return new Uint(value);
}

function checkedDuration(nanos: bigint): Duration {
  if (!isDurationInRange(nanos)) throw new CelFailure('duration overflow');
  return new Duration(nanos);
}

function checkedTimestamp(nanos: bigint): Timestamp {
  if (!isTimestampInRange(nanos)) throw new CelFailure('timestamp overflow');
  return new Timestamp(nanos);
}

interface Arithmetic {
  readonly ints: (a: bigint, b: bigint) => bigint;
  readonly doubles?: (a: number, b: number) => number;
}

/** On two numbers of one type; undefined for anything else. */
function arithmetic({ ints, doubles }: Arithmetic): (a: unknown, b: unknown) => unknown {
  return (a, b) => {
    if (typeof a === 'bigint' && typeof b === 'bigint') return checkedInt(ints(a, b));
    if (a instanceof Uint && b instanceof Uint) return checkedUint(ints(a.value, b.value));
    if (doubles !== undefined && typeof a === 'number' && typeof b === 'number') return doubles(a, b);
    return undefined;
  };
}

function divisor(b: bigint, what: string): bigint {
  if (b === 0n) throw new CelFailure(`${what} by zero`);
  return b;
}

const addNumbers = arithmetic({ ints: (a, b) => a + b, doubles: (a, b) => a + b });
const subtractNumbers = arithmetic({ ints: (a, b) => a - b, doubles: (a, b) => a - b });
const multiply = arithmetic({ ints: (a, b) => a * b, doubles: (a, b) => a * b });
const divide = arithmetic({ ints: (a, b) => a / divisor(b, 'division'), doubles: (a, b) => a / b });
const modulo = arithmetic({ ints: (a, b) => a % divisor(b, 'modulus') });

function add(a: unknown, b: unknown): unknown {
  if (typeof a === 'string' && typeof b === 'string') return a + b;
  if (Array.isArray(a) && Array.isArray(b)) return joinedLists(a, b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return Uint8Array.of(...a, ...b);
  if (a instanceof Duration && b instanceof Duration) return checkedDuration(a.nanos + b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return checkedTimestamp(a.nanos + b.nanos);
  if (a instanceof Duration && b instanceof Timestamp) return checkedTimestamp(a.nanos + b.nanos);
  return addNumbers(a, b);
}

function subtract(a: unknown, b: unknown): unknown {
  if (a instanceof Timestamp && b instanceof Timestamp) return checkedDuration(a.nanos - b.nanos);
  if (a instanceof Timestamp && b instanceof Duration) return checkedTimestamp(a.nanos - b.nanos);
  if (a instanceof Duration && b instanceof Duration) return checkedDuration(a.nanos - b.nanos);
  return subtractNumbers(a, b);
}

const comparing =
  (holds: (order: number) => boolean): Operation =>
  (a, b) => {
    const order = compare(a, b);
    if (order !== undefined) return holds(order);
    // Not a number is neither more nor less than anything.
    return typeof a === 'number' || typeof b === 'number' ? false : undefined;
  };

function contains(item: unknown, container: unknown): unknown {
  if (Array.isArray(container)) return container.some((other) => same(item, other));
  return container instanceof Map ? container.has(keyOf(item)) : undefined;
}

/** Keys are compared by value, whatever kind of number they are. */
export function keyOf(key: unknown): unknown {
  if (key instanceof Uint) return key.value;
  return typeof key === 'number' && Number.isInteger(key) ? BigInt(key) : key;
}

export function keyText(key: unknown): string {
  return key instanceof Uint ? String(key.value) : String(key);
}

/** The entry at a key or index; undefined if there is none. */
function entryAt(container: unknown, key: unknown): { value: unknown } | undefined {
  if (container instanceof Map) {
    const own = keyOf(key);
    return container.has(own) ? { value: container.get(own) } : undefined;
  }
  if (!Array.isArray(container)) throw noSuchOverload();
  const index = keyOf(key);
  if (typeof index !== 'bigint') throw new CelFailure(`unsupported index type '${typeName(key)}' in list`);
  return index >= 0n && index < BigInt(container.length) ? { value: container[Number(index)] as unknown } : undefined;
}

function index(container: unknown, key: unknown): unknown {
  if (container instanceof CelOptional) return optionalIndex(container, key);
  const entry = entryAt(container, key);
  if (entry !== undefined) return entry.value;
  throw new CelFailure(
    Array.isArray(container) ? `index out of bounds: ${keyText(key)}` : `no such key: ${keyText(key)}`,
  );
}

export function optionalIndex(container: unknown, key: unknown): CelOptional {
  if (container instanceof CelOptional) return container.hasValue ? optionalIndex(container.value, key) : container;
  const entry = entryAt(container, key);
  return entry === undefined ? new CelOptional() : new CelOptional(entry.value);
}

/** Operators of two values, which answer undefined to types they are not for. */
export const binaryOperators: Readonly<Record<string, Operation>> = {
  '_+_': add,
  '_-_': subtract,
  '_*_': multiply,
  '_/_': divide,
  '_%_': modulo,
  '_==_': same,
  '_!=_': (a, b) => !same(a, b),
  '_<_': comparing((order) => order < 0),
  '_<=_': comparing((order) => order <= 0),
  '_>_': comparing((order) => order > 0),
  '_>=_': comparing((order) => order >= 0),
  _in_: contains,
  '_[_]': index,
  '_[?_]': optionalIndex,
};

export function negate(value: unknown): unknown {
  if (typeof value === 'bigint') return checkedInt(-value);
  return typeof value === 'number' ? -value : undefined;
}
