import { costs, formatPatternLength, perCharacter, perPatternCharacter } from './run-cost.ts';
import type { Overload } from './signatures.ts';
import type { Node } from './parse.ts';
import type { CelType } from './type.ts';

/** How large a value may be at least and at most. */
export interface Size {
  readonly min: number;
  readonly max: number;
}

/** Costs and sizes end there. */
const most = 2 ** 64;
export const unknownSize: Size = { min: 0, max: most };

export const times = (a: number, b: number): number => (a === 0 || b === 0 ? 0 : Math.min(most, a * b));
const scaled = (size: number, factor: number): number => Math.min(most, Math.ceil(size * factor));

export function unionOf(sizes: readonly Size[]): Size {
  if (sizes.length === 0) return { min: 0, max: 0 };
  return { min: Math.min(...sizes.map(({ min }) => min)), max: Math.max(...sizes.map(({ max }) => max)) };
}

const sumOf = (a: Size, b: Size): Size => ({ min: a.min + b.min, max: Math.min(most, a.max + b.max) });

/** An argument of a call, the receiver first. */
export interface Operand {
  readonly size: Size;
  readonly type: CelType;
  /** Of the items of a list, as its schema says. */
  readonly itemSize: Size | undefined;
  readonly node: Node;
}

export interface Estimated {
  readonly cost: number;
  /** Of the result, where the call decides it. */
  readonly size?: Size | undefined;
}

type Estimate = (operands: readonly Operand[], overload: Overload) => Estimated;

const none: Operand = {
  size: { min: 0, max: 0 },
  type: { kind: 'dyn' },
  itemSize: undefined,
  node: undefined as never,
};
const maxOf = (operand: Operand | undefined): number => (operand ?? none).size.max;

const one: Estimate = () => ({ cost: costs.call });
const traversed: Estimate = ([text]) => ({ cost: scaled(maxOf(text), perCharacter) });
const traversedKeepingSize: Estimate = ([text = none]) => ({
  cost: scaled(text.size.max, perCharacter),
  size: text.size,
});
const traversedArgument: Estimate = ([, text]) => ({ cost: scaled(maxOf(text), perCharacter) });

function patternCost(text: Operand | undefined, length: number): number {
  return times(scaled(maxOf(text) + 1, perCharacter), scaled(length, perPatternCharacter));
}

/** Each item is looked at once; strings all over. */
const walked: Estimate = ([list = none]) => {
  if (list.type.kind !== 'list') return traversed([list], undefined as never);
  const { kind } = list.type.item;
  const perItem = kind === 'string' || kind === 'bytes' ? scaled((list.itemSize ?? unknownSize).max, perCharacter) : 0;
  return { cost: times(list.size.max, 1 + perItem) };
};

const constantTimeTypes = new Set(['net.IP', 'net.CIDR', 'kubernetes.Quantity', 'kubernetes.Semver']);

const compared: Estimate = ([a = none, b = none]) => {
  if (a.type.kind === 'opaque' && constantTimeTypes.has(a.type.name)) return { cost: 1 };
  return { cost: scaled(Math.min(a.size.max, b.size.max), perCharacter) };
};

const isText = (overload: Overload): boolean =>
  overload.parameters[0]?.kind === 'string' || overload.parameters[0]?.kind === 'bytes';
const ordered: Estimate = (operands, overload) => (isText(overload) ? compared(operands, overload) : { cost: 1 });

const added: Estimate = ([a = none, b = none], overload) => {
  if (!isText(overload) && overload.parameters[0]?.kind !== 'list') return { cost: 1 };
  const size = sumOf(a.size, b.size);
  return { cost: isText(overload) ? scaled(size.max, perCharacter) : 1, size };
};

const replaced: Estimate = ([text = none, from = none, to = none]) => {
  const longest = replacedLength(text.size.max, from.size.min, to.size.max);
  return { cost: scaled(text.size.max, 2 * perCharacter), size: { min: 0, max: longest } };
};

/** How long a text gets when its smallest parts are replaced by the largest. */
function replacedLength(length: number, from: number, to: number): number {
  if (from === 0) return Math.min(most, times(length + 1, to) + length);
  return to <= from ? length : times(Math.ceil(length / from), to);
}

const literalInt = ({ node }: Operand, otherwise: number): number =>
  node.op === 'value' && typeof node.args === 'bigint' ? Number(node.args) : otherwise;

const splitted: Estimate = ([text = none, , limit]) => ({
  cost: scaled(text.size.max, 2 * perCharacter),
  size: { min: 0, max: limit === undefined ? text.size.max : literalInt(limit, text.size.max) },
});

const joined: Estimate = ([list = none, separator]) => {
  const items = times(list.size.max, (list.itemSize ?? unknownSize).max);
  const separators = separator === undefined ? 0 : times(Math.max(0, list.size.max - 1), separator.size.max);
  const max = Math.min(most, items + separators);
  return { cost: scaled(max, perCharacter), size: { min: 0, max } };
};

const found: Estimate = ([text = none, source]) => ({
  cost: patternCost(text, maxOf(source)),
  size: { min: 0, max: text.size.max },
});

const addressSize = 16;
const contained =
  (extra: number): Estimate =>
  ([, other], overload) => ({
    cost:
      scaled(addressSize * 2, perCharacter) +
      extra +
      (overload.parameters[1]?.kind === 'string' ? scaled(maxOf(other), perCharacter) : 0),
  });

const sets =
  (factor: number): Estimate =>
  ([a, b]) => ({ cost: Math.min(most, times(maxOf(a), maxOf(b)) * factor + 1) });

function allocated(max: number, factor: number = 1): Estimated {
  return { cost: Math.min(most, scaled(max, factor) + costs.call + costs.list), size: { min: 0, max } };
}

const selfCompared: Estimate = ([list = none], overload) => {
  const item = overload.parameters[0]?.kind === 'list' ? overload.parameters[0].item.kind : 'dyn';
  return allocated(times(list.size.max, list.size.max), item === 'string' || item === 'bytes' ? 2 + perCharacter : 2);
};

const byName: Readonly<Record<string, Estimate>> = {
  isSorted: walked,
  sum: walked,
  max: walked,
  min: walked,
  indexOf: walked,
  lastIndexOf: walked,
  url: traversedKeepingSize,
  lowerAscii: traversedKeepingSize,
  upperAscii: traversedKeepingSize,
  substring: traversedKeepingSize,
  trim: traversedKeepingSize,
  replace: replaced,
  split: splitted,
  join: joined,
  find: found,
  findAll: found,
  matches: ([text, source]) => ({ cost: patternCost(text, maxOf(source)) }),
  contains: ([text, part]) => ({ cost: times(scaled(maxOf(text), perCharacter), scaled(maxOf(part), perCharacter)) }),
  startsWith: traversedArgument,
  endsWith: traversedArgument,
  cidr: traversed,
  isIP: traversed,
  isCIDR: traversed,
  ip: (operands, overload) => (overload.isMember ? { cost: 1 } : traversed(operands, overload)),
  'ip.isCanonical': ([text]) => ({ cost: scaled(maxOf(text), 2 * perCharacter) }),
  containsIP: contained(0),
  containsCIDR: contained(scaled(addressSize, perCharacter) + 1),
  quantity: traversed,
  isQuantity: traversed,
  semver: traversed,
  isSemver: traversed,
  validate: ([, text]) => ({
    cost: scaled(scaled(maxOf(text), perCharacter), formatPatternLength * perPatternCharacter),
  }),
  bytes: ([text = none], overload) =>
    overload.parameters[0]?.kind === 'string'
      ? { cost: scaled(text.size.max, perCharacter), size: { min: text.size.min, max: times(text.size.max, 4) } }
      : { cost: 1 },
  string: ([bytes = none], overload) =>
    overload.parameters[0]?.kind === 'bytes'
      ? { cost: scaled(bytes.size.max, perCharacter), size: { min: 0, max: bytes.size.max } }
      : { cost: 1 },
  'strings.quote': ([text = none]) => ({
    cost: scaled(text.size.max, perCharacter),
    size: { min: text.size.min + 2, max: Math.min(most, text.size.max * 2 + 2) },
  }),
  format: traversed,
  _in_: ([, container], overload) => ({ cost: overload.parameters[1]?.kind === 'list' ? maxOf(container) : 1 }),
  '_==_': compared,
  '_!=_': compared,
  '_<_': ordered,
  '_<=_': ordered,
  '_>_': ordered,
  '_>=_': ordered,
  '_+_': added,
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
  slice: ([list = none, start = none, end = none]) =>
    allocated(Math.max(0, literalInt(end, list.size.max) - literalInt(start, 0))),
  'lists.range': ([count = none]) => allocated(literalInt(count, most)),
  reverse: ([list]) => allocated(maxOf(list)),
  flatten: ([list, depth]) => allocated(maxOf(list), depth === undefined ? 1 : literalInt(depth, most)),
  distinct: selfCompared,
  sort: selfCompared,
};

/** The most one form of a function can cost, its arguments aside. */
export function estimateCall(name: string, overload: Overload, operands: readonly Operand[]): Estimated {
  return (Object.hasOwn(byName, name) ? (byName[name] ?? one) : one)(operands, overload);
}
