import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { controlPlane, findBinaries } from '@kilter/testing';
import { processTree } from './process-cpu.ts';
import { type Address, addressIn } from './wire.ts';

export interface Contestant extends AsyncDisposable {
  readonly name: string;
  readonly address: Address;
  /** All processes it consists of; undefined where the system does not tell. */
  readonly processes: readonly number[] | undefined;
}

const command = new URL('../../packages/apiserver/src/command.ts', import.meta.url);

/** The command of @kilter/apiserver, its own process as the real server is. */
export async function embedded(): Promise<Contestant> {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-bench-'));
  const file = join(folder, 'kubeconfig');
  const flags = ['--conditions=@kilter/source', command.pathname, '--no-workloads', '--kubeconfig', file];
  const child = spawn(process.execPath, flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  if (!line.startsWith('serving')) throw new Error(`the embedded server said: ${line}`);
  const address = addressIn(readFileSync(file, 'utf8'));
  return {
    name: 'embedded',
    address,
    processes: child.pid === undefined ? undefined : processTree(child.pid),
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** kube-apiserver with etcd and nothing else; undefined where it is not installed. */
export async function real(): Promise<Contestant | undefined> {
  if (findBinaries().missing !== undefined) return undefined;
  const before = new Set(processTree(process.pid));
  const plane = await controlPlane();
  const processes = processTree(process.pid)?.filter((pid) => !before.has(pid));
  const { url, ca, token } = plane;
  return {
    name: `kube-apiserver ${plane.versions.kubernetes}`,
    address: { url, ca, token },
    processes,
    [Symbol.asyncDispose]: () => plane.stop(),
  };
}
