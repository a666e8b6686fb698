import { randomInt } from 'node:crypto';
import { forget } from './exchange.ts';
import type { Servers } from './server.ts';
import { readServed, type ServedWorlds } from './servers-file.ts';
import type { Worlds } from './worlds.ts';

/** Names nobody else on a shared server has. */
export const freshRun = (): string => Array.from({ length: 4 }, () => 'bcdfghjklmnpqrst'[randomInt(16)]).join('');

const worldsOf = ({ versions, worlds }: ServedWorlds): Worlds => ({
  versions,
  of: (world) => Promise.resolve(worlds[world]),
  stop: async () => {
    for (const server of Object.values(worlds)) forget(server);
  },
});

/** The servers of `--serve` where they run, else some of our own. */
export async function realServers(): Promise<Servers> {
  const served = readServed();
  const worlds = served === undefined ? await (await import('./worlds.ts')).startWorlds() : worldsOf(served);
  return {
    name: 'real',
    // Most of a case is waiting: the server sleeps for two seconds at the first write after a definition.
    width: 8,
    run: freshRun(),
    versions: worlds.versions,
    take: async (world) => ({ ...(await worlds.of(world)), [Symbol.asyncDispose]: () => Promise.resolve() }),
    [Symbol.asyncDispose]: () => worlds.stop(),
  };
}
