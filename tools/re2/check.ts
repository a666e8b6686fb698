// node tools/re2/check.ts [--write]: whether the names and patterns that Kilter takes for RE2's are taken by Go's regexp. Needs Go.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { re2Fault, toRe2 } from '../../packages/kilter/src/crd/pattern.ts';

const file = fileURLToPath(new URL('../../packages/kilter/src/crd/re2-names.ts', import.meta.url));
const program = fileURLToPath(new URL('main.go', import.meta.url));

/** Patterns that read alike in both, with what they are to match. */
const patterns = [
  ...['^a$', '\\s', '\\S', '[\\s\\S]', '[^\\s]', '\\d\\D\\w\\W', '\\bA\\B', '[\\d-z]', '[^\\n]', '\\x41', '\\0'],
  ...['\\p{L}', '\\P{Lu}', '[\\p{N}_]', '(?<n>a)', '(?:a|b)+?', 'a{2,3}', 'a{,5}', '\\/\\-\\.', '[a-]', '()', 'a||b'],
];
const texts = [
  '',
  'a',
  'A',
  'aa',
  '1',
  '_',
  ' ',
  '\t',
  '\v',
  '\u00a0',
  '\u2028',
  '\ufeff',
  'é',
  'É',
  '-',
  '/',
  'x0',
  '\0',
];

interface Answer {
  readonly names: readonly string[];
  readonly matches: readonly (readonly boolean[] | null)[];
}

const input = JSON.stringify({ patterns: patterns.map(toRe2), texts });
const answer = JSON.parse(execFileSync('go', ['run', program], { input, encoding: 'utf8' })) as Answer;

const differences = patterns.flatMap((pattern, i) => {
  const expression = new RegExp(pattern, /\\p\{/i.test(pattern) ? 'u' : '');
  const said = answer.matches[i] ?? undefined;
  if (re2Fault(pattern) !== undefined) return [`${pattern}: Kilter refuses it`];
  if (said === undefined) return [`${pattern}: Go refuses it`];
  const wrong = texts.filter((text, nth) => expression.test(text) !== said[nth]);
  return wrong.map((text) => `${pattern}: differs for ${JSON.stringify(text)}`);
});

const before = readFileSync(file, 'utf8');
const names = answer.names.join(' ').match(/.{1,110}(?: |$)/g) ?? [];
const literal = names.map((line) => `  '${line}'`).join(' +\n');
const after = before.replace(/const text =\n[^;]*;/, `const text =\n${literal};`);
const isStale = after.replaceAll(/[\s'+]/g, '') !== before.replaceAll(/[\s'+]/g, '');
if (isStale && process.argv.includes('--write')) writeFileSync(file, after);
else if (isStale) differences.push('re2-names.ts is not what Go knows: node tools/re2/check.ts --write');
for (const difference of differences) console.error(difference);
console.log(`${patterns.length} patterns, ${answer.names.length} names, ${differences.length} differences`);
process.exitCode = differences.length === 0 ? 0 : 1;
