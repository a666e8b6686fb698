// Metrics over HTTPS, for those whom the API server lets read them.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { get, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Logger, operator, type OperatorOptions } from 'kilter';
import { createAuthority, issue } from 'kilter/certificates';
import { ServiceAccount } from 'kilter/k8s/core/v1';
import { ClusterRole, ClusterRoleBinding } from 'kilter/k8s/rbac/v1';
import { systemRuntime } from 'kilter/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { freeAddress } from './free-address.test-support.ts';

const ignore = (): void => undefined;
const quiet: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

const accounts = ['scraper', 'stranger'].map((name) => ServiceAccount.build({ name, namespace: 'default' }));
const reader = [
  ClusterRole.build({ name: 'metrics-reader', rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] }),
  ClusterRoleBinding.build({
    name: 'metrics-reader',
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'metrics-reader' },
    subjects: [{ kind: 'ServiceAccount', name: 'scraper', namespace: 'default' }],
  }),
];

async function scrape(address: string, token?: string, options: RequestOptions = {}) {
  const [host, port] = address.split(':');
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  return await new Promise<{ status: number | undefined; body: string; subject: string }>((resolve, reject) => {
    const path = options.path ?? '/metrics';
    const asked = { rejectUnauthorized: false, ...options, host, port, path, headers, agent: false };
    get(asked as RequestOptions, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (text: string) => (body += text));
      const { subject } = (
        response.socket as unknown as { getPeerCertificate(): { subject: { CN: string } } }
      ).getPeerCertificate();
      response.on('end', () => resolve({ status: response.statusCode, body, subject: subject.CN }));
    }).on('error', reject);
  });
}

async function secured(options: Partial<OperatorOptions>) {
  const env = await cluster({ rbac: [], objects: [...accounts, ...reader] });
  onTestFinished(async () => env[Symbol.asyncDispose]());
  const metricsAddress = await freeAddress();
  const own = operator({
    name: 'shop',
    secureMetrics: true,
    metricsAddress,
    probeAddress: '0',
    logger: quiet,
    ...options,
  });
  const manager = await own.start({ connection: env.connection, serve: true });
  onTestFinished(() => manager.stop());
  await manager.ready;
  const token = async (name: string): Promise<string> => (await env.client.token(name)).token;
  return { env, at: metricsAddress, token, manager };
}

test('ME-2 C-07 secured metrics: strangers are 401, who may not read them 403, who may gets them; each route', async () => {
  const { at, token } = await secured({});
  const scraper = await token('scraper');
  const stranger = await token('stranger');
  expect((await scrape(at)).status).toBe(401);
  expect((await scrape(at, 'nonsense')).status).toBe(401);
  expect(await scrape(at, stranger)).toMatchObject({
    status: 403,
    body: expect.stringContaining('system:serviceaccount:default:stranger'),
  });
  expect(await scrape(at, scraper)).toMatchObject({
    status: 200,
    body: expect.stringContaining('process_resident_memory_bytes'),
  });
  expect([
    (await scrape(at, undefined, { path: '/other' })).status,
    (await scrape(at, scraper, { path: '/other' })).status,
  ]).toEqual([401, 403]);
  // Plain HTTP is not answered at all.
  await expect(fetch(`http://${at}/metrics`)).rejects.toThrow('fetch failed');
});

test('CW-2 C-06 certificate files are used and followed; without any, secured metrics sign their own', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'metrics-certificates-'));
  onTestFinished(() => rm(directory, { recursive: true }));
  const now = systemRuntime.clock.now();
  const write = async (name: string): Promise<void> => {
    const authority = createAuthority({ name: 'test', now, days: 1 });
    const leaf = issue(authority, { name, dnsNames: ['localhost'], usage: 'server', now, days: 1 });
    await writeFile(join(directory, 'tls.crt'), leaf.certificate);
    await writeFile(join(directory, 'tls.key'), leaf.key);
  };
  await write('first');
  const { at, manager } = await secured({ secureMetrics: { certificates: { directory } } });
  expect((await scrape(at)).subject).toBe('first');
  await write('second');
  await expect.poll(async () => (await scrape(at)).subject, { timeout: 30_000, interval: 100 }).toBe('second');
  expect(manager.metrics()).toMatch(/certwatcher_read_certificate_total [2-9]/);
  expect((await scrape((await secured({})).at)).subject).toBe('kilter-metrics');
});

test('ME-2 an operator with secured metrics asks for the rules it needs, and fails at its start without files it was told of', async () => {
  const rules = operator({ name: 'shop', secureMetrics: true }).permissions().cluster;
  expect(rules).toEqual([
    { apiGroups: ['authentication.k8s.io'], resources: ['tokenreviews'], verbs: ['create'] },
    { apiGroups: ['authorization.k8s.io'], resources: ['subjectaccessreviews'], verbs: ['create'] },
  ]);
  expect(operator({ name: 'shop' }).permissions().cluster).toEqual([]);
  await using env = await cluster({});
  const own = operator({
    name: 'shop',
    secureMetrics: { certificates: { directory: '/nowhere' } },
    metricsAddress: await freeAddress(),
    probeAddress: '0',
    logger: quiet,
  });
  const manager = await own.start({ connection: env.connection, serve: true });
  await expect(manager.done).rejects.toMatchObject({ code: 'WEBHOOK_CERTIFICATES_UNREADABLE' });
});
