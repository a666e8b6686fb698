import { describe, expect, test } from 'vitest';
import { parseOptions } from './arguments.ts';

describe('the arguments', () => {
  test('have defaults', () => {
    expect(parseOptions([])).toMatchObject({ server: 'embedded', repeat: 1, record: false, write: false });
  });
  test('are read', () => {
    expect(parseOptions(['--server', 'real', '--record', '--repeat', '5', '--seed=-3'])).toMatchObject({
      server: 'real',
      record: true,
      repeat: 5,
      seed: -3,
    });
  });
  test.each([
    [['--server', 'other'], '--server other: give embedded or real'],
    [['--record'], '--record needs --server real'],
    [['--write', '--server', 'real'], '--write is about the embedded server'],
    [['--all'], '--all needs --random'],
    [['--repeat', '0'], '--repeat 0: give a whole number from 1'],
    [['--random', 'many'], '--random many: give a whole number'],
    [['--nonsense'], "Unknown option '--nonsense'"],
  ])('%j is refused with a reason', (args, message) => {
    expect(() => parseOptions(args)).toThrow(message);
  });
});
