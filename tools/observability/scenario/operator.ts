// One of the three operators that are scraped. It ends with the program that started it.
import process from 'node:process';
import { controller, operator, validating } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { systemRuntime } from 'kilter/runtime';
import { Job } from './job.ts';

process.stdin.on('end', () => process.exit(3)).on('error', () => process.exit(3));
process.stdin.resume();

// Replicas outside of a cluster have no Service in front of them: one of them is asked.
const [first, ...args] = process.argv.slice(2);
const register = first === 'registers';

const jobs = controller(Job)
  .concurrency(3)
  .owns(ConfigMap)
  .reconcile(async ({ metadata, spec }, ctx) => {
    if (spec.does === 'fail') throw new Error('told to fail');
    // Does not even listen to its signal.
    if (spec.does === 'hang') await new Promise(() => undefined);
    if (spec.does === 'dawdle') await systemRuntime.clock.sleep(2000);
    await ctx.apply(ConfigMap.fields({ name: metadata.name, data: { does: spec.does, turn: String(spec.turn) } }));
    await ctx.status({ turn: spec.turn });
  });

await operator({
  name: 'jobs',
  controllers: [jobs],
  webhooks: [validating(Job, { failurePolicy: 'Ignore' }, () => undefined)],
  webhookServer: { address: '127.0.0.1:0', url: 'https://127.0.0.1', register, certificates: { leafLifetime: '144h' } },
  leaderElection: { retryPeriod: '1s' },
}).run({ args });
process.exit(process.exitCode ?? 0);
