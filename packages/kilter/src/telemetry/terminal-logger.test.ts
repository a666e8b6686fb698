import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import type { Logger } from './logger.ts';
import { asLogger, missingMethod, type PlainLogger } from './plain-logger.ts';
import { terminalLogger, type TerminalLoggerOptions } from './terminal-logger.ts';

function terminal(options: Partial<TerminalLoggerOptions> = {}) {
  const out: string[] = [];
  const log = terminalLogger({ write: (line) => out.push(line), now: () => 0, ...options });
  // The time is that of the zone the test runs in.
  return { log, lines: () => out.map((line) => line.replace(/^(\S*)\d\d:\d\d:\d\d\.\d{3}(\S*)/, '$1TIME$2')) };
}

const run = {
  controller: 'webapp',
  controllerGroup: 'example.com',
  controllerKind: 'WebApp',
  WebApp: { namespace: 'default', name: 'shop' },
  namespace: 'default',
  name: 'shop',
  reconcileID: 'abc',
};

describe('LG-2: log lines at a terminal', () => {
  test('say when, how bad, about what, what happened and what else is known', () => {
    const { log, lines } = terminal();
    log.info('caches are synced');
    log.child(run).info({ image: 'nginx:1.27', size: { a: 1 }, words: 'two words', none: undefined }, 'looked at');
    log.child({ part: 'sweeper' }).warn({ error: 'no room' }, 'it failed');
    expect(lines()).toEqual([
      'TIME  INFO   caches are synced',
      'TIME  INFO   webapp default/shop  looked at  image=nginx:1.27 size={"a":1} words="two words"',
      'TIME  WARN   sweeper  it failed: no room',
    ]);
  });

  test('a failure is one line; its stack, and those of its causes, come on request', () => {
    const err = new Error('outer', { cause: new TypeError('inner') });
    const brief = terminal();
    brief.log.child(run).error({ err, next: 'in 1 s' }, 'the run failed');
    expect(brief.lines()).toEqual(['TIME  ERROR  webapp default/shop  the run failed: outer: inner  next="in 1 s"']);
    const full = terminal({ stacks: true });
    full.log.child(run).error({ err }, 'the run failed');
    const [first, second, ...rest] = (full.lines()[0] ?? '').split('\n');
    expect(first).toBe('TIME  ERROR  webapp default/shop  the run failed: outer: inner');
    expect(second).toMatch(/^ {4}at .*terminal-logger\.test\.ts/);
    expect(rest.join('\n')).toContain('\n    caused by inner\n    at ');
  });

  test('C-16: whatever is in a name or a message, it stays one line and does nothing to the terminal', () => {
    const { log, lines } = terminal();
    const bad = 'a\nb\u001b[31mc\u0000\u2028';
    log
      .child({ controller: 'webapp', namespace: bad, name: bad })
      .error({ err: new Error(bad), field: bad, [bad]: 1 }, bad);
    const [line = ''] = lines();
    // oxlint-disable-next-line no-control-regex -- they are what is looked for
    expect(line).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/);
    expect(line).toContain('\\u000ab\\u001b[31mc\\u0000\\u2028');
  });

  test('lines below the level are left out; long values are cut; circles harm nobody', () => {
    const { log, lines } = terminal({ level: 'warn' });
    log.info('no');
    expect([log.isLevelEnabled?.('info'), log.isLevelEnabled?.('error')]).toEqual([false, true]);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    log.warn({ long: 'x'.repeat(1000), circle, big: 1n }, 'm');
    expect(lines()).toEqual([
      `TIME  WARN   m  long=${'x'.repeat(200)}… circle="(cannot be written)" big="1"`.replace(
        '"(cannot be written)"',
        '(cannot be written)',
      ),
    ]);
  });

  test('colours only where they are asked for', () => {
    const { log, lines } = terminal({ colors: true });
    log.error({ a: 1 }, 'm');
    expect(lines()[0]).toContain('\u001b[31mERROR\u001b[0m  m  \u001b[2ma=1\u001b[0m');
  });
});

describe('LG-1: loggers as they are', () => {
  test('pino', () => {
    const out: string[] = [];
    const stream = new Writable({
      write(chunk: Buffer, _, done) {
        out.push(...chunk.toString().trim().split('\n'));
        done();
      },
    });
    // The assignment is the promise: no cast.
    const given: Logger = pino({ level: 'info', base: null, timestamp: false }, stream);
    const log = asLogger(given).child({ controller: 'webapp' });
    log.info({ a: 1 }, 'hello');
    log.warn('plain');
    log.debug('no');
    log.error({ err: new Error('x') }, 'failed');
    expect(out.map((line) => JSON.parse(line) as object)).toEqual([
      { level: 30, controller: 'webapp', a: 1, msg: 'hello' },
      { level: 40, controller: 'webapp', msg: 'plain' },
      { level: 50, controller: 'webapp', err: expect.objectContaining({ message: 'x' }), msg: 'failed' },
    ]);
    expect(log.isLevelEnabled?.('debug')).toBe(false);
  });

  test('the console, and what is like it: the message first, then the fields', () => {
    const calls: unknown[][] = [];
    const method =
      (level: string) =>
      (...data: unknown[]) =>
        void calls.push([level, ...data]);
    const given: PlainLogger = {
      debug: method('debug'),
      info: method('info'),
      warn: method('warn'),
      error: method('error'),
    };
    const log = asLogger(given);
    log.info('hello');
    log.child({ a: 1 }).child({ b: 2 }).warn({ c: 3 }, 'deep');
    log.child({ a: 1 }).error('text');
    log.debug({ only: 'fields' });
    expect(calls).toEqual([
      ['info', 'hello'],
      ['warn', 'deep', { a: 1, b: 2, c: 3 }],
      ['error', 'text', { a: 1 }],
      ['debug', '', { only: 'fields' }],
    ]);
    const accepted: PlainLogger = console;
    expect(missingMethod(accepted)).toBeUndefined();
  });

  test.each([
    [{}, 'debug'],
    [null, 'debug'],
    ['pino', 'debug'],
    [{ debug: () => undefined, info: () => undefined, error: () => undefined }, 'warn'],
  ])('what lacks a method is found out: %j', (given, method) => {
    expect(missingMethod(given)).toBe(method);
  });
});
