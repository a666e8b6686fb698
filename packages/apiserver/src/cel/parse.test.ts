import { describe, expect, test } from 'vitest';
import { compile } from './program.ts';
import { declaredBy } from './declared.ts';
import { type Node, parseExpression } from './parse.ts';
import { Uint } from './value.ts';

/** The tree without its places, operators first. */
function shown({ op, args }: Node): string {
  const plain = (part: unknown): string => {
    if (Array.isArray(part)) return `[${part.map(plain).join(' ')}]`;
    return typeof part === 'object' && part !== null && 'op' in part ? shown(part as Node) : String(part);
  };
  if (op === 'value') return typeof args === 'string' ? `'${args}'` : String(args);
  if (op === 'id') return args;
  return `(${op} ${Array.isArray(args) ? args.map(plain).join(' ') : plain(args)})`;
}

describe('literals', () => {
  const rows: readonly [string, unknown][] = [
    ['1', 1n],
    ['0x1F', 31n],
    ['7u', new Uint(7n)],
    ['1.5e3', 1500],
    ['.5', 0.5],
    ['2e-1', 0.2],
    [String.raw`"a\n\x41B\U0001F600\101"`, 'a\nAB😀A'],
    [String.raw`r'a\n'`, String.raw`a\n`],
    [`'''a'b\nc'''`, `a'b\nc`],
    [String.raw`b'\xffé'`, Uint8Array.of(0xff, 0xc3, 0xa9)],
    ['true // and nothing else', true],
    ['null', null],
  ];
  test.each(rows)('%s', (expression, value) => {
    expect(parseExpression(expression)).toMatchObject({ op: 'value', args: value });
  });
});

test.each([
  ['a || b && c == d + e * -f', '(|| a (&& b (== c (+ d (* e (-_ f))))))'],
  ['a - b - c', '(- (- a b) c)'],
  ['a ? b : c ? d : e', '(?: a b (?: c d e))'],
  ['!!a', 'a'],
  ['!a.b', '(!_ (. a b))'],
  ['-9223372036854775808', '(-_ 9223372036854775808)'],
  ['a.namespace.in_', '(. (. a namespace) in_)'],
  ['a.b(c)[0].?d[?e]', '([?] (.? ([] (rcall b a [c]) 0) d) e)'],
  ['[1, ?a,]', '(list 1 (?_ a))'],
  ["{'k': 1, ?'l': a}", "(map ['k' 1] ['l' (?_ a)])"],
  ['size(a) in [1]', '(in (call size [a]) (list 1))'],
])('%s is read as %s', (expression, tree) => {
  expect(shown(parseExpression(expression))).toBe(tree);
});

test.each([
  'self ==', '(', ')', '[1', '{1}', '{1: 2', 'a b', 'a.', 'a.in', 'a..b', '"a', "'a\nb'", '#', '1.', 'for', 'a ? b', '9223372036854775808', '99999999999999999999u',
  String.raw`"\q"`, String.raw`"\ud800"`, String.raw`b"\u0041"`, '=', 'a = b', '', '?a', '[?]', 'f(a,)', '\u00a0a',
])('%j is not an expression', (expression) => {
  expect(() => parseExpression(expression)).toThrow(/^Syntax error: |^invalid \w+ literal|^reserved identifier/);
}); // prettier-ignore

const bracketed = 'expression recursion limit exceeded: 250';
const chained = 'max recursion depth exceeded';

test.each([
  ['brackets', 249, (count: number) => `${'('.repeat(count)}1${')'.repeat(count)}`, bracketed],
  ['lists', 250, (count: number) => `${'['.repeat(count)}${']'.repeat(count)}`, bracketed],
  ['choices', 249, (count: number) => `${'true?1:'.repeat(count)}1`, bracketed],
  ['sums', 250, (count: number) => `1${'+1'.repeat(count)}`, chained],
  ['products', 249, (count: number) => `1${'*1'.repeat(count)} == 1`, chained],
  ['relations', 250, (count: number) => `true${'==true'.repeat(count)}`, chained],
  ['fields', 250, (count: number) => `a${'.b'.repeat(count)}`, chained],
  ['indexes', 250, (count: number) => `a${'[0]'.repeat(count)}`, chained],
  ['calls', 250, (count: number) => `a${'.b()'.repeat(count)}`, chained],
])('what lies too deep is refused, and not by the end of the stack: %s', (_what, most, made, message) => {
  expect(() => parseExpression(made(most))).not.toThrow();
  expect(() => parseExpression(made(most + 1))).toThrow(message);
  expect(() => parseExpression(made(10_000))).toThrow(message);
});

test('lists of conditions may be long, for they lie side by side', () => {
  const self = declaredBy({ type: 'string' }, false);
  if (self === undefined) throw new Error('a string is declared');
  for (const op of ['&&', '||']) {
    expect(compile(Array(2000).fill('self=="a"').join(op), self, 'same')).toMatchObject({ type: { kind: 'bool' } });
  }
  expect(parseExpression(`${'-'.repeat(99_999)}a`)).toMatchObject({ op: '-_' });
});

test('what is longer than a hundred thousand characters is not read', () => {
  const long = (count: number): string => `b"${'é'.repeat(count - 3)}"`;
  expect(() => parseExpression(long(100_000))).not.toThrow();
  expect(() => parseExpression(long(100_001))).toThrow(
    'expression code point size exceeds limit: size: 100001, limit 100000',
  );
});

describe('API-K8: all that is wrong is reported, each with its line and a mark', () => {
  const self = declaredBy({ type: 'string' }, false);
  const why = (expression: string): unknown => {
    const made = compile(expression, self ?? { type: { kind: 'string' }, maxElements: 1, minSize: 0 }, 'same');
    return 'why' in made ? made.why.replace(/^compilation failed: /, '') : 'nothing';
  };
  const rows: readonly [string, string][] = [
    ['self ==', "ERROR: <input>:1:8: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self ==\n | .......^"],
    ['self == 1', "ERROR: <input>:1:6: found no matching overload for '_==_' applied to '(string, int)'\n | self == 1\n | .....^"],
    ["self in ['a', 1]", "ERROR: <input>:1:15: expected type 'string' but found 'int'\n | self in ['a', 1]\n | ..............^"],
    ["base64.encode(b'a') == self", "ERROR: <input>:1:1: undeclared reference to 'base64' (in container '')\n | base64.encode(b'a') == self\n | ^\nERROR: <input>:1:14: undeclared reference to 'encode' (in container '')\n | base64.encode(b'a') == self\n | .............^"],
    ["'é' == 'x' &&\n\tnope", "ERROR: <input>:2:2: undeclared reference to 'nope' (in container '')\n |  nope\n | .^"],
    ["'é' == nope", "ERROR: <input>:1:8: undeclared reference to 'nope' (in container '')\n | 'é' == nope\n | .．.....^"],
    ['self.size(', "ERROR: <input>:1:11: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}\n | self.size(\n | ..........^"],
    ["self = 'a'", "ERROR: <input>:1:6: Syntax error: token recognition error at: '= '\n | self = 'a'\n | .....^\nERROR: <input>:1:8: Syntax error: extraneous input ''a'' expecting <EOF>\n | self = 'a'\n | .......^"],
    [String.raw`"\q" == ""`, 'ERROR: <input>:1:1: Syntax error: token recognition error at: \'"\\q\'\n | "\\q" == ""\n | ^\nERROR: <input>:1:10: Syntax error: token recognition error at: \'"\'\n | "\\q" == ""\n | .........^'],
    ['(self', "ERROR: <input>:1:6: Syntax error: missing ')' at '<EOF>'\n | (self\n | .....^"],
    ['[1, 2', "ERROR: <input>:1:6: Syntax error: mismatched input '<EOF>' expecting {']', ','}\n | [1, 2\n | .....^"],
    ['for == 1', 'ERROR: <input>:1:1: reserved identifier: for\n | for == 1\n | ^'],
    ['has(self)', 'ERROR: <input>:1:5: invalid argument to has() macro\n | has(self)\n | ....^'],
    ['[1].filter(x, 1) == []', "ERROR: <input>:1:11: found no matching overload for '_?_:_' applied to '(int, list(int), list(int))'\n | [1].filter(x, 1) == []\n | ..........^"],
    ['[1].all(x, x)', "ERROR: <input>:1:12: expected type 'bool' but found 'int'\n | [1].all(x, x)\n | ...........^"],
    ['[?self] == []', "ERROR: <input>:1:3: expected type 'optional_type(string)' but found 'string'\n | [?self] == []\n | ..^"],
    ["self.matches('(?=a)')", "ERROR: <input>:1:14: invalid matches argument\n | self.matches('(?=a)')\n | .............^"],
    ["authorizer.group('').resource('pods').check('get').allowed()", "ERROR: <input>:1:1: undeclared reference to 'authorizer' (in container '')\n | authorizer.group('').resource('pods').check('get').allowed()\n | ^"],
  ]; // prettier-ignore
  test.each(rows)('%s', (expression, text) => {
    expect(why(expression)).toBe(text);
  });
});
