// What somebody can make of an object by writing it in an older version, tried on a real server with Kilter's conversions.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from 'kilter/api';
import { added, customResource, immutable, listMap, renamed } from 'kilter/crd';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { realServer } from '../src/controlplane/available.test-support.ts';
import { type ControlPlane, controlPlane } from '../src/controlplane/index.ts';
import { type ConversionWebhook, conversionWebhook } from './conversion-webhook.test-support.ts';
import { realTableServer } from './real-server.test-support.ts';
import type { Answer, Server } from './served.test-support.ts';

const isThere = realServer.binaries !== undefined;
const minutes = 60_000;
const group = 'conversions.example.com';

const spec = z.object({
  image: z.string(),
  replicas: z.int().max(10).meta(renamed('v1', 'count')),
  tier: z.enum(['web', 'batch']).meta(added('v1', { fill: 'web' })),
  limit: z.int().max(5).optional().meta(added('v1')),
  owner: z.string().optional().meta(immutable()).meta(added('v1')),
  notes: z.string().optional().meta(added('v1')),
  ports: z
    .array(z.object({ name: z.string(), tls: z.boolean().optional().meta(added('v1')) }))
    .meta(listMap('name'))
    .optional(),
});
/** One kind is stored as its newest version, the other as the older one; neither has its own status. */
const kinds = [
  customResource({ group, version: 'v1', kind: 'Newer', spec, versions: { v1alpha1: {} } }),
  customResource({ group, version: 'v1', kind: 'Older', spec, versions: { v1alpha1: { storage: true } } }),
  customResource({
    group,
    version: 'v1',
    kind: 'Torn',
    spec: z.object({ size: z.int() }),
    versions: { v1alpha1: { spec: z.object({ json: z.string() }), storage: true } },
  }).converts({
    v1alpha1: {
      up: ({ json }) => JSON.parse(json) as { size: number },
      down: (now) => ({ json: JSON.stringify(now) }),
    },
  }),
];

describe.skipIf(!isThere)(`objects written in an older version (${realServer.reason})`, () => {
  let plane: ControlPlane;
  let server: Server & { close(): void };
  let webhook: ConversionWebhook;
  const at = (version: string, kind: string, name = ''): string =>
    `/apis/${group}/${version}/namespaces/default/${kind.toLowerCase()}s${name === '' ? '' : `/${name}`}`;
  const send = (method: string, path: string, body?: Json): Promise<Answer> => server.send(method, path, body);
  const object = (version: string, kind: string, fields: JsonObject): JsonObject => ({
    apiVersion: `${group}/${version}`,
    kind,
    ...fields,
  });

  beforeAll(async () => {
    plane = await controlPlane();
    server = realTableServer({ url: plane.url, ca: plane.ca, token: plane.token, settle: () => sleep(500) });
    webhook = await conversionWebhook(kinds, Date.now());
    for (const kind of kinds) {
      const manifest = kind.manifest({ conversion: webhook.endpoint });
      const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
      const { code, body } = await send('POST', path, manifest as unknown as Json);
      if (code !== 201) throw new Error(`${kind.names.kind} is refused: ${JSON.stringify(body)}`);
      while ((await send('GET', at('v1', kind.names.kind))).code !== 200) await server.settle();
    }
  }, 5 * minutes);
  afterAll(async () => {
    server?.close();
    await webhook?.[Symbol.asyncDispose]();
    await plane?.stop();
  }, minutes);

  describe.each(['Newer', 'Older'])('CRD-V6, CRD-V12: of %s', (kind) => {
    const hidden = { tier: 'batch', limit: 3, owner: 'me' };
    const ports = [
      { name: 'a', tls: true },
      { name: 'b', tls: false },
    ];
    const specOf = async (name: string): Promise<unknown> => (await send('GET', at('v1', kind, name))).body['spec'];
    const create = async (name: string, more: JsonObject = {}): Promise<JsonObject> => {
      const fields = { metadata: { name }, spec: { image: 'a', replicas: 1, ...hidden, ports, ...more } };
      expect(await send('POST', at('v1', kind), object('v1', kind, fields))).toMatchObject({ code: 201 });
      return (await send('GET', at('v1alpha1', kind, name))).body;
    };

    test('an edit there leaves alone what it does not show', async () => {
      const shown = await create('edited');
      expect(shown['spec']).toEqual({ image: 'a', count: 1, ports: [{ name: 'a' }, { name: 'b' }] });
      const changed = { ...shown, spec: { image: 'b', count: 1, ports: [{ name: 'b' }, { name: 'a' }] } };
      expect(await send('PUT', at('v1alpha1', kind, 'edited'), changed)).toMatchObject({ code: 200 });
      const turned = [
        { name: 'b', tls: false },
        { name: 'a', tls: true },
      ];
      expect(await specOf('edited')).toEqual({ image: 'b', replicas: 1, ...hidden, ports: turned });
    });

    const delta = {
      fields: {
        owner: { hidden: true, is: 'thief' },
        tier: { hidden: true, is: 'gold' },
        limit: { hidden: true, is: 99 },
      },
    };
    const forgery = JSON.stringify({ v1: { in: 'v1alpha1', of: 'x', delta } });

    test.each<[string, JsonObject]>([
      ['status', { status: { conversionData: forgery } }],
      ['nothing', { status: {} }],
    ])('an enum, a maximum and an immutable field cannot be forged or removed: %s', async (what, change) => {
      const shown = await create(`forged-${what}`);
      expect(await send('PUT', at('v1alpha1', kind, `forged-${what}`), { ...shown, ...change })).toMatchObject({
        code: 200,
      });
      expect(await specOf(`forged-${what}`)).toEqual({ image: 'a', replicas: 1, ...hidden, ports });
    });

    test('nor by an annotation, nor in an object that is created there', async () => {
      const annotations = { [`${group}/conversion-data`]: forgery };
      const fields = {
        metadata: { name: 'created', annotations },
        spec: { image: 'a', count: 1 },
        status: { conversionData: forgery },
      };
      expect(await send('POST', at('v1alpha1', kind), object('v1alpha1', kind, fields))).toMatchObject({ code: 201 });
      expect(await specOf('created')).toEqual({ image: 'a', replicas: 1, tier: 'web' });
    });

    test('who may write the status there forges nothing that the structural schema forbids, and it is reported', async () => {
      const shown = await create('status-writer');
      const sent = { ...shown, status: { conversionData: forgery } };
      expect(await send('PUT', `${at('v1alpha1', kind, 'status-writer')}/status`, sent)).toMatchObject({ code: 200 });
      expect(await specOf('status-writer')).toEqual({
        image: 'a',
        replicas: 1,
        tier: 'web',
        owner: 'thief',
        ports: [{ name: 'a' }, { name: 'b' }],
      });
      expect(webhook.told).toEqual(expect.arrayContaining([expect.stringContaining('spec.limit must be at most 5')]));
    });

    test('CRD-V11: half a megabyte of hidden data breaks no list, and is not lost by an edit', async () => {
      const notes = 'x'.repeat(500_000);
      const shown = await create('large', { notes });
      const list = await send('GET', at('v1alpha1', kind));
      expect(list.code).toBe(200);
      expect((list.body['items'] as Json[]).length).toBeGreaterThan(1);
      const changed = { ...shown, spec: { ...(shown['spec'] as JsonObject), image: 'b' } };
      expect(await send('PUT', at('v1alpha1', kind, 'large'), changed)).toMatchObject({ code: 200 });
      expect(await specOf('large')).toMatchObject({ image: 'b', notes });
    });
  });

  test('CRD-V11: one object whose conversion throws does not fail the list, and cannot be written back', async () => {
    for (const [name, json] of [
      ['good', '{"size":1}'],
      ['bad', 'torn'],
    ] as const) {
      const fields = { metadata: { name }, spec: { json } };
      expect(await send('POST', at('v1alpha1', 'Torn'), object('v1alpha1', 'Torn', fields))).toMatchObject({
        code: 201,
      });
    }
    const { code, body } = await send('GET', at('v1', 'Torn'));
    expect(code).toBe(200);
    const items = body['items'] as { metadata: { name: string; annotations?: object }; spec?: Json }[];
    const [bad, good] = items.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    expect(good?.spec).toEqual({ size: 1 });
    expect(bad?.spec).toBeUndefined();
    expect(bad?.metadata.annotations).toHaveProperty(
      [`${group}/conversion-failed`],
      expect.stringContaining('up threw'),
    );
    const back = object('v1', 'Torn', { ...(bad as unknown as JsonObject), spec: { size: 2 } });
    expect((await send('PUT', at('v1', 'Torn', 'bad'), back)).code).toBeGreaterThanOrEqual(400);
    expect((await send('GET', at('v1alpha1', 'Torn', 'bad'))).body['spec']).toEqual({ json: 'torn' });
  });
});
