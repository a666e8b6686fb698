import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { apiError, ModelServer, thing } from './model-server.test-support.ts';
import { reflected } from './reflector.test-support.ts';

describe('RF-31: who comes back to a server asks whether it has the version held', () => {
  const tooLarge = apiError(504, 'Timeout', [{ reason: 'ResourceVersionTooLarge' }]);

  test('after a break and after an early end, once; not after a time-out', async () => {
    const server = new ModelServer();
    const asked: string[] = [];
    const { reflector, clock } = reflected(server, { confirm: async (version) => void asked.push(version) });
    reflector.start();
    await clock.advance(2000);
    server.put(thing('a'));
    await clock.settle();
    server.close();
    await clock.advance(2000);
    expect(asked).toEqual(['101']);
    server.put(thing('b'));
    await clock.settle();
    server.break(new KilterError('TRANSPORT_CONNECTION_LOST', 'lost'));
    await clock.advance(5000);
    expect(asked).toEqual(['101', '102']);
    const { timeoutSeconds = 0 } = server.requests.at(-1) ?? {};
    await clock.advance(timeoutSeconds * 1000 - 5000);
    server.close();
    await clock.advance(2000);
    expect(server.open()).toHaveLength(1);
    expect(asked).toEqual(['101', '102']);
    await reflector.stop();
  });

  test('a version it does not have is a re-sync; an answer that says nothing is asked for again', async () => {
    const server = new ModelServer();
    server.put(thing('a'));
    const answers: unknown[] = [new Error('no answer'), tooLarge];
    const { reflector, clock, log } = reflected(server, { confirm: () => Promise.reject(answers.shift() as Error) });
    reflector.start();
    await clock.advance(2000);
    server.close();
    await clock.advance(9000);
    expect([answers.length, server.requests.length]).toEqual([1, 2]);
    await clock.advance(5000);
    expect(answers).toEqual([]);
    expect(server.requests.at(-1)).toMatchObject({ verb: 'watch', sendInitialEvents: true });
    expect(log.filter((line) => line.startsWith('replace'))).toHaveLength(2);
    await reflector.stop();
    expect(clock.pending).toBe(0);
  });
});
