// A control plane that stays up between runs (`npm run conformance -- --serve`): for writing cases.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { World } from './case.ts';
import type { Server } from './server.ts';

export interface ServedWorlds {
  readonly pid: number;
  readonly versions: { readonly kubernetes: string; readonly etcd: string };
  readonly worlds: Readonly<Record<World, Server>>;
}

const file = resolve(import.meta.dirname, '../../.kilter/conformance/servers.json');

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false; // Nobody has that number: what the file tells of is gone.
  }
}

export function readServed(): ServedWorlds | undefined {
  if (!existsSync(file)) return undefined;
  const served = JSON.parse(readFileSync(file, 'utf8')) as ServedWorlds;
  return isAlive(served.pid) ? served : undefined;
}

export function writeServed(served: ServedWorlds): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(served), { mode: 0o600 });
}

export const forgetServed = (): void => rmSync(file, { force: true });
