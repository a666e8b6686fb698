import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { KilterError } from 'kilter';
import { systemRuntime } from 'kilter/runtime';
import { ask } from './ask.ts';
import { type Component, startComponent } from './component.ts';
import { type TlsIdentity, writeEtcdCredentials } from './credentials.ts';
import { etcdFiles, type EtcdFiles, etcdFlags } from './flags.ts';
import { Guard } from './guard.ts';
import { removeFolder } from './guardian/remove-folder.ts';
import { keepsLogs } from './keep-logs.ts';
import { orAbort } from './within.ts';

/** An etcd under its guardian. */
interface Etcd {
  readonly guard: Guard;
  readonly component: Component;
  readonly url: string;
  readonly files: EtcdFiles;
  readonly tls: TlsIdentity;
}

/** One cluster's share of an etcd. */
export interface EtcdShare {
  readonly guard: Guard;
  readonly component: Component;
  readonly url: string;
  readonly files: EtcdFiles;
  /** Of every key of this cluster. */
  readonly prefix: string;
  /** Of this cluster alone. */
  readonly folder: string;
  /** Gives the share back: its folder and keys go, and with the last share etcd, its guardian and their folder. */
  release(): Promise<void>;
}

interface Entry {
  readonly etcd: Promise<Etcd>;
  /** Ends a start that nobody waits for any more. */
  readonly unwanted: AbortController;
  /** Shares that are out or asked for; at 0 the entry is closed and out of the map. */
  users: number;
  /** Counts up, so that a prefix is never used twice. */
  clusters: number;
}

/** By the path of the binary. An entry is in here while it can be shared: not after its end, wanted or not. */
const entries = new Map<string, Entry>();

async function startEtcd(file: string, signal: AbortSignal): Promise<Etcd> {
  const keepLogs = keepsLogs();
  const guard = await Guard.start({ keepLogs, signal });
  if (keepLogs) process.stderr.write(`The logs of the control plane are kept in ${guard.folder}\n`);
  try {
    const folder = join(guard.folder, 'etcd');
    mkdirSync(folder, { mode: 0o700 });
    const files = etcdFiles(folder);
    const tls = writeEtcdCredentials(files, systemRuntime.clock.now());
    const urlOf = (port: number | undefined): string => `https://127.0.0.1:${port}`;
    const component = await startComponent(guard, {
      name: 'etcd',
      file,
      folder,
      ports: 2,
      args: ([client = 0, peer = 0]) => etcdFlags(files, { client, peer }),
      problem: async ([client]) => {
        const { status, body } = await ask({ url: `${urlOf(client)}/readyz`, tls });
        return status === 200 ? undefined : `/readyz answers ${status}: ${body}`;
      },
      signal,
    });
    const url = urlOf(component.ports[0]);
    await forgetThePast(url, tls);
    return { guard, component, url, files, tls };
  } catch (error) {
    await guard.close();
    throw error;
  }
}

/**
 * The first versions are gone, as they are in every cluster some minutes old: a client that asks for one gets 410, and a test that
 * passes here does not depend on how young its server is.
 */
async function forgetThePast(url: string, tls: Etcd['tls']): Promise<void> {
  const call = async (path: string, body: object): Promise<void> => {
    const answer = await ask({ url: `${url}${path}`, tls, method: 'POST', body });
    if (answer.status === 200) return;
    throw new KilterError('TESTING_START_FAILED', `etcd: ${path} answers ${answer.status}: ${answer.body}`);
  };
  const key = Buffer.from('/past').toString('base64');
  for (let version = 2; version <= 10; version += 1) await call('/v3/kv/put', { key, value: key });
  await call('/v3/kv/compaction', { revision: 10 });
}

function forget(file: string, entry: Entry): void {
  if (entries.get(file) === entry) entries.delete(file);
}

function entryOf(file: string): Entry {
  const found = entries.get(file);
  if (found !== undefined) return found;
  const unwanted = new AbortController();
  const entry: Entry = { etcd: startEtcd(file, unwanted.signal), unwanted, users: 0, clusters: 0 };
  entries.set(file, entry);
  entry.etcd.then(
    ({ component }) => component.ended.then(() => forget(file, entry)),
    () => forget(file, entry),
  );
  return entry;
}

/** The keys from a prefix on to the first that does not have it, as etcd's HTTP gateway wants them. */
export function keysBelow(prefix: string): { key: string; range_end: string } {
  const first = Buffer.from(`${prefix}/`, 'utf8');
  const end = Buffer.from(first);
  end[end.length - 1] = (end[end.length - 1] ?? 0) + 1;
  return { key: first.toString('base64'), range_end: end.toString('base64') };
}

/** What one cluster leaves in etcd must not add up over a long run of many. */
async function deleteKeys(entry: Entry, prefix: string): Promise<void> {
  const { url, tls, component } = await entry.etcd;
  const asked = ask({ url: `${url}/v3/kv/deleterange`, tls, method: 'POST', body: keysBelow(prefix) });
  await asked.catch((error: unknown) => {
    // The last share may have been given back meanwhile, and etcd died if it did: all keys are gone then.
    if (entry.users > 0 && !component.hasEnded) throw error;
  });
}

async function close({ guard, component }: Etcd): Promise<void> {
  // Its data ends here: there is nothing to bring into order.
  try {
    await component.kill();
  } finally {
    await guard.close();
  }
}

async function release(file: string, entry: Entry, prefix?: string): Promise<void> {
  entry.users -= 1;
  if (entry.users > 0) {
    if (prefix !== undefined) await deleteKeys(entry, prefix);
    return;
  }
  forget(file, entry);
  entry.unwanted.abort(new Error('nobody is waiting for this etcd'));
  const etcd = await entry.etcd.catch(() => undefined);
  if (etcd !== undefined) await close(etcd);
}

/** A share of the etcd of this process; the first one starts it. Whoever aborts gives back what it has asked for. */
export async function shareEtcd(file: string, signal?: AbortSignal): Promise<EtcdShare> {
  const entry = entryOf(file);
  entry.users += 1;
  try {
    const { guard, component, url, files } = await orAbort(entry.etcd, signal);
    entry.clusters += 1;
    const name = `cluster-${entry.clusters}`;
    const folder = join(guard.folder, name);
    mkdirSync(folder, { mode: 0o700 });
    const prefix = `/${name}`;
    const giveBack = async (): Promise<void> => {
      try {
        removeFolder(folder, guard.keepLogs);
      } finally {
        await release(file, entry, prefix);
      }
    };
    return { guard, component, url, files, prefix, folder, release: giveBack };
  } catch (error) {
    await release(file, entry);
    throw error;
  }
}
