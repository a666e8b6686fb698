import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** Milliseconds of one tick of the kernel's counters: USER_HZ is 100 on every Linux there is. */
const tick = 10;

function childrenOf(pid: number): number[] {
  const tasks = `/proc/${pid}/task`;
  if (!existsSync(tasks)) return [];
  const lists = readdirSync(tasks).map((task) => readFileSync(`${tasks}/${task}/children`, 'latin1'));
  return lists.flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

/** A process with all that it has started; undefined where the kernel does not tell (other systems than Linux). */
export function processTree(pid: number): number[] | undefined {
  if (!existsSync('/proc/self/stat')) return undefined;
  const below = childrenOf(pid).flatMap((child) => processTree(child) ?? []);
  return [pid, ...below];
}

function cpuOf(pid: number): number {
  // The name of the program is in parentheses and may hold anything.
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * tick;
}

/** Milliseconds of CPU these processes have taken together since they began. */
export const cpuTime = (pids: readonly number[]): number => pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
