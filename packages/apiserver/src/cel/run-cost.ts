import { Cidr } from './network.ts';
import { Quantity } from './quantity.ts';
import { LibraryValue, sizeOf } from './value.ts';

/** What single steps cost, in Kubernetes' units. */
export const costs = { select: 1, call: 1, list: 10, map: 30, structure: 40 } as const;

/** Looking at a character, and at a character of a pattern. */
export const perCharacter = 0.1;
export const perPatternCharacter = 0.25;
/** As long as the longest pattern of a named format is taken to be. */
export const formatPatternLength = 128;

const traversal = (value: unknown, factor: number = 1): number => Math.ceil(sizeOf(value) * perCharacter * factor);

function deepTraversal(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return Math.floor(sizeOf(value) * perCharacter);
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + deepTraversal(item), 0);
  if (!(value instanceof Map)) return 1;
  return [...value].reduce((sum, [key, item]) => sum + deepTraversal(key) + deepTraversal(item), 0);
}

function pattern(text: unknown, length: number): number {
  return Math.ceil((1 + sizeOf(text)) * perCharacter) * Math.ceil(length * perPatternCharacter);
}

const isText = (value: unknown): boolean => typeof value === 'string' || value instanceof Uint8Array;

function compared(a: unknown, b: unknown): number {
  if (a instanceof LibraryValue || a instanceof Quantity) return 1;
  return Math.ceil(Math.min(sizeOf(a), sizeOf(b)) * perCharacter);
}

function selfCompared(list: unknown): number {
  const size = sizeOf(list);
  const factor = Array.isArray(list) && isText(list[0]) ? 2 + perCharacter : 2;
  return costs.call + costs.list + Math.ceil(factor * size * size);
}

type Cost = (args: readonly unknown[], result: unknown) => number;

const one: Cost = () => 1;
const traversed: Cost = ([text]) => traversal(text);
const traversedTwice: Cost = ([text]) => traversal(text, 2);
const walked: Cost = ([value]) => deepTraversal(value);
const searched: Cost = ([text, source]) => pattern(text, sizeOf(source));
const ordered: Cost = ([a, b]) => (isText(a) ? compared(a, b) : 1);
const equated: Cost = ([a, b]) => compared(a, b);
const made: Cost = (_, result) => costs.call + costs.list + sizeOf(result);
const sets =
  (factor: number): Cost =>
  ([a, b]) =>
    1 + sizeOf(a) * sizeOf(b) * factor;

const contained: Cost = ([cidr, other]) =>
  Math.ceil(sizeOf(cidr) * 2 * perCharacter) + (typeof other === 'string' ? traversal(other) : 0);

/** A selector is read, and each of its requirements, of two characters at the least, is a list and a structure. */
const selector: Cost = ([, text]) =>
  costs.list + traversal(text) + Math.ceil(sizeOf(text) * 0.5) * (costs.list + costs.structure);

const byName: Readonly<Record<string, Cost>> = {
  // Two questions about rights fit into one expression, three do not.
  check: () => 350_000,
  fieldSelector: selector,
  labelSelector: selector,
  isSorted: walked,
  sum: walked,
  max: walked,
  min: walked,
  indexOf: walked,
  lastIndexOf: walked,
  url: traversed,
  lowerAscii: traversed,
  upperAscii: traversed,
  substring: traversed,
  trim: traversed,
  replace: traversedTwice,
  split: traversedTwice,
  join: (_, result) => traversal(result, 2),
  find: searched,
  findAll: searched,
  matches: searched,
  contains: ([text, part]) => traversal(text) * traversal(part),
  cidr: traversed,
  isIP: traversed,
  isCIDR: traversed,
  ip: ([value]) => (value instanceof Cidr ? 1 : traversal(value)),
  'ip.isCanonical': traversedTwice,
  containsIP: contained,
  containsCIDR: (args, result) => contained(args, result) + traversal(args[0]) + 1,
  quantity: traversed,
  isQuantity: traversed,
  semver: traversed,
  isSemver: traversed,
  validate: ([, text]) => pattern(text, formatPatternLength),
  startsWith: traversed,
  endsWith: traversed,
  bytes: traversed,
  string: ([value]) => (value instanceof Uint8Array ? traversal(value) : 1),
  'strings.quote': traversed,
  format: traversed,
  _in_: ([, container]) => (Array.isArray(container) ? sizeOf(container) : 1),
  '_==_': equated,
  '_!=_': equated,
  '_<_': ordered,
  '_<=_': ordered,
  '_>_': ordered,
  '_>=_': ordered,
  '_+_': ([a, b]) => (isText(a) ? Math.ceil((sizeOf(a) + sizeOf(b)) * perCharacter) : 1),
  'sets.contains': sets(1),
  'sets.intersects': sets(1),
  'sets.equivalent': sets(2),
  slice: made,
  reverse: made,
  'lists.range': made,
  flatten: ([list, depth = 1n]) => costs.call + costs.list + sizeOf(list) * Number(depth),
  distinct: ([list]) => selfCompared(list),
  sort: ([list]) => selfCompared(list),
};

/** What a call cost, once its result is there. */
export function callCost(name: string, args: readonly unknown[], result: unknown): number {
  return (Object.hasOwn(byName, name) ? (byName[name] ?? one) : one)(args, result);
}
