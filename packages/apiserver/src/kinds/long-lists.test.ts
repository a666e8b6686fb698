// Lists as long as a request may be: each took minutes or all memory.
import type { JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { paths, ServerUnderTest, webApp, webAppDefinition, webAppVersion } from '../server-under-test.test-support.ts';

const many = <T>(count: number, make: (index: number) => T): T[] => Array.from({ length: count }, (_, at) => make(at));
const causesIn = ({ details }: JsonObject): JsonObject[] => (details as JsonObject)['causes'] as JsonObject[];

/** A definition whose kind has these fields. */
async function defined(api: ServerUnderTest, properties: JsonObject): Promise<void> {
  const version = structuredClone(webAppVersion);
  version['schema'] = {
    openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties } } },
  };
  await api.ok(`POST ${paths.definitions}`, webAppDefinition({ versions: [{ ...version, selectableFields: [] }] }));
}

test('flaws of a custom resource', async () => {
  await using api = new ServerUnderTest();
  await defined(api, { texts: { type: 'array', items: { type: 'string' } } });
  const { code, body } = await api.send(
    `POST ${paths.webApps}`,
    webApp('a', { spec: { texts: many(200_000, (at) => at) } }),
  );
  expect(code).toBe(422);
  expect(causesIn(body).length).toBeGreaterThan(100_000);
}, 15_000);

test('more warnings and unknown fields than the stack holds', async () => {
  await using api = new ServerUnderTest();
  const ports = many(200_000, () => ({ name: 'n' }));
  const pod = { metadata: { name: 'a' }, template: { spec: { containers: [{ name: 'c', image: 'i', ports }] } } };
  expect((await api.send('POST /api/v1/namespaces/default/podtemplates?dryRun=All', pod)).text).not.toContain(
    'call stack',
  );
  await defined(api, {
    pod: { type: 'object', 'x-kubernetes-embedded-resource': true, 'x-kubernetes-preserve-unknown-fields': true },
  });
  const metadata = Object.fromEntries(many(200_000, (at) => [`f${at}`, 1]));
  const thing = webApp('a', { spec: { pod: { apiVersion: 'v1', kind: 'Pod', metadata } } });
  expect((await api.send(`POST ${paths.webApps}?fieldValidation=Strict`, thing)).code).toBe(400);
}, 30_000);

test.each<[which: string, path: string, object: JsonObject]>([
  [
    'families of a Service',
    '/api/v1/namespaces/default/services',
    { spec: { ports: [{ port: 80 }], ipFamilies: many(200_000, (at) => `f${at}`) } },
  ],
  [
    'mounts beside devices',
    '/api/v1/namespaces/default/pods',
    {
      spec: {
        containers: [
          {
            name: 'c',
            image: 'i',
            volumeMounts: many(20_000, (at) => ({ name: `m${at}`, mountPath: `/${at}` })),
            volumeDevices: many(20_000, (at) => ({ name: `d${at}`, devicePath: `/dev/${at}` })),
          },
        ],
      },
    },
  ],
  [
    'usages of a certificate',
    '/apis/certificates.k8s.io/v1/certificatesigningrequests',
    { spec: { request: 'aGk=', signerName: 'example.com/a', usages: many(200_000, (at) => `u${at}`) } },
  ],
  [
    'variables of a policy',
    '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies',
    { spec: { variables: many(30_000, (at) => ({ name: `n${at}`, expression: 'x' })) } },
  ],
  [
    'scopes of a quota',
    '/api/v1/namespaces/default/resourcequotas',
    { spec: { scopes: many(20_000, (at) => `scope${at}`) } },
  ],
])(
  '%s are refused, and the server lives on',
  async (_, path, object) => {
    await using api = new ServerUnderTest();
    const { code, body } = await api.send(`POST ${path}`, { ...object, metadata: { name: 'a' } });
    expect(code).toBe(422);
    expect(causesIn(body).length).toBeGreaterThan(1);
    expect((await api.send('GET /api/v1/namespaces/default')).code).toBe(200);
  },
  15_000,
);
