// Idle watches: what they add to the memory of a process that has already spoken to the server.
import { setTimeout as sleep } from 'node:timers/promises';
import { open } from './clients.mjs';

const [, , which, kubeconfig, count] = process.argv;
const client = await open(which, kubeconfig, {});
await client.get();
await client.lease();
await sleep(500);
const before = process.memoryUsage.rss();
let lost = 0;
await Promise.all(Array.from({ length: Number(count) }, (_, index) => client.watch(index, () => (lost += 1))));
process.send('opened');
process.on('message', () => void measure());

async function measure() {
  // Renewals and requests go on beside watches.
  await client.lease();
  await client.get();
  await sleep(1000);
  process.send({ added: process.memoryUsage.rss() - before, lost });
}
