// Kilter's queue by itself: every key added, taken and done; the same again; then each added a second time.
import { say, since, task, used } from './protocol.mjs';

const dist = new URL('../../../packages/kilter/dist/', import.meta.url);
const { workQueue } = await import(new URL('queue/index.js', dist));
const { systemRuntime: runtime } = await import(new URL('internal/index.js', dist));
const { MetricsRegistry } = await import(new URL('telemetry/index.js', dist));
// As the cache hands them over: with their numbers, and whole strings, not pieces that are joined by the first look.
const keys = Array.from({ length: task.count }, (_, number) => ({
  key: Buffer.from(`team-${number % 100}/widget-${number}`).toString('latin1'),
  number,
}));
const cause = { source: 'primary', change: 'update', kind: 'Widget' };
const forget = { type: 'forget' };
const queue = workQueue({ name: 'bench', runtime, metrics: new MetricsRegistry() });

/** As triggers do: they ask now and then whether the event loop is to have its turn. Here it never gets one. */
function addAll() {
  for (const [i, key] of keys.entries()) {
    if (i % 64 === 0) runtime.clock.pause();
    queue.add(key, cause);
  }
}

async function cycle() {
  addAll();
  // As workers do, who ask before each key, and once more when it has run.
  for (let i = 0; i < keys.length; i += 1) {
    runtime.clock.pause();
    const work = queue.takeReady() ?? (await queue.take());
    runtime.clock.monotonic();
    queue.done(work, forget);
  }
}

let start = used();
await cycle();
say({ at: 'cold', ...since(start) });
start = used();
await cycle();
say({ at: 'warm', ...since(start) });
addAll();
start = used();
addAll();
say({ at: 'duplicates', ...since(start) });
process.exit(0);
