import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import type { Client } from '../client/index.ts';
import { systemRuntime, virtualRuntime } from '../internal/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import { validating } from './declaration.ts';
import { resolveWebhooks } from './resolved-webhook.ts';
import { resolveServing, type WebhookGround } from './serving.ts';
import { App } from './webhook.test-support.ts';
import { WebhookPart, type WebhookPartOptions } from './webhook-part.ts';

async function certificates(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'kilter-part-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const now = systemRuntime.clock.now();
  const authority = createAuthority({ name: 'test', now, days: 1 });
  const leaf = issue(authority, { name: 'x', dnsNames: ['localhost'], usage: 'server', now, days: 1 });
  await writeFile(join(directory, 'tls.crt'), leaf.certificate);
  await writeFile(join(directory, 'tls.key'), leaf.key);
  return directory;
}

test('HZ-2 it is ready while its own server can be dialled: not before it serves, and not once nobody listens', async () => {
  const directory = await certificates();
  const part = new WebhookPart({
    operator: 'guard',
    webhooks: resolveWebhooks([validating(App, () => undefined)]),
    kinds: [],
    used: new Set(),
    // What is registered is another matter: no request is made.
    serving: resolveServing('guard', { certificates: { directory }, register: false }),
    bind: { host: '127.0.0.1', port: 0 },
    namespace: 'default',
    startTimeout: 1000,
    clientUntil: () => ({}) as Client,
    runtime: systemRuntime,
    logger: silentLogger,
    metrics: new MetricsRegistry(),
  });
  expect(await part.readiness()).toBe('webhooks are not served yet');
  await part.start();
  expect(await part.readiness()).toBeUndefined();
  await part.close();
  expect(await part.readiness()).toMatch(/^webhooks are not served on port \d+: .*ECONNREFUSED/);
});

describe('MG-4 a server that does not answer holds up no stop', () => {
  const ground = (open: WebhookGround['open']): Omit<WebhookPartOptions, 'clientUntil' | 'runtime'> => ({
    operator: 'guard',
    webhooks: resolveWebhooks([validating(App, () => undefined)]),
    kinds: [],
    used: new Set(),
    serving: { open },
    bind: { port: 0 },
    namespace: 'default',
    startTimeout: 60_000,
    logger: silentLogger,
    metrics: new MetricsRegistry(),
  });
  const endpoint = { url: 'https://guard.invalid', caBundle: '' };
  const open = () => ({ endpoint, close: () => undefined });
  const never = (signal: AbortSignal): Promise<never> =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

  test('while the configurations are looked at', async () => {
    const runtime = virtualRuntime();
    let isSilent = false;
    let looks = 0;
    const clientUntil = (signal: AbortSignal): Client => {
      const find = (): Promise<undefined> => (isSilent ? ((looks += 1), never(signal)) : Promise.resolve(undefined));
      return { find, apply: () => Promise.resolve() } as unknown as Client;
    };
    const part = new WebhookPart({ ...ground(open), runtime, clientUntil });
    await part.start();
    isSilent = true;
    await runtime.clock.advance(33_000);
    expect(looks).toBe(1);
    await part.close();
  });

  test('while they are registered: the start ends with the stop', async () => {
    const runtime = virtualRuntime();
    const clientUntil = (signal: AbortSignal): Client =>
      ({ find: () => never(signal), apply: () => never(signal) }) as unknown as Client;
    const part = new WebhookPart({ ...ground(open), runtime, clientUntil });
    const started = part.start();
    await runtime.clock.settle();
    await Promise.all([part.close(), expect(started).rejects.toThrow('the operator is stopping')]);
    expect(runtime.clock.pending).toBe(0);
  });

  test('while they begin to be served: nobody listens afterwards', async () => {
    let listening = 0;
    const opening = () => {
      listening += 1;
      return { endpoint, close: () => void (listening -= 1) };
    };
    const clientUntil = (): Client => ({}) as Client;
    const part = new WebhookPart({ ...ground(opening), runtime: virtualRuntime(), clientUntil });
    const started = part.start();
    await Promise.all([part.close(), expect(started).rejects.toThrow('the operator is stopping')]);
    expect(listening).toBe(0);
  });
});
