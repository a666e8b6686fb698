// What the parts of a tree stand for: macros, calls, names.
import type { Node } from './parse.ts';
import { isQualified } from './signatures.ts';

/** What a macro binds and what it evaluates for each item. */
export interface Macro {
  readonly name: MacroName;
  readonly range: Node;
  readonly variables: readonly string[];
  /** A condition before the body, where the macro takes one. */
  readonly condition: Node | undefined;
  readonly body: Node;
}

export type MacroName =
  | 'all'
  | 'exists'
  | 'exists_one'
  | 'map'
  | 'filter'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry'
  | 'optMap'
  | 'optFlatMap'
  | 'sortBy';

interface Form {
  readonly name: MacroName;
  readonly variables: number;
  /** Counts of arguments with and without a condition. */
  readonly plain: number;
  readonly conditional?: number;
}

const forms: Readonly<Record<string, readonly Form[]>> = {
  all: [
    { name: 'all', variables: 1, plain: 2 },
    { name: 'all', variables: 2, plain: 3 },
  ],
  exists: [
    { name: 'exists', variables: 1, plain: 2 },
    { name: 'exists', variables: 2, plain: 3 },
  ],
  exists_one: [{ name: 'exists_one', variables: 1, plain: 2 }],
  existsOne: [
    { name: 'exists_one', variables: 1, plain: 2 },
    { name: 'exists_one', variables: 2, plain: 3 },
  ],
  map: [{ name: 'map', variables: 1, plain: 2, conditional: 3 }],
  filter: [{ name: 'filter', variables: 1, plain: 2 }],
  transformList: [{ name: 'transformList', variables: 2, plain: 3, conditional: 4 }],
  transformMap: [{ name: 'transformMap', variables: 2, plain: 3, conditional: 4 }],
  transformMapEntry: [{ name: 'transformMapEntry', variables: 2, plain: 3, conditional: 4 }],
  optMap: [{ name: 'optMap', variables: 1, plain: 2 }],
  optFlatMap: [{ name: 'optFlatMap', variables: 1, plain: 2 }],
  sortBy: [{ name: 'sortBy', variables: 1, plain: 2 }],
};

type Rcall = Extract<Node, { op: 'rcall' }>;

/** By node: an expression runs more often than it is read. */
const macros = new WeakMap<Node, { readonly macro: Macro | MacroFlaw | undefined }>();

/** A macro of the wrong form. */
export interface MacroFlaw {
  readonly why: string;
  readonly at: number;
}

/** The macro a call stands for; undefined for plain calls. */
export function macroOf(node: Node): Macro | MacroFlaw | undefined {
  if (node.op !== 'rcall') return undefined;
  const known = macros.get(node) ?? { macro: readMacro(node) };
  macros.set(node, known);
  return known.macro;
}

function readMacro(node: Rcall): Macro | MacroFlaw | undefined {
  const [name, range, args] = node.args;
  const known = Object.hasOwn(forms, name) ? (forms[name] ?? []) : [];
  const form = known.find(({ plain, conditional }) => args.length === plain || args.length === conditional);
  if (form === undefined) return undefined;
  const bound = args.slice(0, form.variables);
  const wrong = bound.find(({ op }) => op !== 'id');
  if (wrong !== undefined) return { why: 'argument must be a simple name', at: wrong.at };
  const variables = bound.map((variable) => (variable.op === 'id' ? variable.args : ''));
  const rest = args.slice(form.variables);
  const body = rest.at(-1);
  if (body === undefined) return undefined;
  return { name: form.name, range, variables, condition: rest.length > 1 ? rest[0] : undefined, body };
}

/** `a.b.c` as text, if the node is nothing else. */
export function dottedName(node: Node): string | undefined {
  if (node.op === 'id') return node.args;
  if (node.op !== '.') return undefined;
  const base = dottedName(node.args[0]);
  return base === undefined ? undefined : `${base}.${node.args[1]}`;
}

/** The number after a minus sign, which belongs to the literal: `-5` is not an operation. */
export function negativeLiteral(node: Extract<Node, { op: '-_' }>): bigint | number | undefined {
  const { args: operand } = node;
  if (operand.op !== 'value') return undefined;
  return typeof operand.args === 'bigint' || typeof operand.args === 'number' ? operand.args : undefined;
}

const binary = new Set(['!=', '==', 'in', '+', '-', '*', '/', '%', '<', '<=', '>', '>=', '||', '&&']);

export interface Call {
  readonly name: string;
  readonly isMember: boolean;
  /** The receiver first. */
  readonly args: readonly Node[];
}

/** By node: what a name stands for is the same each time the expression runs. */
const calls = new WeakMap<Node, Call>();

/** An operator or a function call with its arguments; undefined for anything else. `isVariable` tells names of data. */
export function callOf(node: Node, isVariable: (name: string) => boolean): Call | undefined {
  const call = calls.get(node) ?? readCall(node, isVariable);
  if (call !== undefined) calls.set(node, call);
  return call;
}

function readCall(node: Node, isVariable: (name: string) => boolean): Call | undefined {
  switch (node.op) {
    case 'call':
      return { name: node.args[0], isMember: false, args: node.args[1] };
    case 'rcall': {
      const [name, receiver, args] = node.args;
      const base = receiver.op === 'id' && !isVariable(receiver.args) ? receiver.args : undefined;
      const whole = `${base}.${name}`;
      return base !== undefined && isQualified(whole)
        ? { name: whole, isMember: false, args }
        : { name, isMember: true, args: [receiver, ...args] };
    }
    case '[]':
      return { name: '_[_]', isMember: false, args: node.args };
    case '[?]':
      return { name: '_[?_]', isMember: false, args: node.args };
    case '?:':
      return { name: '_?_:_', isMember: false, args: node.args };
    case '!_':
    case '-_':
      return { name: node.op, isMember: false, args: [node.args] };
    default:
      return binary.has(node.op) ? { name: `_${node.op}_`, isMember: false, args: node.args as Node[] } : undefined;
  }
}
