// Kilter's queue by itself: every key added, taken and done; the same again; then each added a second time.
import { say, since, task, used } from './protocol.mjs';

const dist = new URL('../../../packages/kilter/dist/', import.meta.url);
const { workQueue } = await import(new URL('queue/index.js', dist));
const { systemRuntime: runtime } = await import(new URL('internal/index.js', dist));
const { MetricsRegistry } = await import(new URL('telemetry/index.js', dist));
const refs = Array.from({ length: task.count }, (_, i) => ({ namespace: `team-${i % 100}`, name: `widget-${i}` }));
const cause = { type: 'added', kind: 'Widget' };
const queue = workQueue({ name: 'bench', runtime, metrics: new MetricsRegistry() });

async function cycle() {
  for (const ref of refs) queue.add(ref, cause);
  for (let i = 0; i < refs.length; i += 1) queue.done(await queue.take(), { type: 'forget' });
}

let start = used();
await cycle();
say({ at: 'cold', ...since(start) });
start = used();
await cycle();
say({ at: 'warm', ...since(start) });
for (const ref of refs) queue.add(ref, cause);
start = used();
for (const ref of refs) queue.add(ref, cause);
say({ at: 'duplicates', ...since(start) });
process.exit(0);
