import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { afterFailedStart, freePorts } from './free-port.ts';

describe('what follows when a server ended at its start', () => {
  const busy = 'failed to listen on 127.0.0.1:6443: listen tcp 127.0.0.1:6443: bind: address already in use';
  test.each([
    ['its port was lost: another one', { attempt: 1, choosable: true, log: busy }, 'retry'],
    ['lost for the fourth time: once more', { attempt: 4, choosable: true, log: busy }, 'retry'],
    ['lost for the fifth time: somebody takes them all', { attempt: 5, choosable: true, log: busy }, 'taken'],
    ['the port was given: there is no other', { attempt: 1, choosable: false, log: busy }, 'taken'],
    [
      'as Windows says it',
      { attempt: 1, choosable: true, log: 'bind: Only one usage of each socket address is normally permitted.' },
      'retry',
    ],
    ['anything else', { attempt: 1, choosable: true, log: 'unknown flag: --x' }, 'failed'],
    ['not a word', { attempt: 1, choosable: true, log: '' }, 'failed'],
  ] as const)('%s', (_, start, expected) => {
    expect(afterFailedStart(start)).toBe(expected);
  });
});

test('free ports are distinct, and can be listened on', async () => {
  const ports = await freePorts(5);
  expect(new Set(ports).size).toBe(5);
  for (const port of ports) {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    server.close();
  }
});
