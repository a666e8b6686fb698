import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

interface Report {
  readonly runs: number;
  readonly huge: number;
  readonly p99: number;
  readonly bytesEach: number;
}

async function listed(count: number): Promise<Report> {
  const program = resolve(import.meta.dirname, 'large-list.child.test-support.ts');
  const flags = ['--expose-gc', '--conditions=@kilter/source'];
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, program, String(count)]);
  return JSON.parse(stdout) as Report;
}

/** What docs/performance.md tells users to reckon with. */
function documentedBytes(): number {
  const text = readFileSync(resolve(import.meta.dirname, '../../../../docs/performance.md'), 'utf8');
  const found = /about (?<bytes>[\d,]+) bytes of RSS per object of 1 KB/.exec(text)?.groups?.['bytes'];
  if (found === undefined) throw new Error('docs/performance.md does not say what an object takes');
  return Number(found.replaceAll(',', ''));
}

// CPU of the thread itself, with threefold slack as for all real processes. Other programs can still make a turn look longer (a shared core, a
// host that takes its time), never shorter: the best of three counts, and whoever holds the loop up does so in all of them.
test('B-26, B-44: a list of 150,000 objects, one of 1.5 MB: memory as documented, the event loop gets its turn while they arrive and run', async () => {
  const count = 150_000;
  const within = (report: Report): boolean => report.p99 < 3 * 50 && report.bytesEach < documentedBytes() * 1.3;
  const reports = [await listed(count)];
  while (reports.length < 3 && !reports.some(within)) reports.push(await listed(count));
  for (const { runs, huge } of reports) expect({ runs, huge }).toEqual({ runs: count, huge: 1.5 * 1024 * 1024 });
  expect(reports).toContainEqual(expect.toSatisfy(within));
}, 300_000);
