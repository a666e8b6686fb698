// What a running operator with webhooks meets from outside: each is refused, told, and the server is up afterwards.
import { request } from 'node:https';
import { KilterError, type Logger, type Manager, mutating, operator, validating, type Webhook } from 'kilter';
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'kilter/k8s/admissionregistration/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { type VirtualClock, virtualRuntime } from 'kilter/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cluster, type EmbeddedCluster } from '../src/cluster/index.ts';

const ignore = (): void => undefined;
const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };

interface Started {
  readonly manager: Manager;
  readonly port: () => number;
}

interface Scene {
  readonly env: EmbeddedCluster;
  readonly clock: VirtualClock;
  readonly runtime: ReturnType<typeof virtualRuntime>;
  /** An operator named `guard`; reached by URL unless the namespace of a Service is given. */
  readonly start: (webhooks: readonly Webhook[], serviceNamespace?: string) => Promise<Started>;
}

async function place(): Promise<Scene> {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  // oxlint-disable-next-line no-restricted-globals -- handshakes are judged in real time
  clock.jump(Date.now() - clock.now());
  const env = await cluster({ runtime });
  const managers: Manager[] = [];
  onTestFinished(async () => {
    const stops = managers.map((manager) => manager.stop().catch(ignore));
    await Promise.all([...stops, clock.advance(120_000)]);
    await env[Symbol.asyncDispose]();
  });
  return {
    env,
    clock,
    runtime,
    start: async (webhooks, serviceNamespace) => {
      let port = 0;
      const url = (chosen: number): string => `https://127.0.0.1:${(port = chosen)}`;
      const reached = serviceNamespace === undefined ? { url } : { service: { namespace: serviceNamespace } };
      const manager = await operator({ name: 'guard', logger: silent, webhooks }).start({
        connection: env.server.connection('operator'),
        runtime,
        accessReview: false,
        webhooks: { address: '127.0.0.1:0', ...reached },
      });
      manager.done.catch(ignore);
      managers.push(manager);
      return { manager, port: () => port };
    },
  };
}

const guard = validating(
  ConfigMap,
  { objectSelector: { guarded: 'yes' }, timeout: '2s' },
  (config, review) => void (config.data?.['key'] === undefined && review.deny('data', 'has no key')),
);
const config = (name = 'asked', data?: Record<string, string>): ConfigMap =>
  ConfigMap.build({ name, namespace: 'default', labels: { guarded: 'yes' }, ...(data !== undefined && { data }) });

function post(port: number, path: string, body: string | Buffer): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json' };
    const options = { host: '127.0.0.1', port, path, method: 'POST', rejectUnauthorized: false, headers };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    sent.once('error', reject);
    sent.end(body);
  });
}

const path = '/validate--v1-configmap';

describe('a running operator', { timeout: 120_000 }, () => {
  test.each([
    ['text', 'hello', 'the body is not JSON'],
    [
      'another review',
      JSON.stringify({ apiVersion: 'apiextensions.k8s.io/v1', kind: 'ConversionReview' }),
      'not an AdmissionReview',
    ],
    [
      'a review of the future',
      JSON.stringify({ apiVersion: 'admission.k8s.io/v9', kind: 'AdmissionReview' }),
      'admission.k8s.io/v9',
    ],
    ['8 MiB', Buffer.alloc(8 * 1024 * 1024, ' '), 'the body is too large'],
    ['a thousand levels', `${'['.repeat(100_000)}`, 'not JSON'],
  ])('WH-1 refuses %s, and goes on', async (_, body, message) => {
    const { env, start } = await place();
    const { manager, port } = await start([guard]);
    await manager.ready;
    const { status, text } = await post(port(), path, body);
    expect([status, JSON.parse(text)]).toMatchObject([200, { response: { allowed: false } }]);
    expect(text).toContain(message);
    await expect(env.client.create(config())).rejects.toThrow('data: has no key');
    await expect(env.client.create(config('good', { key: 'x' }))).resolves.toBeDefined();
  });

  test('a function that never answers: nothing is admitted, and what comes after it is answered', async () => {
    const { env, clock, start } = await place();
    const never = validating(ConfigMap, { timeout: '2s' }, (given) =>
      given.metadata.name === 'stuck' ? new Promise<void>(ignore) : undefined,
    );
    await (
      await start([never])
    ).manager.ready;
    const creating = env.client.create(config('stuck'));
    creating.catch(ignore);
    await expect(env.client.create(config('other'))).resolves.toBeDefined();
    let over = false;
    creating.finally(() => (over = true)).catch(ignore);
    await expect.poll(() => clock.advance(100).then(() => over), { interval: 5, timeout: 20_000 }).toBe(true);
    await expect(creating).rejects.toThrow('failed calling webhook "validate.v1.configmaps"');
    await expect(env.client.get(ConfigMap, { name: 'stuck', namespace: 'default' })).rejects.toThrow('404');
  });

  test.each([
    ['throws', () => expect.unreachable('broken'), 'broken'],
    [
      'leaves a date in the draft',
      (draft: ConfigMap) => void Object.assign(draft, { at: new Date(0) }),
      'at is a Date',
    ],
    ['renames', (draft: ConfigMap) => void (draft.metadata.name = 'x'), 'metadata.name was changed'],
  ])('a mutating function that %s: nothing is admitted', async (_, run, message) => {
    const { env, start } = await place();
    const spoiler = mutating(ConfigMap, { objectSelector: { guarded: 'yes' } }, run as (draft: ConfigMap) => void);
    await (
      await start([spoiler])
    ).manager.ready;
    await expect(env.client.create(config())).rejects.toThrow(message);
    await expect(env.client.get(ConfigMap, { name: 'asked', namespace: 'default' })).rejects.toThrow('404');
  });

  test('CW-2 configured certificate files that are not there end the operator, and nothing is registered', async () => {
    const { env, runtime } = await place();
    const certificates = { directory: '/nonexistent/certificates' };
    const made = operator({ name: 'guard', logger: silent, webhooks: [guard], webhookServer: { certificates } });
    const connection = env.server.connection('operator');
    const webhooks = { address: '127.0.0.1:0', url: 'https://127.0.0.1' };
    const manager = await made.start({ connection, runtime, accessReview: false, webhooks });
    await expect(manager.done).rejects.toMatchObject({
      code: 'WEBHOOK_CERTIFICATES_UNREADABLE',
      message: expect.stringContaining('/nonexistent/certificates/tls.crt') as string,
    });
    expect(await env.client.find(ValidatingWebhookConfiguration, 'guard')).toBeUndefined();
  });

  test.each<[string, Webhook[], string]>([
    [
      'an expression that does not compile',
      [
        mutating(ConfigMap, ignore),
        validating(ConfigMap, { matchConditions: { x: 'object.metadata.name ==' } }, ignore),
      ],
      'webhooks[0].matchConditions[0].expression: Invalid value',
    ],
    [
      'a condition whose name is not one',
      [mutating(ConfigMap, { matchConditions: { 'no name!': 'true' } }, ignore), validating(ConfigMap, ignore)],
      'webhooks[0].matchConditions[0].name: Invalid value',
    ],
  ])(
    'WEBHOOK_CONFIGURATION_INVALID: %s ends the operator at once, and nothing is registered',
    async (_, webhooks, message) => {
      const { env, start } = await place();
      const { manager } = await start(webhooks);
      await expect(manager.done).rejects.toMatchObject({
        code: 'WEBHOOK_CONFIGURATION_INVALID',
        message: expect.stringContaining(message) as string,
      });
      expect(await env.client.find(ValidatingWebhookConfiguration, 'guard')).toBeUndefined();
      expect(await env.client.find(MutatingWebhookConfiguration, 'guard')).toBeUndefined();
    },
  );

  test('WEBHOOK_NAME_TAKEN: a second operator of the same name is refused, and the webhooks of the first stay', async () => {
    const { env, start } = await place();
    await (
      await start([guard], 'one')
    ).manager.ready;
    const { webhooks: before } = await env.client.get(ValidatingWebhookConfiguration, 'guard');
    const second = await start([validating(ConfigMap, { path: '/other' }, ignore)], 'two');
    const error: unknown = await second.manager.done.catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(KilterError);
    expect((error as KilterError).code).toBe('WEBHOOK_NAME_TAKEN');
    expect((error as KilterError).message).toContain(
      'the ValidatingWebhookConfiguration guard belongs to an operator of the same name: it names the Service one/guard-webhook',
    );
    expect((await env.client.get(ValidatingWebhookConfiguration, 'guard')).webhooks).toEqual(before);
  });

  test('WEBHOOK_NAME_TAKEN: one that is tried out on a laptop does not take over from the one in the cluster', async () => {
    const { env, start } = await place();
    await (
      await start([guard], 'one')
    ).manager.ready;
    const second = await start([guard]);
    const error: unknown = await second.manager.done.catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'WEBHOOK_NAME_TAKEN',
      message: expect.stringContaining('it names the Service one/guard-webhook') as string,
    });
    const { webhooks = [] } = await env.client.get(ValidatingWebhookConfiguration, 'guard');
    expect(webhooks.map(({ clientConfig }) => clientConfig.service?.namespace)).toEqual(['one']);
  });

  test('one in the cluster takes over from one that was reached by URL', async () => {
    const { env, start } = await place();
    const first = await start([guard]);
    await first.manager.ready;
    await first.manager.stop();
    await (
      await start([guard], 'one')
    ).manager.ready;
    const { webhooks = [] } = await env.client.get(ValidatingWebhookConfiguration, 'guard');
    expect(webhooks.map(({ clientConfig }) => [clientConfig.service?.namespace, clientConfig.url])).toEqual([
      ['one', undefined],
    ]);
  });

  test('WEBHOOK_NAME_TAKEN: a configuration made by hand is left as it is', async () => {
    const { env, start } = await place();
    await env.client.create(ValidatingWebhookConfiguration.build({ name: 'guard', webhooks: [] }));
    const { manager } = await start([guard]);
    await expect(manager.done).rejects.toMatchObject({
      code: 'WEBHOOK_NAME_TAKEN',
      message: expect.stringContaining('was not made by this operator') as string,
    });
    expect((await env.client.get(ValidatingWebhookConfiguration, 'guard')).webhooks ?? []).toEqual([]);
  });
});
