import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

const isLog = (name: string): boolean => /\.log(\.older)?$/.test(name);

/** Removes the folder, or, where logs are to be kept, all in it that is none: keys and data never stay. */
export function removeFolder(folder: string, keepLogs: boolean): void {
  if (!keepLogs) {
    // Files of a server that has just ended may still be closing on some systems.
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    return;
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile() && !isLog(entry.name)) rmSync(join(entry.parentPath, entry.name), { force: true });
  }
}
