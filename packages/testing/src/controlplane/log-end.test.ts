import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { LogFile, olderHalf } from './guardian/log-file.ts';
import { lastLines, logEnd, logInWords } from './log-end.ts';

const folder = mkdtempSync(join(tmpdir(), 'kilter-log-end-'));
afterAll(() => rmSync(folder, { recursive: true }));

describe('the end of a log', () => {
  test('is the whole of a short one', () => {
    writeFileSync(join(folder, 'short.log'), 'a\nb\n');
    expect(logEnd(join(folder, 'short.log'))).toBe('a\nb');
  });

  test('has whole lines where it is longer', () => {
    writeFileSync(join(folder, 'long.log'), Array.from({ length: 100 }, (_, n) => `line ${n}\n`).join(''));
    expect(logEnd(join(folder, 'long.log'), 24)).toBe('line 98\nline 99');
  });

  test('is cut where one line is endless', () => {
    const end = lastLines(`first\n${'x'.repeat(5000)}`, 8000);
    expect(end).toBe(`first\n${'x'.repeat(1000)} …`);
    expect(lastLines('x'.repeat(100), 100)).toBe('x'.repeat(100));
  });

  test('is nothing where there is no log, and is said so', () => {
    expect(logEnd(join(folder, 'none.log'))).toBe('');
    expect(logInWords('etcd', '')).toContain('wrote nothing');
    expect(logInWords('etcd', 'boom')).toContain('the end of its log:\nboom');
  });
});

describe('a log file', () => {
  test('never grows beyond two halves, and keeps the last of what was written', () => {
    const path = join(folder, 'turning.log');
    const log = new LogFile(path, 100);
    for (let n = 0; n < 1000; n += 1) log.write(Buffer.from(`${String(n).padStart(9, '0')}\n`));
    log.close();
    const kept = logEnd(path, 100_000).split('\n').map(Number);
    expect(kept.at(-1)).toBe(999);
    expect(kept.length).toBeLessThanOrEqual(20);
    expect(kept).toEqual(kept.map((_, index) => 1000 - kept.length + index));
    expect(existsSync(olderHalf(path))).toBe(true);
  });

  test('shows what led there when it was turned a moment ago', () => {
    const path = join(folder, 'turned.log');
    const log = new LogFile(path, 10);
    log.write(Buffer.from('the cause is here\n'));
    log.write(Buffer.from('bye\n'));
    log.close();
    expect(logEnd(path)).toBe('the cause is here\nbye');
  });
});
