import type { Json } from 'kilter/api';
import { fieldOf, isObject } from '../values/index.ts';

/** A path that is not a JSON path, or uses a part of the language that is not here. */
export class JsonPathError extends Error {
  override readonly name = 'JsonPathError';
}

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

type Step =
  | { readonly type: 'field'; readonly name: string }
  /** From the end if negative. */
  | { readonly type: 'index'; readonly index: number }
  /** Every item of a list, every value of an object. */
  | { readonly type: 'all' }
  /** The items for which a comparison holds; without an operator, the items that have the path. */
  | { readonly type: 'filter'; readonly path: readonly Step[]; readonly operator?: Operator; readonly value?: Json };

/** The value at a path of plain names, `.spec.replicas`; undefined if there is none. */
export function readPath(value: Json, path: string): Json | undefined {
  let current: Json | undefined = value;
  for (const name of path.replace(/^\./, '').split('.')) {
    current = isObject(current) ? fieldOf(current, name) : undefined;
  }
  return current;
}

/**
 * The first value a JSON path leads to, as printer columns show it; undefined if there is none. Known are names with escapes,
 * quoted names, indices, `*` and filters with one comparison: `.status.conditions[?(@.type=="Ready")].status`.
 */
export function jsonPath(value: Json, path: string): Json | undefined {
  return select([value], stepsOf(path))[0];
}

/** Parsed paths by their text; emptied when full, so that a server that lives long holds a bounded number. */
const parsed = new Map<string, readonly Step[]>();
const capacity = 1000;

function stepsOf(path: string): readonly Step[] {
  const known = parsed.get(path);
  if (known !== undefined) return known;
  if (parsed.size >= capacity) parsed.clear();
  const steps = parse(path.replace(/^\{([^]*)\}$/, '$1').replace(/^\$/, ''), path);
  parsed.set(path, steps);
  return steps;
}

const stepForms: readonly [RegExp, (match: RegExpExecArray, whole: string) => Step][] = [
  [/^\.?\[\s*\*\s*\]|^\.\*/, () => ({ type: 'all' })],
  [/^\.?\[\s*(-?\d+)\s*\]/, (match) => ({ type: 'index', index: Number(match[1]) })],
  [
    /^\.?\[\s*'((?:[^'\\]|\\.)*)'\s*\]|^\.?\[\s*"((?:[^"\\]|\\.)*)"\s*\]/,
    (match) => ({ type: 'field', name: unescape(match[1] ?? match[2] ?? '') }),
  ],
  [
    /^\.?\[\?\(\s*((?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"')]|\((?:[^()])*\))*)\)\]/,
    (match, whole) => parseFilter(match[1] ?? '', whole),
  ],
  [/^\.((?:[^.[\]\\\s]|\\.)+)/, (match) => ({ type: 'field', name: unescape(match[1] ?? '') })],
];

/** `\.` is a dot that is part of a name. */
function unescape(text: string): string {
  return text.replace(/\\(.)/g, '$1');
}

function parse(text: string, whole: string): Step[] {
  const steps: Step[] = [];
  let rest = text.trim();
  while (rest !== '' && rest !== '.') {
    const step = parseStep(rest, whole);
    steps.push(step.step);
    rest = rest.slice(step.length);
  }
  return steps;
}

function parseStep(rest: string, whole: string): { step: Step; length: number } {
  for (const [form, make] of stepForms) {
    const match = form.exec(rest);
    if (match !== null) return { step: make(match, whole), length: match[0].length };
  }
  throw new JsonPathError(
    `JSON path "${whole}" cannot be read at "${rest}": use .name, ['name'], [0], [*] or [?(@.name=="value")]`,
  );
}

const comparison = /^@([^]*?)\s*(?:(==|!=|<=|>=|<|>)\s*([^]*))?$/;

function parseFilter(text: string, whole: string): Step {
  const match = comparison.exec(text.trim());
  if (match === null) throw new JsonPathError(`JSON path "${whole}": a filter compares @ with a value, not "${text}"`);
  const path = parse(match[1] ?? '', whole);
  if (match[2] === undefined) return { type: 'filter', path };
  return { type: 'filter', path, operator: match[2] as Operator, value: parseLiteral(match[3] ?? '', whole) };
}

function parseLiteral(text: string, whole: string): Json {
  const trimmed = text.trim();
  const quoted = /^'((?:[^'\\]|\\.)*)'$|^"((?:[^"\\]|\\.)*)"$/.exec(trimmed);
  if (quoted !== null) return unescape(quoted[1] ?? quoted[2] ?? '');
  if (/^-?\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed);
  if (trimmed === 'true' || trimmed === 'false') return trimmed === 'true';
  throw new JsonPathError(`JSON path "${whole}": "${trimmed}" is not a string, number, true or false`);
}

function select(values: readonly Json[], steps: readonly Step[]): Json[] {
  return steps.reduce<Json[]>((found, step) => found.flatMap((value) => follow(value, step)), [...values]);
}

function follow(value: Json, step: Step): Json[] {
  switch (step.type) {
    case 'field':
      return present(isObject(value) ? fieldOf(value, step.name) : undefined);
    case 'index':
      return present(Array.isArray(value) ? value.at(step.index) : undefined);
    case 'all':
      return Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
    case 'filter':
      return Array.isArray(value) ? value.filter((item) => matches(item, step)) : [];
  }
}

function present(value: Json | undefined): Json[] {
  return value === undefined ? [] : [value];
}

function matches(item: Json, { path, operator, value }: Extract<Step, { type: 'filter' }>): boolean {
  const [found] = select([item], path);
  if (found === undefined) return false;
  if (operator === undefined || value === undefined) return true;
  return compare(found, operator, value);
}

function compare(found: Json, operator: Operator, value: Json): boolean {
  if (operator === '==') return found === value;
  if (operator === '!=') return found !== value;
  if (typeof found !== typeof value || found === null || value === null) return false;
  const order = found < value ? -1 : found > value ? 1 : 0;
  return operator.startsWith('<')
    ? order < 0 || (order === 0 && operator === '<=')
    : order > 0 || (order === 0 && operator === '>=');
}
