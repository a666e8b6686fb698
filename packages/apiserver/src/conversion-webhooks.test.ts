import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { paths, ServerUnderTest, types, webApp, webAppDefinition } from './server-under-test.test-support.ts';
import { FakeWebhooks } from './webhooks.test-support.ts';

const { webApps, definitions } = paths;
const newer = webApps.replace('/v1/', '/v2/');
const merge = { type: types.merge };

const schema = (spec: JsonObject): Json => ({
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: spec } } },
});
const text = { type: 'string' };
const versions = [
  { name: 'v1', served: true, storage: true, schema: schema({ image: text }) },
  {
    name: 'v2',
    served: true,
    storage: false,
    schema: schema({ container: { type: 'object', properties: { image: text } } }),
    selectableFields: [{ jsonPath: '.spec.container.image' }],
  },
];
const conversion = {
  strategy: 'Webhook',
  webhook: {
    clientConfig: { service: { namespace: 'hooks', name: 'convert', path: '/convert' } },
    conversionReviewVersions: ['v1'],
  },
};

/** `spec.image` of v1 is `spec.container.image` of v2. */
function between(object: JsonObject, to: string): JsonObject {
  const spec = object['spec'] as { image?: string; container?: { image?: string } };
  const image = spec.image ?? spec.container?.image ?? '';
  return { ...object, apiVersion: to, spec: to.endsWith('v2') ? { container: { image }, unknown: 'x' } : { image } };
}

async function start(convert = between): Promise<{ api: ServerUnderTest; hooks: FakeWebhooks }> {
  const hooks = new FakeWebhooks();
  hooks.conversion('convert', convert);
  const api = new ServerUnderTest({ services: hooks.resolver });
  await api.ok(`POST ${definitions}`, webAppDefinition({ versions, conversion }));
  return { api, hooks };
}

const inV2 = (name: string, image: string): JsonObject => ({
  ...webApp(name, { spec: { container: { image } } }),
  apiVersion: 'example.com/v2',
});

describe('API-K11: a version that a webhook makes', () => {
  test('is read, listed and written; what its schema does not know is pruned', async () => {
    const { api, hooks } = await start();
    await using _ = api;
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'one' } }));
    expect(hooks.asked).toEqual([]);
    expect(await api.ok(`GET ${newer}/a`)).toMatchObject({
      apiVersion: 'example.com/v2',
      spec: { container: { image: 'one' } },
    });
    expect((await api.ok(`GET ${newer}/a`))['spec']).toEqual({ container: { image: 'one' } });
    await api.ok(`POST ${newer}`, inV2('b', 'two'));
    expect((await api.ok(`GET ${webApps}/b`))['spec']).toEqual({ image: 'two' });
    await api.ok(`PATCH ${newer}/a`, { spec: { container: { image: 'three' } } }, merge);
    expect((await api.ok(`GET ${webApps}/a`))['spec']).toEqual({ image: 'three' });
    const list = await api.ok(`GET ${newer}`);
    expect((list['items'] as JsonObject[]).map(({ spec }) => spec)).toEqual([
      { container: { image: 'three' } },
      { container: { image: 'two' } },
    ]);
  });

  test('is applied to, by managers of both versions', async () => {
    const { api } = await start();
    await using _ = api;
    const apply = { type: types.apply };
    await api.ok(`PATCH ${webApps}/a?fieldManager=old`, webApp('a', { spec: { image: 'one' } }), apply);
    const conflict = await api.send(`PATCH ${newer}/a?fieldManager=new`, inV2('a', 'two'), apply);
    expect(conflict.code).toBe(409);
    await api.ok(`PATCH ${newer}/a?fieldManager=new&force=true`, inV2('a', 'two'), apply);
    expect((await api.ok(`GET ${webApps}/a`))['spec']).toEqual({ image: 'two' });
  });

  test('is watched, and selected by what it has', async () => {
    const { api } = await start();
    await using _ = api;
    const log = await api.watch(`${newer}?watch=1&fieldSelector=spec.container.image%3Done`);
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'one' } }));
    await api.ok(`POST ${webApps}`, webApp('b', { spec: { image: 'other' } }));
    await api.ok(`PATCH ${webApps}/a`, { spec: { image: 'other' } }, merge);
    await api.clock.settle();
    expect(log.seen).toEqual(['ADDED a', 'DELETED a']);
    expect(log.events[0]?.object['spec']).toEqual({ container: { image: 'one' } });
    log.stop();
  });

  test('a webhook that begins to fail fails every read and write of it, and nothing is stored', async () => {
    const { api, hooks } = await start();
    await using _ = api;
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'one' } }));
    await api.ok(`GET ${newer}/a`);
    hooks.conversion('convert', (object) => ({ ...object, kind: 'Other' }));
    const why = 'conversion webhook for example.com/v1, Kind=WebApp returned invalid object at index 0: ';
    for (const request of [`GET ${newer}/a`, `GET ${newer}`, `DELETE ${newer}/a`]) {
      const { code, body } = await api.send(request);
      expect([request, code, body['message']]).toEqual([
        request,
        500,
        `${why}invalid groupVersion (expected example.com/v2, received example.com/v1)`,
      ]);
    }
    expect((await api.send(`POST ${newer}`, inV2('b', 'two'))).code).toBe(500);
    expect((await api.ok(`GET ${webApps}`))['items']).toHaveLength(1);
    const log = await api.watch(`${newer}?watch=1`);
    expect(log.events.map(({ type }) => type)).toEqual(['ERROR']);
    expect(log.done).toBe(true);
  });

  test('objects of an earlier storage version are converted when they are read in the new one, and stored so when written', async () => {
    const { api } = await start();
    await using _ = api;
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'one' } }));
    const turned = versions.map((version) => ({ ...version, storage: version.name === 'v2' }));
    const crd = await api.ok(`PATCH ${definitions}/webapps.example.com`, { spec: { versions: turned } }, merge);
    expect(crd['status']).toMatchObject({ storedVersions: ['v1', 'v2'] });
    expect((await api.ok(`GET ${newer}/a`))['spec']).toEqual({ container: { image: 'one' } });
    const before = api.server.snapshot().objects.find(({ key }) => key === 'default/a');
    expect(before?.text).toContain('example.com/v1"');
    await api.ok(`PATCH ${newer}/a`, { metadata: { labels: { migrated: 'yes' } } }, merge);
    const after = api.server.snapshot().objects.find(({ key }) => key === 'default/a');
    expect(after?.text).toContain('"apiVersion":"example.com/v2"');
    expect((await api.ok(`GET ${webApps}/a`))['spec']).toEqual({ image: 'one' });
  });

  test('is shown to admission webhooks of the other version', async () => {
    const { api, hooks } = await start();
    await using _ = api;
    hooks.admission('sees', () => ({ allowed: true }));
    await api.ok('POST /apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations', {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingWebhookConfiguration',
      metadata: { name: 'c' },
      webhooks: [
        {
          name: 'sees.example.com',
          clientConfig: { service: { namespace: 'hooks', name: 'sees' } },
          rules: [{ apiGroups: ['example.com'], apiVersions: ['v2'], resources: ['webapps'], operations: ['*'] }],
          sideEffects: 'None',
          admissionReviewVersions: ['v1'],
        },
      ],
    });
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'one' } }));
    expect(hooks.of('sees')[0]).toMatchObject({
      kind: { version: 'v2' },
      object: { apiVersion: 'example.com/v2', spec: { container: { image: 'one' } } },
    });
  });
});
