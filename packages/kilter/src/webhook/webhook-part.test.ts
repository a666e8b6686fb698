import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import type { Client } from '../client/index.ts';
import { systemRuntime } from '../internal/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import { validating } from './declaration.ts';
import { resolveWebhooks } from './resolved-webhook.ts';
import { resolveServing } from './serving.ts';
import { App } from './webhook.test-support.ts';
import { WebhookPart } from './webhook-part.ts';

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
    client: {} as Client,
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
