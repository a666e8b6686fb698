import type { Checked } from './check.ts';
import type { Declared } from './declared.ts';
import { estimateCall, type Estimated, type Operand, type Size, times, unionOf, unknownSize } from './estimate-call.ts';
import { selectedName } from './names.ts';
import type { Node } from './parse.ts';
import { costs } from './run-cost.ts';
import { callOf, type Macro, macroOf, negativeLiteral } from './syntax.ts';
import type { CelType } from './type.ts';

/** The most an expression can cost, for values as large as their schema lets them be. */
export function estimateCost(ast: Node, checked: Checked, root: Declared): number {
  const variables = new Map<string, Part>([
    ['self', { place: { declared: root } }],
    ['oldSelf', { place: { declared: root } }],
  ]);
  return new Estimator(checked, root).cost(ast, variables).cost;
}

/** Where in the schema a value comes from; no schema where the way leads out of it, no place for a value made again. */
interface SchemaOrigin {
  readonly declared: Declared | undefined;
}

interface Part {
  readonly place?: SchemaOrigin | undefined;
  readonly size?: Size | undefined;
  /** Of the items of a list or the values of a map that was made again. */
  readonly itemSize?: Size | undefined;
}

type Variables = ReadonlyMap<string, Part>;
type Costed = Part & { readonly cost: number };

const scalars = new Set<CelType['kind']>(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

class Estimator {
  readonly #checked: Checked;
  readonly #root: Declared;

  constructor(checked: Checked, root: Declared) {
    this.#checked = checked;
    this.#root = root;
  }

  cost(node: Node, variables: Variables): Costed {
    switch (node.op) {
      case 'value':
        return { cost: 0, size: literalSize(node.args) };
      case 'id': {
        const part = variables.get(node.args) ?? { place: { declared: this.#root } };
        return { ...part, cost: costs.select, size: this.#sizeOf(node, part) };
      }
      case '.':
        return this.#select(node, variables);
      case '.?': {
        const base = this.cost(node.args[0], variables);
        return { cost: base.cost + costs.call, size: this.#sizeOf(node, {}) };
      }
      case '?_':
        return this.cost(node.args, variables);
      case 'list':
        return this.#list(node.args, variables);
      case 'map':
        return this.#map(node.args, variables);
      case '&&':
      case '||':
        return { cost: node.args.reduce((sum, side) => sum + this.cost(side, variables).cost, 0), size: fixed(1) };
      case '-_':
        return negativeLiteral(node) === undefined ? this.#call(node, variables) : { cost: 0, size: fixed(1) };
      default:
        return this.#call(node, variables);
    }
  }

  #select(node: Extract<Node, { op: '.' }>, variables: Variables): Costed {
    const base = this.cost(node.args[0], variables);
    const { kind } = this.#checked.typeOf(node.args[0]);
    const own = kind === 'map' || kind === 'object' ? costs.select : 0;
    const place = this.#below(base.place, ({ fields }) => fields?.get(selectedName(node.args[1], fields)));
    return { cost: base.cost + own, place, size: this.#sizeOf(node, { place }) };
  }

  /** A step without a place to start from is taken by the real server as if it started at the root. */
  #below(place: SchemaOrigin | undefined, step: (declared: Declared) => Declared | undefined): SchemaOrigin {
    if (place === undefined) return { declared: this.#root };
    return { declared: place.declared && step(place.declared) };
  }

  #sizeOf(node: Node, { place, size }: Part): Size | undefined {
    if (place?.declared !== undefined) return { min: 0, max: place.declared.maxElements };
    const type = this.#checked.typeOf(node);
    const kind = type.kind === 'optional' ? type.of.kind : type.kind;
    return scalars.has(kind) ? fixed(1) : size;
  }

  #list(items: readonly Node[], variables: Variables): Costed {
    const parts = items.map((item) => this.cost(item, variables));
    const cost = parts.reduce<number>((sum, part) => sum + part.cost, costs.list);
    return { cost, size: fixed(items.length), itemSize: unionOf(parts.map(({ size }) => size ?? unknownSize)) };
  }

  #map(entries: readonly (readonly [Node, Node])[], variables: Variables): Costed {
    const keys = entries.map(([key]) => this.cost(key, variables));
    const values = entries.map(([, value]) => this.cost(value, variables));
    const cost = [...keys, ...values].reduce<number>((sum, part) => sum + part.cost, costs.map);
    return { cost, size: fixed(entries.length), itemSize: unionOf(values.map(({ size }) => size ?? unknownSize)) };
  }

  #call(node: Node, variables: Variables): Costed {
    if (node.op === 'call' && node.args[0] === 'has') return this.#has(node.args[1][0], variables);
    const macro = macroOf(node);
    if (macro !== undefined && !('why' in macro)) return this.#macro(macro, variables);
    const call = callOf(node, (name) => variables.has(name));
    if (call === undefined) return { cost: 0 };
    const parts = call.args.map((arg) => ({ ...this.cost(arg, variables), node: arg }));
    if (call.name === '_?_:_') return conditional(parts);
    const operands: Operand[] = parts.map((part) => ({
      size: part.size ?? unknownSize,
      type: this.#checked.typeOf(part.node),
      itemSize:
        part.place?.declared?.item === undefined ? undefined : { min: 0, max: part.place.declared.item.maxElements },
      node: part.node,
    }));
    const own = this.#ownCost(node, call.name, operands);
    const cost = parts.reduce((sum, part) => sum + part.cost, own.cost);
    const [first] = parts;
    if (call.name === 'dyn') return { ...first, cost };
    if (call.name === '_[_]') return this.#indexed(node, first, cost);
    return {
      cost,
      size: own.size ?? this.#sizeOf(node, {}),
      itemSize: call.name === '_+_' ? joinedItems(parts) : undefined,
    };
  }

  /** The dearest of the forms that the call may mean. */
  #ownCost(node: Node, name: string, operands: readonly Operand[]): Estimated {
    const estimates = this.#checked.overloadsOf(node).map((overload) => estimateCall(name, overload, operands));
    const sizes = estimates.flatMap(({ size }) => (size === undefined ? [] : [size]));
    return {
      cost: estimates.reduce((most, { cost }) => Math.max(most, cost), 0),
      size: sizes.length === 0 ? undefined : unionOf(sizes),
    };
  }

  #indexed(node: Node, container: Costed | undefined, cost: number): Costed {
    const place = this.#below(container?.place, ({ item }) => item);
    return { cost, place, size: container?.itemSize ?? this.#sizeOf(node, { place }) };
  }

  #has(node: Node | undefined, variables: Variables): Costed {
    return { cost: node?.op === '.' ? this.cost(node.args[0], variables).cost : 0, size: fixed(1) };
  }

  #macro(macro: Macro, variables: Variables): Costed {
    const range = this.cost(macro.range, variables);
    if (macro.name === 'optMap' || macro.name === 'optFlatMap') return this.#optional(macro, range, variables);
    const inner = new Map(variables);
    const kind = this.#checked.typeOf(macro.range).kind;
    for (const [index, name] of macro.variables.entries()) inner.set(name, this.#bound(range, { kind, index, macro }));
    const body = this.cost(macro.body, inner);
    const condition = macro.condition === undefined ? 0 : this.cost(macro.condition, inner).cost;
    const { perItem, once } = shapes[macro.name];
    const count = range.size ?? unknownSize;
    const cost = range.cost + once + times(count.max, perItem + body.cost + condition);
    if (macro.name === 'sortBy') return { cost: cost + times(times(count.max, count.max), 2), size: count };
    const makesList = macro.name === 'map' || macro.name === 'transformList';
    const itemSize = makesList
      ? body.size
      : macro.name === 'filter'
        ? this.#bound(range, { kind, index: 0, macro }).size
        : undefined;
    const isTruth = macro.name === 'all' || macro.name === 'exists' || macro.name === 'exists_one';
    return { cost, size: isTruth ? fixed(1) : count, itemSize };
  }

  /** What a variable of a macro stands for: keys have no size of their own in a schema, positions are numbers. */
  #bound(range: Costed, { kind, index, macro }: { kind: CelType['kind']; index: number; macro: Macro }): Part {
    const isKey = kind === 'list' ? macro.variables.length === 2 && index === 0 : index === 0;
    if (isKey && kind === 'list') return { place: { declared: undefined } };
    const place = this.#below(range.place, (declared) => (isKey ? keyDeclared : declared.item));
    return { place, size: range.itemSize };
  }

  #optional(macro: Macro, range: Costed, variables: Variables): Costed {
    const inner = new Map(variables).set(macro.variables[0] ?? '', {});
    const body = this.cost(macro.body, inner);
    return {
      cost: range.cost * 2 + 2 * costs.call + costs.list + body.cost + (macro.name === 'optMap' ? costs.call : 0),
    };
  }
}

/** Keys are taken to be of no length. */
const keyDeclared: Declared = { type: { kind: 'string' }, maxElements: 0, minSize: 2 };

/** What a macro costs beside its range and its body: for each item, and once. */
const shapes: Readonly<Record<Macro['name'], { readonly perItem: number; readonly once: number }>> = {
  all: { perItem: 3, once: 1 },
  exists: { perItem: 4, once: 1 },
  exists_one: { perItem: 2, once: 2 },
  map: { perItem: 12, once: 11 },
  transformList: { perItem: 12, once: 11 },
  filter: { perItem: 13, once: 11 },
  transformMap: { perItem: 3, once: 31 },
  transformMapEntry: { perItem: 3, once: 31 },
  sortBy: { perItem: 12, once: 22 },
  optMap: { perItem: 0, once: 0 },
  optFlatMap: { perItem: 0, once: 0 },
};

const fixed = (size: number): Size => ({ min: size, max: size });

function literalSize(value: unknown): Size {
  if (typeof value === 'string') return fixed(Array.from(value).length);
  return fixed(value instanceof Uint8Array ? value.length : 1);
}

function conditional([condition, yes, no]: readonly Costed[]): Costed {
  const cost = (condition?.cost ?? 0) + Math.max(yes?.cost ?? 0, no?.cost ?? 0);
  return { cost, size: unionOf([yes?.size ?? unknownSize, no?.size ?? unknownSize]) };
}

function joinedItems(parts: readonly Costed[]): Size | undefined {
  const sizes = parts.map(({ itemSize }) => itemSize);
  return sizes.every((size) => size !== undefined) ? unionOf(sizes) : undefined;
}
