// Reports what one import costs in a process that has loaded what kinds are made of.
import { memoryUsage } from 'node:process';

const [what = '', ...before] = process.argv.slice(2);
const load = (specifier) => import(specifier);

// The loader itself, and whatever else the first import of a process pays for.
await load('./empty.mjs?first');
for (const specifier of before) await load(specifier);

// For the figure of memory: otherwise it is chance which import is charged for the next page of the heap. It leaves the
// caches of the processor cold, and so is not done for the figure of time.
if (globalThis.gc !== undefined) {
  globalThis.gc();
  await new Promise((resolve) => setTimeout(resolve, 50));
}

const memory = memoryUsage.rss();
const cpu = process.cpuUsage();
await load(what);
const { user, system } = process.cpuUsage(cpu);
process.send({ cpu: (user + system) / 1000, rss: memoryUsage.rss() - memory });
process.disconnect();
