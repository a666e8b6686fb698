// A server of each make with a kubeconfig, as programs want it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { embeddedServers } from '../src/embedded.ts';
import { realServers } from '../src/real.ts';
import type { Server } from '../src/server.ts';
import type { Count, Finding } from './count.ts';

export interface ProgramSetting {
  readonly server: Server;
  readonly kubeconfig: string;
  /** Where a program may leave files; gone afterwards. */
  readonly folder: string;
}

function kubeconfigOf({ url, ca, tokens }: Server): string {
  const cluster = { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'it', cluster }],
    users: [{ name: 'me', user: { token: tokens.admin } }],
    contexts: [{ name: 'it', context: { cluster: 'it', user: 'me' } }],
    'current-context': 'it',
  });
}

async function on(name: 'embedded' | 'real', measure: (place: ProgramSetting) => Promise<Count>): Promise<Finding> {
  let servers;
  try {
    servers = name === 'embedded' ? embeddedServers() : await realServers();
  } catch (error) {
    return { on: name, count: undefined, skipped: error instanceof Error ? error.message : String(error) };
  }
  const folder = await mkdtemp(join(tmpdir(), 'kilter-outside-'));
  try {
    // Controllers of the server itself would do what is looked at.
    await using server = await servers.take('api');
    const kubeconfig = join(folder, 'kubeconfig');
    await writeFile(kubeconfig, kubeconfigOf(server), { mode: 0o600 });
    return { on: name, count: await measure({ server, kubeconfig, folder }) };
  } finally {
    await rm(folder, { recursive: true, force: true });
    await servers[Symbol.asyncDispose]();
  }
}

/** The same on both servers, one after the other. */
export async function onBoth(measure: (place: ProgramSetting) => Promise<Count>): Promise<Finding[]> {
  return [await on('embedded', measure), await on('real', measure)];
}
