// A program for tests that starts two processes under guard, tells about them, and ends in the way it is asked to:
// node guarding.test-support.ts <way>. As a worker thread it tells its parent.
import { parentPort, workerData } from 'node:worker_threads';
import { systemRuntime } from 'kilter/runtime';
import { Guard, type Ward } from './guard.ts';

export interface Told {
  readonly guardian: number;
  readonly folder: string;
  readonly wards: readonly number[];
}

async function pidOf(ward: Ward): Promise<number> {
  while (ward.pid === undefined) await systemRuntime.clock.sleep(5);
  return ward.pid;
}

const way = parentPort === null ? process.argv[2] : (workerData as string);
const guard = await Guard.start({ keepLogs: false });
const order = { file: process.execPath, args: ['-e', 'setInterval(() => {}, 1000)'], folder: guard.folder };
const wards = ['a', 'b'].map((name) => guard.start({ ...order, log: `${guard.folder}/${name}.log` }));
const told: Told = { guardian: guard.pid, folder: guard.folder, wards: await Promise.all(wards.map(pidOf)) };
if (parentPort === null) process.stdout.write(`${JSON.stringify(told)}\n`);
else parentPort.postMessage(told);

if (way === 'exit') process.exit(3);
if (way === 'throw') {
  queueMicrotask(() => {
    throw new Error('as asked');
  });
}
// 'finish' does nothing more: neither the guardian nor its wards may keep the program running.
if (way === 'wait') await systemRuntime.clock.sleep(600_000);
