import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ask } from './ask.ts';
import { realServer } from './available.test-support.ts';
import { isRunning } from './process-state.test-support.ts';
import { type EtcdShare, keysBelow, shareEtcd } from './shared-etcd.ts';

/** One question to etcd's HTTP gateway. */
async function kv({ url, files }: EtcdShare, act: 'put' | 'range', body: object): Promise<{ count?: string }> {
  const [ca, cert, key] = [files.authority, files.clientCertificate, files.clientKey].map((path) => readFileSync(path));
  const tls = { ca: String(ca), cert: String(cert), key: String(key) };
  return JSON.parse((await ask({ url: `${url}/v3/kv/${act}`, tls, method: 'POST', body })).body) as { count?: string };
}

const put = (share: EtcdShare): Promise<object> =>
  kv(share, 'put', { key: Buffer.from(`${share.prefix}/pods/x`).toString('base64'), value: '' });
const count = async (share: EtcdShare, prefix: string): Promise<number> =>
  Number((await kv(share, 'range', { ...keysBelow(prefix), count_only: true })).count ?? 0);

describe.skipIf(realServer.binaries === undefined)(
  `an etcd that is shared (${realServer.reason})`,
  { timeout: 60_000 },
  () => {
    const file = realServer.binaries?.etcd ?? '';

    test('is one for all who ask at the same time; each has its own prefix and folder', async () => {
      const [a, b] = await Promise.all([shareEtcd(file), shareEtcd(file)]);
      expect(a.component.pid).toBe(b.component.pid);
      expect(a.prefix).not.toBe(b.prefix);
      expect(a.folder).not.toBe(b.folder);
      await Promise.all([a.release(), b.release()]);
      expect([a.component.pid ?? 0, a.guard.pid].filter(isRunning)).toEqual([]);
    });

    test('forgets the keys of a share that is given back, and no others', async () => {
      const [a, b] = await Promise.all([shareEtcd(file), shareEtcd(file)]);
      await Promise.all([put(a), put(b)]);
      expect([await count(b, a.prefix), await count(b, b.prefix)]).toEqual([1, 1]);
      await a.release();
      expect([await count(b, a.prefix), await count(b, b.prefix)]).toEqual([0, 1]);
      await b.release();
    });

    test('answers nobody without a certificate', async () => {
      const share = await shareEtcd(file);
      const ca = readFileSync(share.files.authority, 'utf8');
      await expect(ask({ url: `${share.url}/v3/kv/range`, tls: { ca }, method: 'POST', body: {} })).rejects.toThrow(
        /certificate|socket|ECONNRESET/i,
      );
      await share.release();
    });

    test('whose start one of two gives up goes on for the other', async () => {
      const wanted = new AbortController();
      const [gone, stays] = [shareEtcd(file, wanted.signal), shareEtcd(file)];
      wanted.abort(new Error('changed my mind'));
      await expect(gone).rejects.toThrow('changed my mind');
      const share = await stays;
      expect(isRunning(share.component.pid ?? 0)).toBe(true);
      await share.release();
    });
  },
);
