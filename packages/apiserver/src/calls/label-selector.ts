import { keyProblems, labelValueProblems } from '../kinds/index.ts';
import { quote } from '../values/index.ts';

export type Labels = Readonly<Record<string, string>>;

type Operator = 'exists' | '!' | 'in' | 'notin' | '=' | '==' | '!=' | '>' | '<';

/** One term of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: Operator;
  readonly values: readonly string[];
}

/** Why a text is not a label selector, in the words of the server's parser. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

interface Token {
  readonly type: 'word' | 'symbol' | 'broken' | 'end';
  readonly text: string;
}

const symbols = new Set([')', ',', '!', '==', '=', '>', '<', '!=', '(']);

/** The longest symbol at the beginning of a run of symbol characters. */
function symbolIn(run: string): Token {
  let end = 0;
  for (let length = 1; length <= run.length; length += 1) {
    if (symbols.has(run.slice(0, length))) end = length;
    else if (end > 0) break;
  }
  return end > 0
    ? { type: 'symbol', text: run.slice(0, end) }
    : { type: 'broken', text: `error expected: keyword found '${run}'` };
}

function tokensOf(selector: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < selector.length;) {
    const rest = selector.slice(at);
    const space = /^[ \t\r\n]+/.exec(rest)?.[0] ?? '';
    // To the server's reader this is the end, but behind a word a gap.
    if (rest.startsWith('\0')) break;
    const word = /^[^=!(),<> \t\r\n\0]+/.exec(rest)?.[0] ?? '';
    const run = /^[=!(),<>]+/.exec(rest)?.[0] ?? '';
    const token: Token | undefined =
      word !== '' ? { type: 'word', text: word } : run !== '' ? symbolIn(run) : undefined;
    if (token !== undefined) tokens.push(token);
    at += token?.type === 'broken' ? run.length : (token?.text.length ?? space.length);
    if (word !== '' && selector[at] === '\0') at += 1;
  }
  return [...tokens, { type: 'end', text: '' }];
}

const binary: readonly string[] = ['in', 'notin', '=', '==', '!=', '>', '<'];
const binaryNames = 'in, notin, =, ==, !=, gt, lt';

/** What a whole number is to the comparisons: 64 bits, a sign at most. */
function wholeNumber(text: string): bigint | undefined {
  if (!/^[+-]?\d+$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function expected(found: string, what: string): SelectorError {
  return new SelectorError(`found '${found}', expected: ${what}`);
}

/** The server's grammar, which takes `in` and `notin` for values where a value stands. */
class Parser {
  readonly #tokens: readonly Token[];
  /** Never behind the last token, which is the end. */
  #at = 0;

  constructor(selector: string) {
    this.#tokens = tokensOf(selector);
  }

  requirements(): Requirement[] {
    const found: Requirement[] = [];
    for (;;) {
      const next = this.#peek();
      if (next.type === 'end') return found;
      if (next.type !== 'word' && next.text !== '!') throw expected(next.text, "!, identifier, or 'end of string'");
      found.push(this.#requirement());
      const after = this.#take();
      if (after.type === 'end') return found;
      if (after.type !== 'symbol' || after.text !== ',') throw expected(after.text, "',' or 'end of string'");
      const following = this.#peek();
      if (following.type !== 'word' && following.text !== '!') throw expected(following.text, "identifier after ','");
    }
  }

  #peek(): Token {
    return this.#tokens[this.#at] ?? { type: 'end', text: '' };
  }

  #take(): Token {
    const token = this.#peek();
    this.#at += 1;
    return token;
  }

  #isAt(...texts: readonly string[]): boolean {
    const { type, text } = this.#peek();
    return type === 'end' ? texts.includes('') : type === 'symbol' && texts.includes(text);
  }

  #requirement(): Requirement {
    try {
      return checked(this.#term());
    } catch (error) {
      if (error instanceof SelectorError) throw new SelectorError(`unable to parse requirement: ${error.message}`);
      throw error;
    }
  }

  #term(): Requirement {
    const negated = this.#isAt('!');
    if (negated) this.#take();
    const { type, text: key } = this.#take();
    if (type !== 'word') throw expected(key, 'identifier');
    const problems = keyProblems(key);
    if (problems.length > 0) throw new SelectorError(invalidText('<nil>', key, problems.join('; ')));
    if (negated) return { key, operator: '!', values: [] };
    if (this.#isAt('', ',')) return { key, operator: 'exists', values: [] };
    const operator = this.#take();
    if (operator.type === 'broken' || !binary.includes(operator.text)) throw expected(operator.text, binaryNames);
    const lists = operator.text === 'in' || operator.text === 'notin';
    return { key, operator: operator.text as Operator, values: lists ? this.#list() : [this.#exact()] };
  }

  #exact(): string {
    if (this.#isAt('', ',')) return '';
    const { type, text } = this.#take();
    if (type !== 'word') throw expected(text, 'identifier');
    return text;
  }

  #list(): string[] {
    const open = this.#take();
    if (open.type !== 'symbol' || open.text !== '(') throw new SelectorError(`found '${open.text}' expected: '('`);
    if (this.#isAt(')')) {
      this.#take();
      return [''];
    }
    if (this.#peek().type !== 'word' && !this.#isAt(',')) throw expected(this.#peek().text, "',', ')' or identifier");
    const values = this.#entries();
    this.#take();
    return [...values].sort();
  }

  /** The entries up to the closing parenthesis, with '' for each that is left out. */
  #entries(): Set<string> {
    const values = new Set<string>();
    for (;;) {
      const { type, text } = this.#take();
      if (type === 'word') {
        values.add(text);
        if (this.#isAt(')')) return values;
        if (!this.#isAt(',')) throw expected(this.#peek().text, "',' or ')'");
      } else if (type === 'symbol' && text === ',') {
        if (values.size === 0 || this.#isAt(',', ')')) values.add('');
        if (this.#isAt(')')) return values;
      } else {
        throw expected(text, "',', or identifier");
      }
    }
  }
}

const invalidText = (place: string, value: string, why: string): string =>
  `${place}: Invalid value: ${quote(value)}: ${why}`;

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement;
  const compares = operator === '>' || operator === '<';
  const problems = [
    ...values.flatMap((value, index) =>
      compares && wholeNumber(value) === undefined
        ? [invalidText(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
        : [],
    ),
    ...values.flatMap((value, index) => {
      const flaws = labelValueProblems(value);
      return flaws.length > 0 ? [invalidText(`values[${index}][${key}]`, value, flaws.join('; '))] : [];
    }),
  ];
  const [first = ''] = problems;
  if (problems.length > 0) throw new SelectorError(problems.length === 1 ? first : `[${problems.join(', ')}]`);
  return requirement;
}

/** Reads a label selector; throws `SelectorError` if the server would refuse it. */
export function parseLabels(selector: string): Requirement[] {
  return new Parser(selector).requirements();
}

function meets(value: string | undefined, { operator, values }: Requirement): boolean {
  switch (operator) {
    case 'exists':
      return value !== undefined;
    case '!':
      return value === undefined;
    case 'in':
    case '=':
    case '==':
      return value !== undefined && values.includes(value);
    case 'notin':
    case '!=':
      return value === undefined || !values.includes(value);
    case '>':
    case '<':
      return compare(value, values[0], operator);
  }
}

function compare(value: string | undefined, limit: string | undefined, operator: '>' | '<'): boolean {
  const [left, right] = [wholeNumber(value ?? ''), wholeNumber(limit ?? '')];
  if (left === undefined || right === undefined) return false;
  return operator === '>' ? left > right : left < right;
}

export function matchesAll(requirements: readonly Requirement[], labels: Labels): boolean {
  return requirements.every((requirement) => {
    const { key } = requirement;
    return meets(Object.hasOwn(labels, key) ? labels[key] : undefined, requirement);
  });
}
