// Run as its own program: a replica that writes all the time while it leads, and does what a Thing tells it to do.
import process from 'node:process';
import { controller, operator, requeueAfter } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { Thing } from '../thing.test-support.ts';

const [name = '', seconds = '15', ...args] = process.argv.slice(2);
// It ends with the test that started it, however that one ends.
process.stdin.on('end', () => process.exit(3)).on('error', () => process.exit(3));
process.stdin.resume();
process.stdin.unref?.();

const kept: number[][] = [];
const deeds: Record<string, () => void> = {
  busy: () => {
    for (;;);
  },
  memory: () => {
    for (;;) kept.push(Array.from({ length: 100_000 }, (_, i) => i + kept.length));
  },
  // In the middle of a run: what it writes next is the first thing the process does when it continues.
  stop: () => void process.kill(process.pid, 'SIGSTOP'),
  reject: () => void Promise.reject(new Error('nobody awaits this')),
  throw: () =>
    void setTimeout(() => {
      throw new Error('nobody catches this');
    }),
};

const duration = Number(seconds) * 1000;
let count = 0;
const given = operator({
  name: 'replicas',
  leaderElection: { leaseDuration: duration, renewDeadline: (duration * 2) / 3, retryPeriod: (duration * 2) / 15 },
  gracefulStop: '20s',
  controllers: [
    controller(Thing)
      .writes(ConfigMap)
      .reconcile(async ({ spec, metadata }, ctx) => {
        // Told to one of them: the others do not follow it.
        if (spec.values[name] !== undefined) deeds[spec.values[name]]?.();
        count += 1;
        await ctx.client.patch(
          ConfigMap,
          { name: 'beat', namespace: metadata.namespace ?? '' },
          { data: { by: name, count: String(count) } },
        );
        return requeueAfter('100ms', 'again');
      }),
  ],
});
await given.run({ args });
process.exit(process.exitCode ?? 0);
