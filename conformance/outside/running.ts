// Programs of the control plane, started on a server, and ways to ask it what became of objects.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findBinaries } from '@kilter/testing';
import { exchange } from '../src/exchange.ts';
import type { ProgramSetting } from './places.ts';

export type Plain = Record<string, unknown>;

const patience = 90_000;
const interval = 250;

const json = { 'content-type': 'application/json' };

export async function ask({ server }: ProgramSetting, request: string, body?: Plain): Promise<Plain> {
  const [method = '', path = ''] = request.split(' ');
  const bytes = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  const { status, body: answer } = await exchange(server, { method, path, as: 'admin', headers: json, body: bytes });
  if (Number(status) >= 400) throw new Error(`${request}: ${JSON.stringify(answer)}`);
  return answer as Plain;
}

/** Undefined once it holds; why not, if it never does. */
export async function waitFor(holds: () => Promise<boolean>): Promise<string | undefined> {
  const until = Date.now() + patience;
  let last = `not within ${patience / 1000} s`;
  while (Date.now() < until) {
    try {
      if (await holds()) return undefined;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    await sleep(interval);
  }
  return last;
}

export const itemsOf = (list: Plain): Plain[] => (list['items'] ?? []) as Plain[];
export const template = (labels: Plain): Plain => ({
  metadata: { labels },
  spec: { containers: [{ name: 'c', image: 'nginx' }], restartPolicy: undefined },
});

function programPath(name: string): string {
  const { binaries } = findBinaries();
  if (binaries === undefined) throw new Error('the control plane is not installed: npm run kube:install');
  return join(binaries.directory, name);
}

/** What kubectl prints; rejects with what it complains about. */
export async function kubectl({ kubeconfig }: ProgramSetting, ...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(programPath('kubectl'), [`--kubeconfig=${kubeconfig}`, ...args], {
    timeout: patience,
  });
  return stdout;
}

/** While it runs, something is done; then it is ended. */
export async function withProgram<T>(
  place: ProgramSetting,
  [name, args]: [string, string[]],
  act: () => Promise<T>,
): Promise<T> {
  const child: ChildProcess = spawn(programPath(name), args, { cwd: place.folder, stdio: 'ignore' });
  const ended = new Promise<void>((done) => void child.once('close', () => done()));
  try {
    return await act();
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
