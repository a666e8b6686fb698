// GETs of one small object, one after the other or several at a time: time and CPU of the client's process.
import { open } from './clients.mjs';

const [, , which, kubeconfig, count, width] = process.argv;
const client = await open(which, kubeconfig);

async function ask(times) {
  let left = times;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await client.get();
    }
  };
  await Promise.all(Array.from({ length: Number(width) }, worker));
}

// Code is compiled and, where the client keeps them, connections are open before anything is measured.
await ask(Math.ceil(Number(count) / 10));
process.send('warm');
await new Promise((resolve) => process.once('message', resolve));
const cpu = process.cpuUsage();
const start = performance.now();
await ask(Number(count));
const ms = performance.now() - start;
const { user, system } = process.cpuUsage(cpu);
process.send({ ms, cpu: (user + system) / 1000 });
await client.close();
