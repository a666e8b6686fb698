// Loaded first by an operator under attack: tells its parent how much memory it has, and how long its event loop has been held up.
// By the processor time of the thread: a busy machine holds up nobody.
import { systemRuntime } from 'kilter/runtime';

export interface Reading {
  /** Resident memory, in bytes. */
  readonly memory: number;
  /** The longest time between two looks at the loop since the parent last said `collect`, in milliseconds. */
  readonly stall: number;
  /** Processor time of the thread so far, in milliseconds. */
  readonly spent: number;
  /** In the answer to `collect`: what a full collection leaves, in bytes. */
  readonly held?: number;
}

const { clock } = systemRuntime;
const spent = (): number => {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
};

let [last, stall] = [spent(), 0];

function collect(): void {
  if (globalThis.gc === undefined) throw new Error('the operator was not started with --expose-gc');
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  process.send?.({
    memory: process.memoryUsage.rss(),
    stall,
    spent: spent(),
    held: heapUsed + external,
  } satisfies Reading);
  [last, stall] = [spent(), 0];
}
process.on('message', collect);
process.channel?.unref();

function look(n: number): void {
  const now = spent();
  stall = Math.max(stall, now - last);
  if (n % 20 === 0) process.send?.({ memory: process.memoryUsage.rss(), stall, spent: now } satisfies Reading);
  last = spent();
  clock.timer(5, () => look(n + 1));
}
look(1);
