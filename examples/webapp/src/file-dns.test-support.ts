import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dns } from './dns.ts';

/** A name server that several processes and their test look at: one file for each name. */
export function fileDns(folder: string): Dns {
  return {
    publish: async (name) => {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, name), '');
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
