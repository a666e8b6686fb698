import { expect, test } from 'vitest';
import { help, parseArguments } from './arguments.ts';

test.each([
  [[], { act: 'install', force: false }],
  [['--force'], { act: 'install', force: true }],
  [['--dry-run'], { act: 'dry-run', force: false }],
  [['--dry-run', '--force'], { act: 'dry-run', force: true }],
  [['--print'], { act: 'print' }],
  [['--help'], { act: 'help' }],
  [['-h', '--force'], { act: 'help' }],
  [['--print', '--force'], { act: 'refuse', message: '--print cannot be combined with other flags' }],
  [['--forse'], { act: 'refuse', message: 'unknown argument --forse; there are --force, --dry-run, --print, --help' }],
  [
    ['--help', 'etcd'],
    { act: 'refuse', message: 'unknown argument etcd; there are --force, --dry-run, --print, --help' },
  ],
] as const)('%j', (args, request) => {
  expect(parseArguments(args)).toEqual(request);
});

test('the help names every flag', () => {
  for (const flag of ['--force', '--dry-run', '--print', '--help']) expect(help).toContain(flag);
});
