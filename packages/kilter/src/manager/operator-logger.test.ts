import { afterEach, expect, test, vi } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { operatorLogger } from './operator-logger.ts';

const { stderr } = process;
const { isTTY } = stderr;

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  Object.defineProperty(stderr, 'isTTY', { value: isTTY, configurable: true });
});

/** What a line looks like, and whether it has colours. */
function lookOf(how: { terminal: boolean; format?: 'auto' | 'json' | 'text'; noColor?: string }): string {
  const written: string[] = [];
  vi.spyOn(stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  Object.defineProperty(stderr, 'isTTY', { value: how.terminal, configurable: true });
  vi.stubEnv('NO_COLOR', how.noColor ?? '');
  operatorLogger(undefined, { runtime: virtualRuntime(), format: how.format }).info({ a: 1 }, 'hello');
  vi.restoreAllMocks();
  const [line = ''] = written;
  if (line.startsWith('{')) return 'json';
  return line.includes('\u001b[') ? 'text in colours' : 'text';
}

test.each([
  [{ terminal: true }, 'text in colours'],
  [{ terminal: false }, 'json'],
  [{ terminal: true, noColor: '1' }, 'text'],
  [{ terminal: true, format: 'json' }, 'json'],
  [{ terminal: false, format: 'text' }, 'text'],
] as const)('LG-2: with %j a log line is %s', (how, look) => {
  expect(lookOf(how)).toBe(look);
});

test('LG-2: lines of debug are written where they are asked for, and not by default', () => {
  const levels = (level?: 'debug' | 'warn'): string[] => {
    const written: string[] = [];
    vi.spyOn(stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
    const logger = operatorLogger(undefined, { runtime: virtualRuntime(), format: 'json', level });
    for (const one of ['debug', 'info', 'warn', 'error'] as const) logger[one]('hello');
    vi.restoreAllMocks();
    return written.map((line) => String((JSON.parse(line) as { level: unknown }).level));
  };
  expect(levels()).toEqual(['30', '40', '50']);
  expect(levels('debug')).toEqual(['20', '30', '40', '50']);
  expect(levels('warn')).toEqual(['40', '50']);
});
