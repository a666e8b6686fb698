import { describe, expect, test } from 'vitest';
import { heard } from './build.ts';
import { closing, duration, nothingShown, show } from './display.ts';
import type { InstallEvent, Work } from './events.ts';

const place = { number: 2, of: 6 };
const started: InstallEvent = { type: 'started', binary: 'kubectl', place, why: 'missing' };
const built: InstallEvent = { type: 'built', binary: 'kubectl', place, result: { elapsed: 61_000, size: 5e7 } };

function building(elapsed: number, work: Partial<Work> = {}): InstallEvent {
  const all = { elapsed, downloaded: 0, compiled: 0, last: '', ...work };
  return { type: 'building', binary: 'kubectl', place, work: all };
}

function waiting(elapsed: number, owner: string): InstallEvent {
  return { type: 'waiting', elapsed, owner, text: `waits: it ${owner}` };
}

function output(events: readonly InstallEvent[], terminal: boolean, columns = 80): string[] {
  let shown = nothingShown;
  return events.map((event) => {
    const next = show(shown, event, { terminal, columns });
    shown = next.shown;
    return next.output;
  });
}

describe('without a terminal', () => {
  test('a line at the start and at the end, and one at least every thirty seconds', () => {
    const seconds = Array.from({ length: 100 }, (_, index) => building((index + 1) * 1000, { compiled: index }));
    const lines = output([started, ...seconds, built], false);
    expect(lines[0]).toBe('[2/6] kubectl: builds (missing)\n');
    expect(lines.at(-1)).toBe('[2/6] kubectl: built in 1 min 1 s, 48 MiB\n');
    const spoken = seconds.flatMap((_, index) => (lines[index + 1] === '' ? [] : [index + 1]));
    expect(spoken).toEqual([20, 40, 60, 80, 100]);
    expect(lines[20]).toBe('[2/6] kubectl: 20 s, 19 packages compiled\n');
  });

  test('each build counts for itself', () => {
    const lines = output([started, building(20_000), built, started, building(5000), building(20_000)], false);
    expect(lines.slice(-2)).toEqual(['', '[2/6] kubectl: 20 s\n']);
  });

  test('what another process does is said when it changes, and from time to time', () => {
    const lines = output(
      [waiting(0, 'a'), waiting(1000, 'a'), waiting(2000, 'b'), waiting(3000, 'b'), waiting(22_000, 'b')],
      false,
    );
    expect(lines).toEqual(['waits: it a (0 s)\n', '', 'waits: it b (2 s)\n', '', 'waits: it b (22 s)\n']);
  });

  test('no control characters', () => {
    const lines = output([started, building(30_000), built, { type: 'note', text: 'n' }], false);
    for (const control of ['\r', '\u001B']) expect(lines.join('')).not.toContain(control);
  });
});

describe('on a terminal', () => {
  test('one line for each binary, written over until it is done', () => {
    const lines = output([started, building(1000), building(2000, { downloaded: 3, last: 'k8s.io/api' }), built], true);
    expect(lines).toEqual([
      '[2/6] kubectl: builds (missing)',
      '\r\u001B[2K[2/6] kubectl: 1 s',
      '\r\u001B[2K[2/6] kubectl: 2 s, 3 modules downloaded, k8s.io/api',
      '\r\u001B[2K[2/6] kubectl: built in 1 min 1 s, 48 MiB\n',
    ]);
  });

  test('a failure ends the line, a note stands above it', () => {
    const failed: InstallEvent = { type: 'ended', binary: 'kubectl', place, elapsed: 2000, failed: true };
    expect(output([building(1000), failed], true)[1]).toBe('\r\u001B[2K[2/6] kubectl: failed after 2 s\n');
    expect(output([{ ...failed, failed: false }], false)).toEqual(['[2/6] kubectl: stopped after 2 s\n']);
    expect(output([{ type: 'note', text: 'hello' }], true)).toEqual(['hello\n']);
  });

  test('an unfinished line is closed before others write', () => {
    const { shown } = show(nothingShown, waiting(1000, 'builds'), { terminal: true, columns: 80 });
    expect(closing(shown)).toBe('\n');
    expect(closing(show(shown, built, { terminal: true, columns: 80 }).shown)).toBe('');
  });

  test('a line that does not fit is cut, as one that wraps could not be written over', () => {
    const [line] = output([building(1000, { last: 'x'.repeat(200) })], true, 40);
    expect(line).toHaveLength(39);
    expect(line?.endsWith('…')).toBe(true);
  });
});

test('what Go says is counted', () => {
  const none: Work = { elapsed: 0, downloaded: 0, compiled: 0, last: '' };
  const lines = [
    'go: downloading k8s.io/api v0.36.3',
    'fmt',
    'k8s.io/api/core/v1',
    'x.go:1:1: syntax error',
    '# k8s.io/api',
  ];
  const work = lines.reduce(heard, none);
  expect(work).toEqual({ elapsed: 0, downloaded: 1, compiled: 2, last: 'k8s.io/api/core/v1' });
});

test.each([
  [0, '0 s'],
  [59_400, '59 s'],
  [59_500, '1 min 0 s'],
  [257_000, '4 min 17 s'],
])('%d ms are %s', (milliseconds, words) => {
  expect(duration(milliseconds)).toBe(words);
});
