import { authorizerFunctions } from './authorizer.ts';
import { conversionFunctions } from './functions-convert.ts';
import { kubernetesFunctions } from './functions-kubernetes.ts';
import { listFunctions } from './functions-lists.ts';
import { stringFunctions } from './functions-strings.ts';
import type { Functions } from './functions.ts';
import { selectedName } from './names.ts';
import { binaryOperators, keyOf, negate } from './operators.ts';
import { callCost, costs } from './run-cost.ts';
import type { Node } from './parse.ts';
import { typeNames } from './signatures.ts';
import { callOf, dottedName, type Macro, macroOf, negativeLiteral } from './syntax.ts';
import { typeText } from './type.ts';
import { CelFailure, CelOptional, compare, noSuchOverload, TypeValue } from './value.ts';

/** The expression is stopped because it cost more than it may. */
class CostExceeded extends Error {}

/** Names and what they stand for; the last one hides those before it. */
interface Frame {
  readonly name: string;
  readonly value: unknown;
  readonly outer: Frame | undefined;
}

const functions: Functions = {
  ...binaryOperators,
  '-_': negate,
  ...conversionFunctions,
  ...stringFunctions,
  ...listFunctions,
  ...kubernetesFunctions,
  ...authorizerFunctions,
};

export type Outcome = { readonly cost: number } & (
  | { readonly type: 'value'; readonly value: unknown }
  /** The expression ran and failed, as it would on any server: no such key, division by zero. */
  | { readonly type: 'error'; readonly text: string }
  /** It was stopped, because it cost more than the limit. */
  | { readonly type: 'stopped' }
);

/** Runs an expression that was checked. */
export function evaluate(ast: Node, variables: Readonly<Record<string, unknown>>, limit: number): Outcome {
  const frame = Object.entries(variables).reduce<Frame | undefined>(
    (outer, [name, value]) => ({ name, value, outer }),
    undefined,
  );
  const run = new Run(limit);
  try {
    const value = run.value(ast, frame);
    return { type: 'value', value, cost: run.cost };
  } catch (error) {
    if (error instanceof CostExceeded) return { type: 'stopped', cost: run.cost };
    if (error instanceof CelFailure) return { type: 'error', text: error.message, cost: run.cost };
    throw error;
  }
}

class Run {
  readonly #limit: number;
  /** What the steps so far cost; never more than the limit for long. */
  cost = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  #spend(cost: number): void {
    this.cost += cost;
    if (this.cost > this.#limit) throw new CostExceeded();
  }

  value(node: Node, frame: Frame | undefined): unknown {
    switch (node.op) {
      case 'value':
        return node.args;
      case 'id':
        return this.#identifier(node.args, frame);
      case '.':
        return this.#select(node, frame);
      case '.?':
        return optionalField(this.value(node.args[0], frame), node.args[1]);
      case 'list': {
        const items = node.args.flatMap((item) => this.#entry(item, frame));
        this.#spend(costs.list);
        return items;
      }
      case 'map':
        return this.#map(node.args, frame);
      case '&&':
        return this.#logical(node.args, frame, false);
      case '||':
        return this.#logical(node.args, frame, true);
      case '?:': {
        const [condition, yes, no] = node.args;
        return this.value(this.#truth(condition, frame) ? yes : no, frame);
      }
      case '!_': {
        const negated = !this.#truth(node.args, frame);
        this.#spend(costs.call);
        return negated;
      }
      case '-_': {
        const literal = negativeLiteral(node);
        return literal === undefined ? this.#call(node, frame) : negate(literal);
      }
      default:
        return this.#call(node, frame);
    }
  }

  #identifier(name: string, frame: Frame | undefined): unknown {
    this.#spend(costs.select);
    const found = lookUp(name, frame);
    if (found !== undefined) return found.value;
    const type = typeNames.get(name);
    if (type !== undefined) return new TypeValue(typeValueName(name));
    throw new CelFailure(`no such attribute: ${name}`);
  }

  #select(node: Extract<Node, { op: '.' }>, frame: Frame | undefined): unknown {
    const name = dottedName(node);
    const whole = name === undefined ? undefined : lookUp(name, frame);
    if (whole !== undefined) {
      this.#spend(costs.select);
      return whole.value;
    }
    if (name !== undefined && typeNames.has(name) && lookUp(name.split('.')[0] ?? '', frame) === undefined) {
      this.#spend(costs.select);
      return new TypeValue(name);
    }
    const base = this.value(node.args[0], frame);
    this.#spend(stepCost(node.args[0]));
    return field(base, node.args[1]);
  }

  #map(entries: readonly (readonly [Node, Node])[], frame: Frame | undefined): unknown {
    const map = new Map<unknown, unknown>();
    for (const [key, item] of entries) {
      const name = keyOf(this.value(key, frame));
      for (const value of this.#entry(item, frame)) map.set(name, value);
    }
    this.#spend(costs.map);
    return map;
  }

  /** An item of a list or a value of a map; none if it is optional and has no value. */
  #entry(node: Node, frame: Frame | undefined): readonly unknown[] {
    if (node.op !== '?_') return [this.value(node, frame)];
    const value = this.value(node.args, frame);
    if (!(value instanceof CelOptional)) throw noSuchOverload();
    return value.hasValue ? [value.value] : [];
  }

  #truth(node: Node, frame: Frame | undefined): boolean {
    const value = this.value(node, frame);
    if (typeof value !== 'boolean') throw noSuchOverload();
    return value;
  }

  /** `deciding` on either side decides, even if the other side fails. */
  #logical([left, right]: readonly [Node, Node], frame: Frame | undefined, deciding: boolean): boolean {
    let failure: CelFailure | undefined;
    for (const side of [left, right]) {
      try {
        if (this.#truth(side, frame) === deciding) return deciding;
      } catch (error) {
        if (!(error instanceof CelFailure)) throw error;
        failure ??= error;
      }
    }
    if (failure !== undefined) throw failure;
    return !deciding;
  }

  #call(node: Node, frame: Frame | undefined): unknown {
    if (node.op === 'call' && node.args[0] === 'has') return this.#has(node.args[1][0], frame);
    const macro = macroOf(node);
    if (macro !== undefined && !('why' in macro)) return this.#macro(macro, frame);
    const call = callOf(node, (name) => lookUp(name, frame) !== undefined);
    if (call === undefined) throw noSuchOverload();
    const args = call.args.map((arg) => this.value(arg, frame));
    const act = Object.hasOwn(functions, call.name) ? functions[call.name] : undefined;
    const result = act?.(...args);
    if (result === undefined) throw noSuchOverload();
    const isStep = call.name === '_[_]' && call.args[0] !== undefined;
    this.#spend(isStep ? stepCost(call.args[0]) : callCost(call.name, args, result));
    return result;
  }

  #has(node: Node | undefined, frame: Frame | undefined): boolean {
    if (node?.op !== '.') throw noSuchOverload();
    const base = this.value(node.args[0], frame);
    return optionalField(base, node.args[1]).hasValue;
  }

  #macro(macro: Macro, frame: Frame | undefined): unknown {
    const range = this.value(macro.range, frame);
    if (macro.name === 'optMap' || macro.name === 'optFlatMap') return this.#optional(macro, range, frame);
    const entries = entriesOf(range, macro.variables.length);
    switch (macro.name) {
      case 'all':
        return this.#quantified(macro, frame, { entries, deciding: false });
      case 'exists':
        return this.#quantified(macro, frame, { entries, deciding: true });
      case 'exists_one':
        return this.#count(macro, frame, entries) === 1;
      case 'filter':
        return this.#filtered(macro, frame, entries);
      case 'sortBy':
        return this.#sorted(macro, frame, entries);
      case 'transformMap':
      case 'transformMapEntry':
        return this.#transformed(macro, frame, entries);
      default:
        return this.#mapped(macro, frame, entries);
    }
  }

  #optional({ name, variables, body }: Macro, range: unknown, frame: Frame | undefined): unknown {
    if (!(range instanceof CelOptional)) throw noSuchOverload();
    this.#spend(costs.call);
    if (!range.hasValue) return range;
    this.#spend(costs.call + costs.list + costs.call);
    const value = this.value(body, { name: variables[0] ?? '', value: range.value, outer: frame });
    return name === 'optMap' ? new CelOptional(value) : value;
  }

  #quantified(macro: Macro, frame: Frame | undefined, { entries, deciding }: Quantified): boolean {
    let failure: CelFailure | undefined;
    for (const entry of entries) {
      // The accumulator is looked at, and for `exists` negated, before each step.
      this.#spend(deciding ? 4 : 3);
      try {
        if (this.#truth(macro.body, bound(macro, entry, frame)) === deciding) return deciding;
      } catch (error) {
        if (!(error instanceof CelFailure)) throw error;
        failure ??= error;
      }
    }
    this.#spend(costs.select);
    if (failure !== undefined) throw failure;
    return !deciding;
  }

  #count(macro: Macro, frame: Frame | undefined, entries: Iterable<Entry>): number {
    let count = 0;
    for (const entry of entries) {
      if (!this.#truth(macro.body, bound(macro, entry, frame))) continue;
      count += 1;
      this.#spend(2);
    }
    this.#spend(2);
    return count;
  }

  #filtered(macro: Macro, frame: Frame | undefined, entries: Iterable<Entry>): unknown[] {
    const kept: unknown[] = [];
    this.#spend(costs.list + costs.select);
    for (const entry of entries) {
      if (!this.#truth(macro.body, bound(macro, entry, frame))) continue;
      kept.push(entry[0]);
      this.#spend(costs.list + 3);
    }
    return kept;
  }

  #mapped(macro: Macro, frame: Frame | undefined, entries: Iterable<Entry>): unknown[] {
    const made: unknown[] = [];
    this.#spend(costs.list + costs.select);
    for (const entry of entries) {
      const inner = bound(macro, entry, frame);
      if (macro.condition !== undefined && !this.#truth(macro.condition, inner)) continue;
      made.push(this.value(macro.body, inner));
      this.#spend(costs.list + 2);
    }
    return made;
  }

  #transformed(macro: Macro, frame: Frame | undefined, entries: Iterable<Entry>): Map<unknown, unknown> {
    const made = new Map<unknown, unknown>();
    this.#spend(costs.map + costs.select);
    for (const entry of entries) {
      const inner = bound(macro, entry, frame);
      if (macro.condition !== undefined && !this.#truth(macro.condition, inner)) continue;
      this.#spend(3);
      const value = this.value(macro.body, inner);
      const added = macro.name === 'transformMap' ? new Map([[keyOf(entry[0]), value]]) : value;
      if (!(added instanceof Map)) throw noSuchOverload();
      for (const [key, item] of added) {
        if (made.has(key)) throw new CelFailure(`insert failed: key ${String(key)} already exists`);
        made.set(key, item);
      }
    }
    return made;
  }

  #sorted(macro: Macro, frame: Frame | undefined, entries: Iterable<Entry>): unknown[] {
    const keyed = [...entries].map((entry) => ({
      item: entry[0],
      key: this.value(macro.body, bound(macro, entry, frame)),
    }));
    this.#spend(costs.call + costs.list + 2 * keyed.length ** 2);
    return keyed
      .toSorted((a, b) => {
        const order = compare(a.key, b.key);
        if (order === undefined) throw noSuchOverload();
        return order;
      })
      .map(({ item }) => item);
  }
}

const steps = new Set<Node['op']>(['id', '.', '.?', '[]', '[?]']);

/** A step from a name onwards costs one; from anything else, the start of the way counts as well. */
function stepCost(base: Node | undefined): number {
  return base !== undefined && steps.has(base.op) ? costs.select : 2 * costs.select;
}

interface Quantified {
  readonly entries: Iterable<Entry>;
  readonly deciding: boolean;
}

type Entry = readonly unknown[];

/** What a macro's variables stand for, item by item. */
function* entriesOf(range: unknown, variables: number): Generator<Entry> {
  if (range instanceof Map) {
    for (const [key, value] of range) yield [key, value];
  } else if (Array.isArray(range)) {
    for (const [index, item] of range.entries()) yield variables === 2 ? [BigInt(index), item] : [item];
  } else throw noSuchOverload();
}

function bound({ variables }: Macro, entry: Entry, frame: Frame | undefined): Frame | undefined {
  return variables.reduce<Frame | undefined>((outer, name, index) => ({ name, value: entry[index], outer }), frame);
}

function lookUp(name: string, frame: Frame | undefined): Frame | undefined {
  for (let at = frame; at !== undefined; at = at.outer) if (at.name === name) return at;
  return undefined;
}

function field(base: unknown, name: string): unknown {
  if (base instanceof CelOptional) return optionalField(base, name);
  if (!(base instanceof Map)) throw noSuchOverload();
  const known = selectedName(name, base);
  if (!base.has(known)) throw new CelFailure(`no such key: ${name}`);
  return base.get(known);
}

function optionalField(base: unknown, name: string): CelOptional {
  if (base instanceof CelOptional) return base.hasValue ? optionalField(base.value, name) : base;
  if (!(base instanceof Map)) throw noSuchOverload();
  return new CelOptional(base.get(selectedName(name, base)));
}

function typeValueName(name: string): string {
  const type = typeNames.get(name);
  return type === undefined || type.kind === 'list' || type.kind === 'map' ? name : typeText(type).replace(/\(.*$/, '');
}
