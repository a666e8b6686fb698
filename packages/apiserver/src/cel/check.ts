import { compilePattern, isFlaw } from '../formats/index.ts';
import { clauseFlaw, clausesOf } from './format-text.ts';
import { conversionFunctions } from './functions-convert.ts';
import { selectedName } from './names.ts';
import { type Overload, signatures, typeNames } from './signatures.ts';
import { callOf, dottedName, type Macro, macroOf, type Node } from './syntax.ts';
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

/** Why an expression does not compile. */
export class CheckFailure extends Error {}

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
  readonly #known = new Substitution();
  /** Whether literals may mix types where the check stands now. */
  #items: 'same' | 'mixed' = 'same';
  /** Counts the types to be found out, so that each has a name of its own. */
  #fresh = 0;

  resolved(type: CelType): CelType {
    return this.#known.resolve(type, 'dyn');
  }

  check(node: Node, scope: Scope): CelType {
    const type = this.#infer(node, scope);
    this.types.set(node, type);
    return type;
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
        const field = this.#field(this.check(node.args[0], scope), node.args[1]);
        return field.kind === 'optional' ? field : optionalOf(field);
      }
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
    const root = name?.split('.')[0] ?? '';
    const named = name === undefined || scope.has(root) ? undefined : typeNames.get(name);
    if (named !== undefined) return { kind: 'type', of: named };
    return this.#field(this.check(node.args[0], scope), node.args[1]);
  }

  #field(of: CelType, name: string): CelType {
    const type = this.#known.resolve(of);
    switch (type.kind) {
      case 'object': {
        const field = type.fields.get(selectedName(name, type.fields));
        if (field === undefined) throw new CheckFailure(`undefined field '${name}'`);
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
      default:
        throw new CheckFailure(`type '${typeText(type)}' does not support field selection`);
    }
  }

  /** The one type of the items of a literal; `format` alone takes a list of several. */
  #aggregate(nodes: readonly Node[], scope: Scope): CelType {
    const [first, ...rest] = nodes.map((item) => this.check(item, scope));
    if (first === undefined) return this.#variable();
    return rest.reduce((joined, type) => {
      if (isAssignable(type, joined, this.#known)) return joined.kind === 'null_type' ? type : joined;
      if (this.#items === 'mixed') return dyn;
      throw new CheckFailure(`expected type '${this.#text(joined)}' but found '${this.#text(type)}'`);
    }, first);
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
    if (node.op === 'call' && node.args[0] === 'has') return this.#has(node.args[1], scope);
    const macro = macroOf(node);
    if (typeof macro === 'string') throw new CheckFailure(macro);
    if (macro !== undefined) return this.#macro(macro, scope);
    const call = callOf(node, (name) => scope.has(name));
    if (call === undefined) throw new CheckFailure(`unexpected ${node.op}`);
    const { name, isMember, args } = call;
    refuseBadLiteral(name, args);
    const types = this.#arguments(name, args, scope);
    const known = (signatures.get(name) ?? []).filter((overload) => overload.isMember === isMember);
    if (known.length === 0) throw new CheckFailure(`undeclared reference to '${name}' (in container '')`);
    const { overloads, result } = this.#resolve(known, types);
    if (result === undefined) {
      const applied = types.map((type) => this.#text(type));
      const shown = isMember ? `${applied[0]}.(${applied.slice(1).join(', ')})` : `(${applied.join(', ')})`;
      throw new CheckFailure(`found no matching overload for '${name}' applied to '${shown}'`);
    }
    this.overloads.set(node, overloads);
    return result;
  }

  /** Inside the arguments of `format`, literals may mix types. */
  #arguments(name: string, args: readonly Node[], scope: Scope): CelType[] {
    const before = this.#items;
    if (name === 'format') this.#items = 'mixed';
    const types = args.map((arg) => this.check(arg, scope));
    this.#items = before;
    const text = (node: Node): string => formatTypeText(this.#known.resolve(this.types.get(node) ?? dyn, 'dyn'));
    if (name === 'format') refuseBadFormat(args, text);
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
    if (args.length !== 1 || field?.op !== '.') throw new CheckFailure('invalid argument to has() macro');
    this.types.set(field, this.#field(this.check(field.args[0], scope), field.args[1]));
    return bool;
  }

  #macro(macro: Macro, scope: Scope): CelType {
    const range = this.#known.resolve(this.check(macro.range, scope));
    const inner = new Map(scope);
    this.#bound(macro, range).forEach((type, index) => inner.set(macro.variables[index] ?? '', type));
    if (macro.condition !== undefined) this.#expect(this.check(macro.condition, inner), bool);
    const body = this.check(macro.body, inner);
    return this.#macroResult(macro, range, body);
  }

  /** The types of a macro's variables. */
  #bound({ name, variables }: Macro, range: CelType): CelType[] {
    if (name === 'optMap' || name === 'optFlatMap') {
      if (range.kind === 'optional') return [range.of];
      if (range.kind === 'dyn') return [dyn];
      throw new CheckFailure(`found no matching overload for '${name}' applied to '${typeText(range)}'`);
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
      default:
        throw new CheckFailure(
          `expression of type '${typeText(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
        );
    }
  }

  #macroResult({ name }: Macro, range: CelType, body: CelType): CelType {
    switch (name) {
      case 'all':
      case 'exists':
      case 'exists_one':
        this.#expect(body, bool);
        return bool;
      case 'filter':
        this.#expect(body, bool);
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

  #expect(type: CelType, expected: CelType): void {
    if (isAssignable(type, expected, this.#known)) return;
    throw new CheckFailure(`expected type '${this.#text(expected)}' but found '${this.#text(type)}'`);
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
  throw new CheckFailure(`undeclared reference to '${name}' (in container '')`);
}

const patterns = new Set(['matches', 'find', 'findAll']);

/** Literals that can never be read are found before anything runs. */
function refuseBadLiteral(name: string, args: readonly Node[]): void {
  const [first, second] = args.map((arg) => (arg.op === 'value' ? arg.args : undefined));
  if (patterns.has(name) && typeof second === 'string') {
    const pattern = compilePattern(second);
    if (isFlaw(pattern)) throw new CheckFailure(`invalid ${name} argument: ${pattern.flaw}`);
  }
  const convert = Object.hasOwn(conversionFunctions, name) ? conversionFunctions[name] : undefined;
  if (convert === undefined || args.length !== 1 || first === undefined) return;
  try {
    convert(first);
  } catch (error) {
    throw new CheckFailure(error instanceof Error ? error.message : String(error));
  }
}

/** A template and a list that are both written out can be held against each other. */
function refuseBadFormat([template, list]: readonly Node[], typeOf: (node: Node) => string): void {
  if (template?.op !== 'value' || typeof template.args !== 'string' || list?.op !== 'list') return;
  const clauses = clausesOrFailure(template.args);
  if (list.args.length > clauses.length) {
    const counts = `(expected ${clauses.length}, got ${list.args.length})`;
    throw new CheckFailure(`too many arguments supplied to string.format ${counts}`);
  }
  for (const [index, clause] of clauses.entries()) {
    const item = list.args[index];
    const flaw = item === undefined ? `index ${index} out of range` : clauseFlaw(clause, typeOf(item));
    if (flaw !== undefined) throw new CheckFailure(flaw);
  }
}

function clausesOrFailure(template: string): ReturnType<typeof clausesOf> {
  try {
    return clausesOf(template);
  } catch (error) {
    throw new CheckFailure(error instanceof Error ? error.message : String(error));
  }
}
