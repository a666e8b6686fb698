import { expect, test } from 'vitest';
import { ModelServer, thing } from './model-server.test-support.ts';
import { reflected } from './reflector.test-support.ts';

test('B-26: a watch that has a thousand events at hand gives the event loop its turn between them', async () => {
  const server = new ModelServer();
  const { reflector, clock, log } = reflected(server);
  reflector.start();
  await clock.settle();
  for (let i = 0; i < 1000; i += 1) server.put(thing(`a${i}`));
  await new Promise((resolve) => setImmediate(resolve));
  const inOneTurn = log.filter((line) => line.startsWith('ADDED')).length;
  expect(inOneTurn).toBeLessThan(1000);
  await clock.settle();
  expect(log.filter((line) => line.startsWith('ADDED'))).toHaveLength(1000);
  await reflector.stop();
});
