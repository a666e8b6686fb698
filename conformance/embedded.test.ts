// Every case on the embedded server, beside what a real one answered.
import { afterAll, describe, expect, test } from 'vitest';
import { cases } from './cases/index.ts';
import { embeddedServers } from './src/embedded.ts';
import { examine, goldenOf, judge } from './src/judge.ts';
import { knownDifferences, surprise } from './src/known.ts';
import { details } from './src/report.ts';

const known = new Map(knownDifferences().map((entry) => [entry.case, entry]));
const servers = embeddedServers();
afterAll(() => servers[Symbol.asyncDispose]());

describe.concurrent('on the embedded server', () => {
  for (const testCase of cases) {
    const { id, shows, title } = testCase;
    const entry = known.get(id);
    // A statement is not held by a case that differs: such a title names none.
    const name =
      entry === undefined ? `${shows.join(', ')}: ${title} (${id})` : `known difference ${id}: ${entry.reason}`;
    test(`${name}`, async () => {
      const verdict = judge(await examine(testCase, servers, { differs: entry !== undefined }), goldenOf(testCase));
      expect(surprise(verdict, entry), details(verdict)).toBeUndefined();
    });
  }
});
