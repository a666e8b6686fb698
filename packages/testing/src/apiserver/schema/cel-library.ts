import { type Environment, EvaluationError, Optional } from '@marcbachmann/cel-js';
import { formatText } from './cel-format.ts';
import { Quantity } from './cel-quantity.ts';
import { compilePattern } from './pattern.ts';

/**
 * Functions of Kubernetes' CEL library that the evaluator has not. Missing still: URLs, IP, CIDR, formats, semver,
 * comprehensions of two variables, `optMap`; a rule with one of them is reported as not evaluated.
 */
export function registerLibrary(environment: Environment): void {
  registerStrings(environment);
  registerLists(environment);
  registerSets(environment);
  registerQuantity(environment);
}

const sync = { async: false };

function failure(message: string): EvaluationError {
  return new EvaluationError({ code: 'library_error', message });
}

function pattern(source: string, flags: string = ''): RegExp {
  const expression = compilePattern(source);
  if (expression instanceof RegExp) return new RegExp(expression.source, expression.flags + flags);
  throw failure(expression.flaw);
}

function registerStrings(environment: Environment): void {
  const findAll = (text: string, source: string, limit: bigint = -1n): string[] => {
    const found = [...text.matchAll(pattern(source, 'g'))].map(([match]) => match);
    return limit < 0n ? found : found.slice(0, Number(limit));
  };
  const replace = (text: string, from: string, ...[to, limit = -1n]: [to: string, limit?: bigint]): string => {
    if (limit < 0n) return text.replaceAll(from, () => to);
    let left = limit;
    return text.replaceAll(from, (match) => (left-- > 0n ? to : match));
  };
  environment
    .registerFunction(
      'string.matchesRe2(string): bool',
      (text: string, source: string) => pattern(source).test(text),
      sync,
    )
    .registerFunction(
      'string.find(string): string',
      (text: string, source: string) => pattern(source).exec(text)?.[0] ?? '',
      sync,
    )
    .registerFunction('string.findAll(string): list<string>', findAll, sync)
    .registerFunction('string.findAll(string, int): list<string>', findAll, sync)
    .registerFunction('string.replace(string, string): string', replace, sync)
    .registerFunction('string.replace(string, string, int): string', replace, sync)
    .registerFunction('string.format(list): string', format, sync)
    .registerFunction('string.charAt(int): string', charAt, sync);
}

function format(template: string, values: unknown[]): string {
  try {
    return formatText(template, values);
  } catch (error) {
    throw failure(error instanceof Error ? error.message : String(error));
  }
}

function charAt(text: string, position: bigint): string {
  const characters = Array.from(text);
  if (position < 0n || position > BigInt(characters.length)) throw failure(`index out of range: ${position}`);
  return characters[Number(position)] ?? '';
}

/** Orders two scalars of one type. */
function compare(a: unknown, b: unknown): number {
  const [left, right] = [a, b] as [number, number];
  return left < right ? -1 : left > right ? 1 : 0;
}

function best(name: string, list: unknown[], sign: 1 | -1): unknown {
  if (list.length === 0) throw failure(`${name} called on empty list`);
  return list.reduce((winner, item) => (compare(item, winner) * sign > 0 ? item : winner));
}

function registerLists(environment: Environment): void {
  environment
    .registerFunction(
      'list.isSorted(): bool',
      (list: unknown[]) => list.every((item, index) => index === 0 || compare(list[index - 1], item) <= 0),
      sync,
    )
    .registerFunction('list.sum(): dyn', sum, sync)
    .registerFunction('list.min(): dyn', (list: unknown[]) => best('min', list, -1), sync)
    .registerFunction('list.max(): dyn', (list: unknown[]) => best('max', list, 1), sync)
    .registerFunction(
      'list.indexOf(dyn): int',
      (list: unknown[], item: unknown) => BigInt(list.findIndex((other) => same(other, item))),
      sync,
    )
    .registerFunction('list.slice(int, int): list', slice, sync)
    .registerFunction('list.reverse(): list', (list: unknown[]) => list.toReversed(), sync)
    .registerFunction(
      'list.distinct(): list',
      (list: unknown[]) => list.filter((item, index) => list.findIndex((other) => same(other, item)) === index),
      sync,
    )
    .registerFunction(
      'list.first(): optional',
      (list: unknown[]) => (list.length === 0 ? Optional.none() : Optional.of(list[0])),
      sync,
    )
    .registerFunction(
      'list.last(): optional',
      (list: unknown[]) => (list.length === 0 ? Optional.none() : Optional.of(list.at(-1))),
      sync,
    )
    .registerFunction(
      'list.lastIndexOf(dyn): int',
      (list: unknown[], item: unknown) => BigInt(list.findLastIndex((other) => same(other, item))),
      sync,
    );
}

function slice(list: unknown[], start: bigint, end: bigint): unknown[] {
  if (start < 0n || end < start || end > BigInt(list.length))
    throw failure(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function sum(list: unknown[]): unknown {
  if (list.every((item) => typeof item === 'bigint')) return list.reduce((total, item) => total + item, 0n);
  if (list.every((item) => typeof item === 'number')) return list.reduce((total, item) => total + item, 0);
  throw failure('sum() needs a list of integers or a list of doubles here');
}

/** Equality of CEL values, numbers of both types included. */
function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  // oxlint-disable-next-line eqeqeq: an integer and a double are equal if their values are
  if (isNumber(a) || isNumber(b)) return isNumber(a) && isNumber(b) && a == b;
  if (Array.isArray(a) || a instanceof Uint8Array) return sameItems(a, b);
  if (a instanceof Quantity) return b instanceof Quantity && a.nanos === b.nanos;
  const [left, right] = [entriesOf(a), entriesOf(b)];
  if (left !== undefined && right !== undefined) {
    return left.size === right.size && [...left].every(([key, value]) => right.has(key) && same(value, right.get(key)));
  }
  return isTime(a) && isTime(b) && a.constructor === b.constructor && a.valueOf() === b.valueOf();
}

function sameItems(a: unknown[] | Uint8Array, b: unknown): boolean {
  if (!(Array.isArray(b) || b instanceof Uint8Array) || Array.isArray(a) !== Array.isArray(b)) return false;
  return a.length === b.length && a.every((item, index) => same(item, b[index]));
}

/** Maps of data are Maps, map literals of the evaluator plain objects. */
function entriesOf(value: unknown): Map<string, unknown> | undefined {
  if (value instanceof Map) return value as Map<string, unknown>;
  const plain = typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  return plain ? new Map(Object.entries(value)) : undefined;
}

/** Timestamps and durations are the objects that have a number for a value. */
function isTime(value: unknown): value is object {
  return typeof value === 'object' && value !== null && typeof value.valueOf() === 'number';
}

function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

class SetsNamespace {}

function registerSets(environment: Environment): void {
  const contains = (all: unknown[], some: unknown[]): boolean =>
    some.every((item) => all.some((other) => same(item, other)));
  environment
    .registerType('SetsNamespace', SetsNamespace)
    .registerConstant('sets', 'SetsNamespace', new SetsNamespace())
    .registerFunction(
      'SetsNamespace.contains(list, list): bool',
      (_: unknown, a: unknown[], b: unknown[]) => contains(a, b),
      sync,
    )
    .registerFunction(
      'SetsNamespace.equivalent(list, list): bool',
      (_: unknown, a: unknown[], b: unknown[]) => contains(a, b) && contains(b, a),
      sync,
    )
    .registerFunction(
      'SetsNamespace.intersects(list, list): bool',
      (_: unknown, a: unknown[], b: unknown[]) => a.some((item) => b.some((other) => same(item, other))),
      sync,
    );
}

function parsed(text: string): Quantity {
  const quantity = Quantity.parse(text);
  if (quantity !== undefined) return quantity;
  throw failure("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

function registerQuantity(environment: Environment): void {
  const type = 'kubernetes.Quantity';
  const order = (a: Quantity, b: Quantity): number => compare(a.nanos, b.nanos);
  const plus = (a: Quantity, b: bigint): Quantity => new Quantity(a.nanos + b);
  environment
    .registerType(type, Quantity)
    .registerOperator(`${type} == ${type}`, (a: Quantity, b: Quantity) => a.nanos === b.nanos)
    .registerFunction(`quantity(string): ${type}`, parsed, sync)
    .registerFunction('isQuantity(string): bool', (text: string) => Quantity.parse(text) !== undefined, sync)
    .registerFunction(`sign(${type}): int`, (a: Quantity) => BigInt(compare(a.nanos, 0n)), sync)
    .registerFunction(`${type}.isGreaterThan(${type}): bool`, (a: Quantity, b: Quantity) => order(a, b) > 0, sync)
    .registerFunction(`${type}.isLessThan(${type}): bool`, (a: Quantity, b: Quantity) => order(a, b) < 0, sync)
    .registerFunction(`${type}.compareTo(${type}): int`, (a: Quantity, b: Quantity) => BigInt(order(a, b)), sync)
    .registerFunction(`${type}.isInteger(): bool`, (a: Quantity) => a.isInteger, sync)
    .registerFunction(`${type}.asInteger(): int`, asInteger, sync)
    .registerFunction(`${type}.asApproximateFloat(): double`, (a: Quantity) => Number(a.nanos) / 1e9, sync)
    .registerFunction(`${type}.add(${type}): ${type}`, (a: Quantity, b: Quantity) => plus(a, b.nanos), sync)
    .registerFunction(`${type}.add(int): ${type}`, (a: Quantity, b: bigint) => plus(a, b * 1_000_000_000n), sync)
    .registerFunction(`${type}.sub(${type}): ${type}`, (a: Quantity, b: Quantity) => plus(a, -b.nanos), sync)
    .registerFunction(`${type}.sub(int): ${type}`, (a: Quantity, b: bigint) => plus(a, -b * 1_000_000_000n), sync);
}

function asInteger(quantity: Quantity): bigint {
  if (quantity.isInteger) return quantity.integer;
  throw failure('cannot convert value to integer');
}
