// Kilter's queue by itself: every key added, taken and done; the same again; then each added a second time.
import { say, since, task, used } from './protocol.mjs';

const dist = new URL('../../../packages/kilter/dist/', import.meta.url);
const { workQueue } = await import(new URL('queue/index.js', dist));
const { systemRuntime: runtime } = await import(new URL('internal/index.js', dist));
const { MetricsRegistry } = await import(new URL('telemetry/index.js', dist));
// As the cache hands them over: whole strings, not pieces that are joined by the first look.
const keys = Array.from({ length: task.count }, (_, i) =>
  Buffer.from(`team-${i % 100}/widget-${i}`).toString('latin1'),
);
const cause = { source: 'primary', change: 'update', kind: 'Widget' };
const queue = workQueue({ name: 'bench', runtime, metrics: new MetricsRegistry() });

async function cycle() {
  for (const key of keys) queue.add(key, cause);
  // As workers take them.
  for (let i = 0; i < keys.length; i += 1) queue.done(queue.takeReady() ?? (await queue.take()), { type: 'forget' });
}

let start = used();
await cycle();
say({ at: 'cold', ...since(start) });
start = used();
await cycle();
say({ at: 'warm', ...since(start) });
for (const key of keys) queue.add(key, cause);
start = used();
for (const key of keys) queue.add(key, cause);
say({ at: 'duplicates', ...since(start) });
process.exit(0);
