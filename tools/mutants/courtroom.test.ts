// Which failures speak against a mutant.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { Courtroom } from './courtroom.ts';
import { mutationsOf } from './operators.ts';

describe('a verdict', () => {
  /** One mutant, which turns a 1 into a 2, before a test. */
  async function verdictOf(test: string): Promise<string | undefined> {
    const folder = mkdtempSync(join(tmpdir(), 'kilter-mutants-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const source = 'export const f = () => 1;';
    const [file, tests] = [join(folder, 'f.ts'), join(folder, 'f.test.ts')];
    writeFileSync(file, source);
    writeFileSync(
      tests,
      `import { expect, test } from 'vitest';\nimport { f } from './f.ts';\nlet calls = 0;\n${test}`,
    );
    const mutants = mutationsOf(source).map((one) => ({ ...one, file, id: 1 }));
    expect(mutants.map(({ text }) => text)).toEqual(['2']);
    const court = new Courtroom({ mutants, sources: { [file]: source }, tests: [tests] }, folder);
    const verdict = await court.judge(1, [{ file: tests, nth: 0, ms: 3000 }]);
    court.close();
    return verdict.failure;
  }

  test.each([
    ['a test that notices it', "test('t', () => expect(f()).toBe(1));", 'expected 2 to be 1'],
    ['one that does not', "test('t', () => expect(f()).toBeGreaterThan(0));", undefined],
    [
      'one that fails now and then',
      "test('t', () => { calls += 1; if (calls === 1) throw new Error('flaky'); });",
      undefined,
    ],
    ['one that always fails', "test('t', () => { throw new Error('broken'); });", undefined],
    [
      'one that does not end now and then',
      "test('t', () => (calls += 1) > 1 || new Promise(() => undefined));",
      undefined,
    ],
  ])('is that of %s', { timeout: 60_000 }, async (_, body, failure) => {
    const found = await verdictOf(body);
    if (failure === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(failure);
  });
});
