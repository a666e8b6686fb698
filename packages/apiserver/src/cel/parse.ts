// From the text of an expression to its tree, by recursive descent over the grammar of CEL.
import { type Flaw, SyntaxFailure, syntaxFlaw } from './source-error.ts';
import { type Token, tokensOf } from './tokens.ts';

export type BinaryOperator = '||' | '&&' | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'in' | '+' | '-' | '*' | '/' | '%';

/** A part of an expression. `at` is where the server points to: the sign of an operator, the bracket of a call, the start of anything else. */
export type Node = { readonly at: number } & (
  | { readonly op: 'value'; readonly args: unknown }
  | { readonly op: 'id'; readonly args: string }
  | { readonly op: '.'; readonly args: readonly [Node, string] }
  | { readonly op: '.?'; readonly args: readonly [Node, string] }
  | { readonly op: '[]' | '[?]'; readonly args: readonly [Node, Node] }
  | { readonly op: 'call'; readonly args: readonly [name: string, args: readonly Node[]] }
  | { readonly op: 'rcall'; readonly args: readonly [name: string, receiver: Node, args: readonly Node[]] }
  | { readonly op: 'list'; readonly args: readonly Node[] }
  | { readonly op: 'map'; readonly args: readonly (readonly [Node, Node])[] }
  | { readonly op: '?:'; readonly args: readonly [Node, Node, Node] }
  | { readonly op: BinaryOperator; readonly args: readonly [Node, Node] }
  | { readonly op: '!_'; readonly args: Node }
  | { readonly op: '-_'; readonly args: Node }
  /** An item of a list or a value of a map that is there only if it has a value: `[?a]`, `{?"k": a}`. */
  | { readonly op: '?_'; readonly args: Node }
);

/** Words that later versions of the language may need: no names, though fields may be called so. */
const reserved = new Set([
  'as', 'break', 'const', 'continue', 'else', 'for', 'function', 'if', 'import', 'let', 'loop', 'package', 'namespace', 'return', 'var', 'void', 'while',
]); // prettier-ignore

/** Those that group to the left, loosest first. */
const levels: readonly (readonly BinaryOperator[])[] = [
  ['==', '!=', '<', '<=', '>', '>=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
];

/** The server's limit for brackets in brackets, and for steps that build on each other. */
const deepest = 250;
/** The server's limit for the whole text, in characters. */
const longest = 100_000;

const startOfValue =
  "{'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}";

/** The expression as a tree; throws a `SyntaxFailure` where it is not CEL. */
export function parseExpression(expression: string): Node {
  const size = Array.from(expression).length;
  if (size > longest)
    throw new SyntaxFailure([
      { at: undefined, message: `expression code point size exceeds limit: size: ${size}, limit ${longest}` },
    ]);
  const { tokens, flaws } = tokensOf(expression);
  try {
    const node = new Parser(tokens).whole();
    if (flaws.length > 0) throw new SyntaxFailure(flaws);
    refuseDepth(node);
    return node;
  } catch (error) {
    throw error instanceof Stop ? new SyntaxFailure([...flaws, error.flaw]) : error;
  }
}

/** Where reading ends. */
class Stop extends Error {
  readonly flaw: Flaw;

  constructor(flaw: Flaw) {
    super(flaw.message);
    this.flaw = flaw;
  }
}

const stop = (at: number, what: string): Stop => new Stop(syntaxFlaw(at, what));

class Parser {
  readonly #tokens: readonly Token[];
  /** The token to be looked at next; never behind the end. */
  #next = 0;
  /** How many values lie in each other here. */
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  whole(): Node {
    const node = this.#conditional();
    const { type, text, at } = this.#token;
    const verb = this.#tokens[this.#next + 1]?.type === 'end' ? 'extraneous' : 'mismatched';
    if (type !== 'end') throw stop(at, `${verb} input '${text}' expecting <EOF>`);
    return node;
  }

  get #token(): Token {
    return this.#tokens[this.#next] as Token;
  }

  #take(): Token {
    const token = this.#token;
    if (token.type !== 'end') this.#next += 1;
    return token;
  }

  #is(text: string): boolean {
    const { type, text: own } = this.#token;
    return type === 'sign' && own === text;
  }

  #skip(text: string): boolean {
    const found = this.#is(text);
    if (found) this.#next += 1;
    return found;
  }

  #expect(text: string): Token {
    const token = this.#token;
    if (this.#is(text)) return this.#take();
    // A bracket that is not there could stand where the text ends; what has to follow a colon could not.
    if (token.type === 'end' && text !== ':') throw stop(token.at, `missing '${text}' at '<EOF>'`);
    throw stop(token.at, `mismatched input '${token.text}' expecting '${text}'`);
  }

  #conditional(): Node {
    this.#depth += 1;
    if (this.#depth > deepest)
      throw new Stop({ at: undefined, message: `expression recursion limit exceeded: ${deepest}` });
    const condition = this.#or();
    const { at } = this.#token;
    let node = condition;
    if (this.#skip('?')) {
      const yes = this.#or();
      this.#expect(':');
      node = { op: '?:', at, args: [condition, yes, this.#conditional()] };
    }
    this.#depth -= 1;
    return node;
  }

  #or(): Node {
    return this.#joined('||', () => this.#joined('&&', () => this.#binary(0)));
  }

  /** A list of terms, of any length, as a tree that is not deeper than it has to be. */
  #joined(op: '||' | '&&', term: () => Node): Node {
    const terms = [term()];
    const places: number[] = [];
    for (;;) {
      const { at } = this.#token;
      if (!this.#skip(op)) return balanced(op, terms, places);
      places.push(at);
      terms.push(term());
    }
  }

  #binary(level: number): Node {
    const operators = levels[level];
    if (operators === undefined) return this.#unary();
    let left = this.#binary(level + 1);
    for (;;) {
      const { at } = this.#token;
      const op = operators.find((one) => this.#skip(one));
      if (op === undefined) return left;
      left = { op, at, args: [left, this.#binary(level + 1)] };
    }
  }

  #unary(): Node {
    const { at, text } = this.#token;
    if (!this.#is('!') && !this.#is('-')) return this.#member();
    let count = 0;
    while (this.#skip(text)) count += 1;
    if (text === '-' && count === 1) {
      const literal = this.#integer('-');
      if (literal !== undefined) return this.#steps({ op: '-_', at, args: literal });
    }
    const operand = this.#member();
    // Two of them are none.
    if (count % 2 === 0) return operand;
    return text === '!' ? { op: '!_', at, args: operand } : { op: '-_', at, args: operand };
  }

  #integer(sign: '-' | ''): Node | undefined {
    const token = this.#token;
    if (token.type !== 'integer') return undefined;
    if (sign === '' && token.value >= 2n ** 63n) throw new Stop({ at: token.at, message: 'invalid int literal' });
    this.#take();
    return { op: 'value', at: token.at, args: token.value };
  }

  #member(): Node {
    return this.#steps(this.#primary());
  }

  #steps(start: Node): Node {
    let node = start;
    for (;;) {
      const { at } = this.#token;
      if (this.#skip('.')) node = this.#field(node, at);
      else if (this.#skip('[')) {
        const op = this.#skip('?') ? '[?]' : '[]';
        const index = this.#conditional();
        this.#expect(']');
        node = { op, at, args: [node, index] };
      } else return node;
    }
  }

  #field(base: Node, at: number): Node {
    const optional = this.#skip('?');
    const token = this.#token;
    if (token.type !== 'name') {
      throw stop(token.at, `no viable alternative at input '.${token.type === 'end' ? '' : token.text}'`);
    }
    this.#take();
    if (optional) return { op: '.?', at, args: [base, token.text] };
    const { at: bracket } = this.#token;
    if (!this.#skip('(')) return { op: '.', at, args: [base, token.text] };
    return { op: 'rcall', at: bracket, args: [token.text, base, this.#arguments(')')] };
  }

  #primary(): Node {
    const number = this.#integer('');
    if (number !== undefined) return number;
    const token = this.#token;
    if (token.type === 'literal') {
      this.#take();
      return { op: 'value', at: token.at, args: token.value };
    }
    if (token.type === 'name') return this.#named();
    if (token.type === 'broken') throw new Stop({ at: token.at, message: token.why });
    const { at } = token;
    if (this.#skip('(')) {
      const inner = this.#conditional();
      this.#expect(')');
      return inner;
    }
    if (this.#skip('[')) return { op: 'list', at, args: this.#items() };
    if (this.#skip('{')) return { op: 'map', at, args: this.#entries() };
    // A leading dot means the name from the root, which is where all names are.
    if (this.#skip('.') && this.#token.type === 'name') return this.#named();
    const verb = startsValue(this.#tokens[this.#next + 1]) ? 'extraneous' : 'mismatched';
    throw stop(at, `${verb} input '${token.text}' expecting ${startOfValue}`);
  }

  #named(): Node {
    const { at, text } = this.#take();
    const { at: bracket } = this.#token;
    if (this.#skip('(')) return { op: 'call', at: bracket, args: [text, this.#arguments(')')] };
    if (reserved.has(text)) throw new Stop({ at, message: `reserved identifier: ${text}` });
    return { op: 'id', at, args: text };
  }

  #arguments(end: string): Node[] {
    if (this.#skip(end)) return [];
    const nodes = [this.#conditional()];
    while (this.#skip(',')) nodes.push(this.#conditional());
    this.#close(end);
    return nodes;
  }

  #close(end: string): void {
    const { at, text } = this.#token;
    if (!this.#skip(end)) throw stop(at, `mismatched input '${text}' expecting {'${end}', ','}`);
  }

  /** Items, the last one with or without a comma. */
  #items(): Node[] {
    const items: Node[] = [];
    while (!this.#skip(']')) {
      items.push(this.#entry());
      if (this.#skip(',')) continue;
      this.#close(']');
      break;
    }
    return items;
  }

  #entry(): Node {
    const { at } = this.#token;
    if (!this.#skip('?')) return this.#conditional();
    return { op: '?_', at, args: this.#conditional() };
  }

  #entries(): (readonly [Node, Node])[] {
    const entries: (readonly [Node, Node])[] = [];
    while (!this.#skip('}')) {
      const { at } = this.#token;
      const optional = this.#skip('?');
      const key = this.#conditional();
      this.#expect(':');
      const value = this.#conditional();
      entries.push([key, optional ? { op: '?_', at, args: value } : value]);
      if (this.#skip(',')) continue;
      this.#close('}');
      break;
    }
    return entries;
  }
}

/** Terms joined by one operator, of which the middle one is the root: thousands of them are not thousands deep. */
function balanced(op: '||' | '&&', terms: readonly Node[], places: readonly number[]): Node {
  const join = (from: number, to: number): Node => {
    if (from === to) return terms[from] as Node;
    const middle = (from + to) >> 1;
    return { op, at: places[middle] as number, args: [join(from, middle), join(middle + 1, to)] };
  };
  return join(0, terms.length - 1);
}

const steps: ReadonlySet<Node['op']> = new Set(['?:', '.', '.?', '[]', '[?]', 'rcall', ...levels.flat()]);

function partsOf({ op, args }: Node): readonly Node[] {
  if (op === 'value' || op === 'id') return [];
  const parts: readonly unknown[] = [args].flat(3);
  return parts.filter((part): part is Node => typeof part === 'object' && part !== null && 'op' in part);
}

/** Also a chain is deep, though nothing in it is in brackets. Without recursion: it may be as deep as the text is long. */
function refuseDepth(root: Node): void {
  const rest: (readonly [node: Node, depth: number])[] = [[root, 0]];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const [node, above] = next;
    const depth = above + (steps.has(node.op) ? 1 : 0);
    if (depth > deepest) throw new Stop({ at: undefined, message: 'max recursion depth exceeded' });
    for (const part of partsOf(node)) rest.push([part, depth]);
  }
}

/** Whether a value may begin so: then what is before it is one word too many. */
function startsValue(token: Token | undefined): boolean {
  if (token === undefined || token.type === 'end') return false;
  return token.type !== 'sign' || ['[', '{', '(', '.', '-', '!'].includes(token.text);
}
