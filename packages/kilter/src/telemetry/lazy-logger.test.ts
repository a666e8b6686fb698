import { expect, test } from 'vitest';
import { lazyLogger } from './lazy-logger.ts';
import { jsonLogger } from './logger.ts';

test('a lazy logger is made once, with the first line, and writes what the one below it would', () => {
  const lines: unknown[] = [];
  let made = 0;
  const logger = lazyLogger(() => {
    made += 1;
    return jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0 }, { key: 'a' });
  });
  expect(made).toBe(0);
  logger.info('one');
  logger.warn({ n: 2 }, 'two');
  logger.error({ n: 3 }, 'three');
  logger.child({ more: true }).info('four');
  logger.debug('below the level');
  expect(made).toBe(1);
  expect([logger.isLevelEnabled?.('debug'), logger.isLevelEnabled?.('info')]).toEqual([false, true]);
  expect(lines).toEqual([
    { time: 0, level: 30, msg: 'one', key: 'a' },
    { time: 0, level: 40, msg: 'two', key: 'a', n: 2 },
    { time: 0, level: 50, msg: 'three', key: 'a', n: 3 },
    { time: 0, level: 30, msg: 'four', key: 'a', more: true },
  ]);
});
