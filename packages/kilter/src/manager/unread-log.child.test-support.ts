// Run as its own program: an operator that says something all the time.
import { systemClock } from '../internal/index.ts';
import { operator } from './operator.ts';
import { part } from './part.ts';

const talker = part('talker', { on: 'everyReplica' }, async ({ signal, log }) => {
  let refused = 0;
  const talk = (): void => {
    log.info({}, 'still here');
    refused += process.stderr.errored === null ? 0 : 1;
    if (refused === 20) process.stdout.write('20 lines after the first\n');
    if (!signal.aborted) systemClock.timer(10, talk);
  };
  talk();
  await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
});
const addresses = { metricsAddress: '0', probeAddress: '0' };
await operator({ name: 'talker', parts: [talker], ...addresses }).run({ args: process.argv.slice(2) });
