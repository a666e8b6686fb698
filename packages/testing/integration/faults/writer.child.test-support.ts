// Run as its own program: a replica that has writes under way at every moment of its reign.
import process from 'node:process';
import { controller, operator, requeueAfter } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { Thing } from '../thing.test-support.ts';

const [identity = '', seconds = '3', ...args] = process.argv.slice(2);
// It ends with the test that started it, however that one ends.
process.stdin.on('end', () => process.exit(3)).on('error', () => process.exit(3));
process.stdin.resume();
process.stdin.unref?.();

// More than one write of the loop carries away.
const filler = 'x'.repeat(4000);
let count = 0;
const duration = Number(seconds) * 1000;
const given = operator({
  name: 'writers',
  leaderElection: {
    identity,
    leaseDuration: duration,
    renewDeadline: (duration * 2) / 3,
    retryPeriod: (duration * 2) / 15,
  },
  // With so short a lease a busy machine would look like a loop that is stuck.
  watchdog: false,
  controllers: [
    // Its processes die young, all of them: nobody is to be suspected of it.
    controller(Thing, { quarantine: false })
      .writes(ConfigMap)
      .concurrency(16)
      .reconcile(async ({ metadata: { name, namespace } }, ctx) => {
        count += 1;
        const data = { by: identity, count: String(count), filler };
        await ctx.client.patch(ConfigMap, { name, namespace }, { data });
        return requeueAfter('5ms', 'again');
      }),
  ],
});
await given.run({ args });
process.exit(process.exitCode ?? 0);
