import { compilePattern, isFlaw } from '../formats/index.ts';
import { clauseFlaw, clausesOf } from './format-text.ts';
import { conversionFunctions } from './functions-convert.ts';
import { selectedName } from './names.ts';
import type { Node } from './parse.ts';
import { type Overload, signatures, typeNames } from './signatures.ts';
import type { Flaw } from './source-error.ts';
import { callOf, dottedName, type Macro, macroOf } from './syntax.ts';
import {
  bool,
  type CelType,
  dyn,
  int,
  isAssignable,
  listOf,
  mapOf,
  optionalOf,
  scalar,
  string,
  Substitution,
  typeText,
} from './type.ts';
import { CelFailure } from './value.ts';

/** Why an expression does not compile. */
export class CheckFailure extends Error {
  readonly flaws: readonly Flaw[];

  constructor(flaws: readonly Flaw[]) {
    super(flaws.map(({ message }) => message).join('\n'));
    this.flaws = flaws;
  }
}

/** A constant part of the expression has no value. */
export class ConstantFailure extends Error {}

/** What is wrong with one part; the check continues with the others. */
class Misfit extends Error {
  /** Where, if not where the part itself stands. */
  readonly at: number | undefined;

  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}

/** What the names of an expression stand for. */
export type Scope = ReadonlyMap<string, CelType>;

/** The types of an expression and of its parts. */
export interface Checked {
  readonly type: CelType;
  typeOf(node: Node): CelType;
  /** The forms of the function that a call may mean; more than one where types are known only when it runs. */
  overloadsOf(node: Node): readonly Overload[];
}

/** Finds the types of an expression; throws a `CheckFailure` where they do not fit together. */
export function check(ast: Node, variables: Scope): Checked {
  const checker = new Checker();
  const type = checker.check(ast, variables);
  const flaws = checker.flaws.length === 0 ? checker.lateFlaws : checker.flaws;
  if (flaws.length > 0) throw new CheckFailure(flaws);
  const [constant] = checker.constantFlaws;
  if (constant !== undefined) throw new ConstantFailure(constant);
  return {
    type: checker.resolved(type),
    typeOf: (node) => checker.resolved(checker.types.get(node) ?? dyn),
    overloadsOf: (node) => checker.overloads.get(node) ?? [],
  };
}

class Checker {
  /** By node; a node is checked once. */
  readonly types = new Map<Node, CelType>();
  readonly overloads = new Map<Node, readonly Overload[]>();
  readonly flaws: Flaw[] = [];
  /** Of literals, which are looked at once all types fit. */
  readonly lateFlaws: Flaw[] = [];
  /** Of calls that could be made before anything runs. */
  readonly constantFlaws: string[] = [];
  /** Parts that are wrong, or made of such: nothing more is said of what they are used for. */
  readonly #wrong = new Set<Node>();
  readonly #known = new Substitution();
  /** Whether literals may mix types where the check stands now. */
  #items: 'same' | 'mixed' = 'same';
  /** Counts the types to be found out, so that each has its own name. */
  #fresh = 0;

  resolved(type: CelType): CelType {
    return this.#known.resolve(type, 'dyn');
  }

  check(node: Node, scope: Scope): CelType {
    const type = this.#noting(node, () => this.#infer(node, scope));
    this.types.set(node, type);
    return type;
  }

  /** The type of a part; of a wrong one, anything, so that the others are looked at as well. */
  #noting(node: Node, infer: () => CelType): CelType {
    try {
      return infer();
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      this.flaws.push({ at: error.at ?? node.at, message: error.message });
      this.#wrong.add(node);
      return dyn;
    }
  }

  /** Whether one of the parts is wrong, and with it the whole. */
  #spoilt(node: Node, parts: readonly Node[]): boolean {
    const spoilt = parts.some((part) => this.#wrong.has(part));
    if (spoilt) this.#wrong.add(node);
    return spoilt;
  }

  #infer(node: Node, scope: Scope): CelType {
    switch (node.op) {
      case 'value':
        return literalType(node.args);
      case 'id':
        return identifier(node.args, scope);
      case '.':
        return this.#select(node, scope);
      case '.?': {
        const base = this.check(node.args[0], scope);
        if (this.#spoilt(node, [node.args[0]])) return dyn;
        const field = this.#field(base, node.args[1]);
        return field.kind === 'optional' ? field : optionalOf(field);
      }
      case '?_':
        return this.#entry(node, scope);
      case 'list':
        return listOf(this.#aggregate(node.args, scope));
      case 'map':
        return this.#map(node.args, scope);
      default:
        return this.#call(node, scope);
    }
  }

  #select(node: Extract<Node, { op: '.' }>, scope: Scope): CelType {
    const name = dottedName(node);
    const whole = name === undefined ? undefined : scope.get(name);
    if (whole !== undefined) return whole;
    const root = name?.split('.')[0] ?? '';
    const named = name === undefined || scope.has(root) ? undefined : typeNames.get(name);
    if (named !== undefined) return { kind: 'type', of: named };
    const base = this.check(node.args[0], scope);
    return this.#spoilt(node, [node.args[0]]) ? dyn : this.#field(base, node.args[1]);
  }

  /** What an optional entry holds where it is there. */
  #entry(node: Extract<Node, { op: '?_' }>, scope: Scope): CelType {
    const type = this.#known.resolve(this.check(node.args, scope));
    if (this.#spoilt(node, [node.args]) || type.kind === 'dyn') return dyn;
    if (type.kind === 'optional') return type.of;
    this.#expect(type, optionalOf(type), node.args.at);
    return type;
  }

  #field(of: CelType, name: string): CelType {
    const type = this.#known.resolve(of);
    switch (type.kind) {
      case 'object': {
        const field = type.fields.get(selectedName(name, type.fields));
        if (field === undefined) throw new Misfit(`undefined field '${name}'`);
        return field;
      }
      case 'map':
        return type.value;
      case 'optional': {
        const field = this.#field(type.of, name);
        return field.kind === 'optional' ? field : optionalOf(field);
      }
      case 'dyn':
      case 'variable':
        return dyn;
      case 'opaque':
        throw new Misfit(`unexpected failed resolution of '${type.name}'`);
      default:
        throw new Misfit(`type '${typeText(type)}' does not support field selection`);
    }
  }

  /** The one type of the items of a literal; `format` alone takes a list of several. */
  #aggregate(nodes: readonly Node[], scope: Scope): CelType {
    const [first, ...rest] = nodes.map((node) => ({ node, type: this.check(node, scope) }));
    if (first === undefined) return this.#variable();
    return rest.reduce((joined, { node, type }) => {
      if (isAssignable(type, joined, this.#known)) return joined.kind === 'null_type' ? type : joined;
      if (this.#items === 'mixed') return dyn;
      const message = `expected type '${this.#text(joined)}' but found '${this.#text(type)}'`;
      this.flaws.push({ at: node.op === '?_' ? node.args.at : node.at, message });
      return joined;
    }, first.type);
  }

  #map(entries: readonly (readonly [Node, Node])[], scope: Scope): CelType {
    const key = this.#aggregate(
      entries.map(([node]) => node),
      scope,
    );
    const value = this.#aggregate(
      entries.map(([, node]) => node),
      scope,
    );
    return mapOf(key, value);
  }

  #call(node: Node, scope: Scope): CelType {
    if (node.op === 'call' && node.args[0] === 'has' && node.args[1].length === 1)
      return this.#has(node.args[1], scope);
    const macro = macroOf(node);
    if (macro !== undefined && 'why' in macro) throw new Misfit(macro.why, macro.at);
    if (macro !== undefined) return this.#macro(macro, scope);
    const call = callOf(node, (name) => scope.has(name));
    if (call === undefined) throw new Misfit(`unexpected ${node.op}`);
    const { name, isMember, args } = call;
    if (name === '_&&_' || name === '_||_') return this.#logical(node, args, scope);
    const types = this.#arguments({ name, at: node.at, args }, scope);
    const known = signatures.get(name);
    if (known === undefined) throw undeclared(name);
    if (this.#spoilt(node, args)) return dyn;
    this.#judgeLiterals(name, args);
    const fitting = known.filter((overload) => overload.isMember === isMember);
    const { overloads, result } = this.#resolve(fitting, types);
    if (result === undefined) {
      const applied = types.map((type) => this.#text(type));
      const shown = isMember ? `${applied[0]}.(${applied.slice(1).join(', ')})` : `(${applied.join(', ')})`;
      throw new Misfit(`found no matching overload for '${name}' applied to '${shown}'`);
    }
    this.overloads.set(node, overloads);
    return result;
  }

  /** Each side is a truth; what is wrong with one says nothing of the other. */
  #logical(node: Node, sides: readonly Node[], scope: Scope): CelType {
    for (const side of sides) {
      const type = this.check(side, scope);
      if (!this.#wrong.has(side)) this.#noting(side, () => this.#expect(type, bool));
    }
    this.overloads.set(node, signatures.get(node.op === '&&' ? '_&&_' : '_||_') ?? []);
    return bool;
  }

  /** Literals that can never be read are found before anything runs: some as flaws of the text, the others when it is made ready. */
  #judgeLiterals(name: string, args: readonly Node[]): void {
    const [first, second] = args.map((arg) => (arg.op === 'value' ? arg : undefined));
    if (second !== undefined && patterns.has(name) && typeof second.args === 'string') {
      const pattern = compilePattern(second.args);
      if (!isFlaw(pattern)) return;
      if (name === 'matches') this.lateFlaws.push({ at: second.at, message: 'invalid matches argument' });
      else this.constantFlaws.push(pattern.flaw);
    }
    const convert = Object.hasOwn(conversionFunctions, name) ? conversionFunctions[name] : undefined;
    if (convert === undefined || args.length !== 1 || first === undefined) return;
    try {
      convert(first.args);
    } catch (error) {
      if (!(error instanceof CelFailure)) throw error;
      const isTime = name === 'timestamp' || name === 'duration';
      if (isTime) this.lateFlaws.push({ at: first.at, message: `invalid ${name} argument` });
      else this.constantFlaws.push(error.message);
    }
  }

  /** Inside the arguments of `format`, literals may mix types. */
  #arguments({ name, at, args }: { name: string; at: number; args: readonly Node[] }, scope: Scope): CelType[] {
    const before = this.#items;
    if (name === 'format') this.#items = 'mixed';
    const types = args.map((arg) => this.check(arg, scope));
    this.#items = before;
    const text = (node: Node): string => formatTypeText(this.#known.resolve(this.types.get(node) ?? dyn, 'dyn'));
    if (name === 'format') this.lateFlaws.push(...badFormat(at, args, text));
    return types;
  }

  #resolve(
    known: readonly Overload[],
    types: readonly CelType[],
  ): { overloads: Overload[]; result: CelType | undefined } {
    const overloads: Overload[] = [];
    let result: CelType | undefined;
    for (const overload of known) {
      if (overload.parameters.length !== types.length) continue;
      const attempt = this.#known.copy();
      const letters = this.#letters();
      const fits = overload.parameters.every((parameter, index) =>
        isAssignable(types[index] ?? dyn, letters(parameter), attempt),
      );
      if (!fits) continue;
      overloads.push(overload);
      this.#known.adopt(attempt);
      const found = this.#known.resolve(letters(overload.result));
      result = result === undefined || typeText(result) === typeText(found) ? found : dyn;
    }
    return { overloads, result };
  }

  /** Puts types of its own in the place of a signature's letters. */
  #letters(): (type: CelType) => CelType {
    const own = new Substitution();
    for (const letter of ['A', 'B']) own.bind(letter, this.#variable());
    return (type) => own.resolve(type);
  }

  #variable(): CelType {
    this.#fresh += 1;
    return { kind: 'variable', name: `_var${this.#fresh}` };
  }

  #has(args: readonly Node[], scope: Scope): CelType {
    const [field] = args;
    if (field === undefined || field.op !== '.') throw new Misfit('invalid argument to has() macro', field?.at);
    const base = this.check(field.args[0], scope);
    if (!this.#wrong.has(field.args[0])) this.types.set(field, this.#field(base, field.args[1]));
    return bool;
  }

  #macro(macro: Macro, scope: Scope): CelType {
    const range = this.#known.resolve(this.check(macro.range, scope));
    const inner = new Map(scope);
    this.#bound(macro, range).forEach((type, index) => inner.set(macro.variables[index] ?? '', type));
    const condition = macro.condition === undefined ? bool : this.check(macro.condition, inner);
    const body = this.check(macro.body, inner);
    if (macro.condition !== undefined) this.#decide(macro.condition, condition, listOf(body));
    return this.#macroResult(macro, range, body);
  }

  /** The types of a macro's variables. */
  #bound({ name, variables, range: node }: Macro, range: CelType): CelType[] {
    if (name === 'optMap' || name === 'optFlatMap') {
      if (range.kind === 'optional') return [range.of];
      if (range.kind === 'dyn') return [dyn];
      throw new Misfit(`found no matching overload for '${name}' applied to '${typeText(range)}'`);
    }
    const isDouble = variables.length === 2;
    switch (range.kind) {
      case 'list':
        return isDouble ? [int, range.item] : [range.item];
      case 'map':
        return isDouble ? [range.key, range.value] : [range.key];
      case 'dyn':
      case 'variable':
        return [dyn, dyn];
      default: {
        const why = 'cannot be range of a comprehension (must be list, map, or dynamic)';
        this.flaws.push({ at: node.at, message: `expression of type '${typeText(range)}' ${why}` });
        return [dyn, dyn];
      }
    }
  }

  /** Macros that choose are made of a choice between two values. */
  #decide(node: Node, type: CelType, values: CelType): void {
    if (this.#wrong.has(node) || isAssignable(type, bool, this.#known)) return;
    const applied = `(${this.#text(type)}, ${this.#text(values)}, ${this.#text(values)})`;
    throw new Misfit(`found no matching overload for '_?_:_' applied to '${applied}'`);
  }

  #macroResult(macro: Macro, range: CelType, body: CelType): CelType {
    switch (macro.name) {
      case 'all':
      case 'exists':
        this.#noting(macro.body, () => this.#expect(body, bool));
        return bool;
      case 'exists_one':
        this.#decide(macro.body, body, int);
        return bool;
      case 'filter':
        this.#decide(macro.body, body, range);
        if (range.kind === 'map') return listOf(range.key);
        return range.kind === 'list' ? range : listOf(dyn);
      case 'map':
      case 'transformList':
        return listOf(body);
      case 'transformMap':
        return mapOf(range.kind === 'map' ? range.key : range.kind === 'list' ? int : dyn, body);
      case 'transformMapEntry':
        return body;
      case 'optMap':
        return optionalOf(body);
      case 'optFlatMap':
        this.#expect(body, optionalOf(this.#variable()));
        return body;
      case 'sortBy':
        return range.kind === 'list' ? range : listOf(dyn);
    }
  }

  #expect(type: CelType, expected: CelType, at?: number): CelType {
    if (isAssignable(type, expected, this.#known)) return expected;
    throw new Misfit(`expected type '${this.#text(expected)}' but found '${this.#text(type)}'`, at);
  }

  #text(type: CelType): string {
    return typeText(this.#known.resolve(type));
  }
}

/** The type as `format` speaks of it. */
function formatTypeText(type: CelType): string {
  return type.kind === 'optional' ? 'optional_type' : type.kind === 'opaque' ? type.name : type.kind;
}

function literalType(value: unknown): CelType {
  switch (typeof value) {
    case 'bigint':
      return int;
    case 'number':
      return scalar('double');
    case 'string':
      return string;
    case 'boolean':
      return bool;
    default:
      if (value === null) return scalar('null_type');
      return value instanceof Uint8Array ? scalar('bytes') : scalar('uint');
  }
}

function identifier(name: string, scope: Scope): CelType {
  const type = scope.get(name);
  if (type !== undefined) return type;
  const named = typeNames.get(name);
  if (named !== undefined) return { kind: 'type', of: named };
  throw undeclared(name);
}

const undeclared = (name: string): Misfit => new Misfit(`undeclared reference to '${name}' (in container '')`);

const patterns = new Set(['matches', 'find', 'findAll']);

/** A template and a list that are both written out can be held against each other. */
function badFormat(at: number, [template, list]: readonly Node[], typeOf: (node: Node) => string): Flaw[] {
  if (template?.op !== 'value' || typeof template.args !== 'string' || list?.op !== 'list') return [];
  let clauses;
  try {
    clauses = clausesOf(template.args);
  } catch (error) {
    if (!(error instanceof CelFailure)) throw error;
    return [{ at, message: error.message }];
  }
  if (list.args.length > clauses.length) {
    const counts = `(expected ${clauses.length}, got ${list.args.length})`;
    return [{ at, message: `too many arguments supplied to string.format ${counts}` }];
  }
  for (const [index, clause] of clauses.entries()) {
    const item = list.args[index];
    if (item === undefined) return [{ at, message: `index ${index} out of range` }];
    const flaw = clauseFlaw(clause, typeOf(item));
    if (flaw !== undefined) return [{ at: item.at, message: flaw }];
  }
  return [];
}
