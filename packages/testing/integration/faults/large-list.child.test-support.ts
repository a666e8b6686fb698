// Run as its own program: an operator lists many objects and one huge one, page by page, and then runs each of them.
import { setImmediate as turn } from 'node:timers/promises';
import { controller, operator } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { inMemory, systemRuntime } from 'kilter/runtime';

const count = Number(process.argv[2]);
const hugeSize = 1.5 * 1024 * 1024;
const encoder = new TextEncoder();
const padding = 'x'.repeat(800);
const object = (i: number): string =>
  `{"metadata":{"name":"config-${i}","namespace":"team-${i % 100}","uid":"uid-${i}","resourceVersion":"${i + 1}"},"data":{"text":"${i === 0 ? 'y'.repeat(hugeSize) : padding}","index":"${i}"}}`;

/** One page, as a server answers that honours `limit`. */
async function* page(query: URLSearchParams): AsyncGenerator<Uint8Array> {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(count, from + Number(query.get('limit') ?? count));
  const token = to < count ? `,"continue":"${to}"` : '';
  const metadata = `{"resourceVersion":"${count}"${token}}`;
  const items = Array.from({ length: to - from }, (_, i) => object(from + i)).join(',');
  await turn();
  yield encoder.encode(`{"kind":"ConfigMapList","apiVersion":"v1","metadata":${metadata},"items":[${items}]}`);
}

function silence(signal: AbortSignal): AsyncIterable<Uint8Array> {
  const left = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
  return { [Symbol.asyncIterator]: () => ({ next: () => left.then(() => ({ done: true, value: undefined })) }) };
}

const refusal = { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Invalid', code: 422, message: 'old' };
async function* refused(): AsyncGenerator<Uint8Array> {
  yield encoder.encode(JSON.stringify(refusal));
}
const connection = inMemory(async ({ method, path, signal }) => {
  const query = new URL(path, 'http://server').searchParams;
  const headers = { 'content-type': 'application/json' };
  // Questions about rights, and Events.
  if (method !== 'GET') return { status: 201, headers, body: refused() };
  if (query.has('sendInitialEvents')) return { status: 422, headers, body: refused() };
  return { status: 200, headers, body: query.has('watch') ? silence(signal) : page(query) };
});

/** Milliseconds of CPU that this thread used from one look to the next: what other programs do is not in it. */
const turns: number[] = [];
let spent = process.threadCpuUsage();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(spent);
  spent = process.threadCpuUsage();
  turns.push((user + system) / 1000);
}, 1);

const finished = Promise.withResolvers<void>();
let runs = 0;
let huge = 0;
const settled = controller(ConfigMap).reconcile(async (config) => {
  runs += 1;
  huge = Math.max(huge, config.data?.['text']?.length ?? 0);
  if (runs === count) finished.resolve();
});
const quiet = (): void => undefined;
const logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  child: () => logger,
  isLevelEnabled: () => false,
};
const before = process.memoryUsage().rss;
const given = operator({ name: 'large', logger, controllers: [settled], leaderElection: false });
const manager = await given.start({ connection, runtime: systemRuntime });
await finished.promise;
// A turn that is still under way counts too.
await new Promise((resolve) => setTimeout(resolve, 50));
globalThis.gc?.();
const rss = process.memoryUsage().rss - before;
// By time and not by number: one turn of a second is met by all that happens in that second.
turns.sort((a, b) => a - b);
let left = 0.99 * turns.reduce((sum, one) => sum + one, 0);
const p99 = turns.find((one) => (left -= one) <= 0);
await manager.stop();
process.stdout.write(JSON.stringify({ runs, huge, p99, longest: turns.at(-1), bytesEach: rss / count }));
process.exit();
