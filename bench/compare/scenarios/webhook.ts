import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAuthority, issue } from 'kilter/certificates';
import type { Figures, Ground, Scenario } from '../scenario.ts';

// As many as an API server with a few writers has open at a time.
const connections = 8;
const paths = ['/validate-bench-example-com-v1-widget', '/mutate-bench-example-com-v1-widget'];

/** An object of some two kilobytes, as custom resources are. */
const widget = (i: number): object => ({
  apiVersion: 'bench.example.com/v1',
  kind: 'Widget',
  metadata: {
    name: `widget-${i}`,
    namespace: 'default',
    uid: `00000000-0000-0000-0000-${String(i).padStart(12, '0')}`,
    labels: { app: 'shop', tier: 'web' },
    managedFields: [
      { manager: 'kubectl', operation: 'Apply', fieldsV1: { 'f:spec': { 'f:color': {}, 'f:size': {} } } },
    ],
  },
  spec: {
    size: i,
    color: 'green',
    parts: Array.from({ length: 10 }, (_, n) => ({ name: `part-${n}`, quantity: n })),
    settings: Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`setting-${n}`, `value of setting ${n}`])),
  },
});

const reviewOf = (i: number): string => {
  const kind = { group: 'bench.example.com', version: 'v1', kind: 'Widget' };
  const resource = { group: 'bench.example.com', version: 'v1', resource: 'widgets' };
  const userInfo = { username: 'jane', groups: ['system:authenticated'] };
  const about = {
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    name: `widget-${i}`,
    namespace: 'default',
  };
  const asked = { uid: `review-${i}`, ...about, operation: 'CREATE', userInfo, object: widget(i), oldObject: null };
  return JSON.stringify({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    request: { ...asked, dryRun: false, options: { apiVersion: 'meta.k8s.io/v1', kind: 'CreateOptions' } },
  });
};

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return typeof address === 'object' && address !== null ? address.port : 0;
}

/** The files of a serving certificate, and who signed it. */
function certificateFiles(folder: string): string {
  const now = Date.now();
  const authority = createAuthority({ name: 'bench', now, days: 1 });
  const leaf = issue(authority, { name: 'bench', ipAddresses: ['127.0.0.1'], usage: 'server', now, days: 1 });
  writeFileSync(join(folder, 'tls.crt'), leaf.certificate);
  writeFileSync(join(folder, 'tls.key'), leaf.key);
  return authority.certificate;
}

interface Asked {
  readonly port: number;
  readonly ca: string;
  readonly agent: Agent;
}

/** One review; throws where it was not answered as it should be. */
function ask({ port, ca, agent }: Asked, i: number): Promise<void> {
  const path = paths[i % paths.length] ?? '';
  const body = reviewOf(i);
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ host: '127.0.0.1', port, path: `${path}?timeout=10s`, method: 'POST', ca, agent, headers });
    sent.once('error', reject).once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('end', () => {
        const right = text.includes('"allowed":true') && text.includes('"patch"') === path.startsWith('/mutate');
        if (right) resolve();
        else reject(new Error(`${path} answered ${response.statusCode} ${text.slice(0, 200)}`));
      });
    });
    sent.end(body);
  });
}

/** Sends so many, a few at a time; how long each took, in microseconds. */
async function send(asked: Asked, count: number): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const i = (next += 1);
      const begun = performance.now();
      await ask(asked, i);
      times.push((performance.now() - begun) * 1000);
    }
  };
  await Promise.all(Array.from({ length: connections }, worker));
  return times.toSorted((a, b) => a - b);
}

async function untilServed(asked: Asked): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await ask(asked, 0);
    } catch (error) {
      if (tries > 200) throw error;
      await sleep(25);
    }
  }
}

async function reviews(ground: Ground): Promise<Figures> {
  const count = ground.smoke ? 200 : 20_000;
  const folder = mkdtempSync(join(tmpdir(), 'kilter-bench-'));
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  try {
    const ca = certificateFiles(folder);
    const port = await freePort();
    await using process = ground.start({ mode: 'webhook', count, port, certificates: folder });
    await process.next('synced');
    const asked = { port, ca, agent };
    await untilServed(asked);
    // What a process does that has been up for a while.
    await send(asked, count / 2);
    await process.ask('mark', 'marked');
    const times = await send(asked, count);
    const { cpu, rss } = await process.ask('usage', 'usage');
    const at = (share: number): number => times[Math.floor((times.length - 1) * share)] ?? 0;
    return { p50: at(0.5), p99: at(0.99), CPU: (cpu / count) * 1000, RSS: rss / 2 ** 20 };
  } finally {
    agent.destroy();
    rmSync(folder, { recursive: true, force: true });
  }
}

export const webhook: Scenario = {
  name: 'webhook',
  title: 'Admission reviews',
  how: 'Reviews of a custom resource of two kilobytes over eight kept connections with TLS, half of them validated, half answered with a patch; from the request to the whole answer, seen from outside. CPU is that of the webhook server alone.',
  mode: 'webhook',
  figures: [
    { name: 'p50', unit: 'µs' },
    { name: 'p99', unit: 'µs' },
    { name: 'CPU', unit: 'µs' },
    { name: 'RSS', unit: 'MB' },
  ],
  without: { 'kube-rs': 'it has no webhook server', 'client-node': 'it has no webhook server' },
  measure: reviews,
};
