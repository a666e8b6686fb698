import { textSearch } from './functions-strings.ts';
import { fail, type Functions } from './functions.ts';
import { binaryOperators } from './operators.ts';
import { Duration } from './time.ts';
import { CelOptional, compare, noSuchOverload, same, sizeOf, Uint } from './value.ts';

type List = readonly unknown[];

/** A function of lists, which answers undefined to anything else in the first place. */
function ofList(act: (list: List, ...rest: unknown[]) => unknown): (...args: readonly unknown[]) => unknown {
  return (...args) => (Array.isArray(args[0]) ? act(args[0], ...args.slice(1)) : undefined);
}

function ordered(a: unknown, b: unknown): number {
  const order = compare(a, b);
  if (order === undefined) throw noSuchOverload();
  return order;
}

function best(name: string, sign: 1 | -1): (...args: readonly unknown[]) => unknown {
  return ofList((list) => {
    if (list.length === 0) return fail(`${name} called on empty list`);
    return list.reduce((winner, item) => (ordered(item, winner) * sign > 0 ? item : winner));
  });
}

function sum(list: List): unknown {
  const [first] = list;
  const zero =
    typeof first === 'number'
      ? 0
      : first instanceof Uint
        ? new Uint(0n)
        : first instanceof Duration
          ? new Duration(0n)
          : 0n;
  return list.reduce((total, item) => {
    const next = binaryOperators['_+_']?.(total, item);
    if (next === undefined || typeof item === 'string' || Array.isArray(item)) throw noSuchOverload();
    return next;
  }, zero as unknown);
}

function slice(list: List, start: unknown, end: unknown): unknown {
  if (typeof start !== 'bigint' || typeof end !== 'bigint') return undefined;
  if (start < 0n || end < start || end > BigInt(list.length)) {
    return fail(`cannot slice(${start}, ${end}), list is length ${list.length}`);
  }
  return list.slice(Number(start), Number(end));
}

const contains = (all: List, some: List): boolean => some.every((item) => all.some((other) => same(item, other)));

function ofTwoLists(act: (a: List, b: List) => boolean): (...args: readonly unknown[]) => unknown {
  return (a, b) => (Array.isArray(a) && Array.isArray(b) ? act(a, b) : undefined);
}

function flatten(list: List, depth: unknown = 1n): unknown {
  if (typeof depth !== 'bigint') return undefined;
  if (depth < 0n) return fail('level must be non-negative');
  return list.flat(Number(depth));
}

/** The longest list `lists.range` makes: more would cost more than any rule may. */
const longestRange = 1_000_000n;

function range(count: unknown): unknown {
  if (typeof count !== 'bigint') return undefined;
  if (count > longestRange) return fail('range too large');
  return Array.from({ length: Math.max(0, Number(count)) }, (_, index) => BigInt(index));
}

const search =
  (name: 'indexOf' | 'lastIndexOf', find: (list: List, item: unknown) => number) =>
  (...args: readonly unknown[]): unknown =>
    Array.isArray(args[0]) ? BigInt(find(args[0], args[1])) : textSearch[name]?.(...args);

const sized = (value: unknown): boolean =>
  typeof value === 'string' || Array.isArray(value) || value instanceof Map || value instanceof Uint8Array;

const optional = (item: unknown): CelOptional => new CelOptional(item);

function isZero(value: unknown): boolean {
  if (sized(value)) return sizeOf(value) === 0;
  return (
    value === null || value === 0n || value === 0 || value === false || (value instanceof Uint && value.value === 0n)
  );
}

function ofOptional(act: (optional: CelOptional, other: unknown) => unknown): (...args: readonly unknown[]) => unknown {
  return (...args) => (args[0] instanceof CelOptional ? act(args[0], args[1]) : undefined);
}

const present = (list: List): unknown =>
  list.flatMap((item) => (item instanceof CelOptional && item.hasValue ? [item.value] : []));

export const listFunctions: Functions = {
  size: (value) => (sized(value) ? BigInt(sizeOf(value)) : undefined),
  isSorted: ofList((list) => list.every((item, index) => index === 0 || ordered(list[index - 1], item) <= 0)),
  sum: ofList(sum),
  min: best('min', -1),
  max: best('max', 1),
  indexOf: search('indexOf', (list, item) => list.findIndex((other) => same(other, item))),
  lastIndexOf: search('lastIndexOf', (list, item) => list.findLastIndex((other) => same(other, item))),
  slice: ofList(slice),
  flatten: ofList(flatten),
  sort: ofList((list) => list.toSorted(ordered)),
  distinct: ofList((list) => list.filter((item, index) => list.findIndex((other) => same(other, item)) === index)),
  reverse: ofList((list) => list.toReversed()),
  first: ofList((list) => optional(list[0])),
  last: ofList((list) => optional(list.at(-1))),
  'lists.range': range,
  'sets.contains': ofTwoLists(contains),
  'sets.equivalent': ofTwoLists((a, b) => contains(a, b) && contains(b, a)),
  'sets.intersects': ofTwoLists((a, b) => a.some((item) => b.some((other) => same(item, other)))),
  'optional.of': optional,
  'optional.none': () => optional(undefined),
  'optional.ofNonZeroValue': (value) => optional(isZero(value) ? undefined : value),
  'optional.unwrap': ofList(present),
  unwrapOpt: ofList(present),
  hasValue: ofOptional((value) => value.hasValue),
  value: ofOptional((value) => (value.hasValue ? value.value : fail('optional.none() dereference'))),
  or: ofOptional((value, other) => (value.hasValue ? value : other)),
  orValue: ofOptional((value, other) => (value.hasValue ? value.value : other)),
};
