import type { Json, JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  webAppDefinition,
  webAppVersion,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps, definitions } = paths;
const merge = { type: types.merge };
const name = 'webapps.example.com';
const now = '2023-11-14T22:13:20Z';

const version = (changes: JsonObject): JsonObject => ({ ...structuredClone(webAppVersion), ...changes });
const conditionsOf = (crd: JsonObject): JsonObject[] => (crd['status'] as { conditions: JsonObject[] }).conditions;
const conditionOf = (crd: JsonObject, type: string): JsonObject | undefined =>
  conditionsOf(crd).find((condition) => condition['type'] === type);

describe('a definition', () => {
  test('API-K2: gets accepted names, stored versions and its conditions; API-D4: and is served in that moment', async () => {
    await using api = new ServerUnderTest();
    const created = await api.ok(`POST ${definitions}`, webAppDefinition());
    expect(created['status']).toEqual({
      conditions: null,
      acceptedNames: { plural: '', kind: '' },
      storedVersions: ['v1'],
    });
    const crd = await api.ok(`GET ${definitions}/${name}`);
    const names = {
      plural: 'webapps',
      singular: 'webapp',
      shortNames: ['wa'],
      kind: 'WebApp',
      listKind: 'WebAppList',
      categories: ['all'],
    };
    expect(crd['status']).toEqual({
      conditions: [
        {
          type: 'NamesAccepted',
          status: 'True',
          lastTransitionTime: now,
          reason: 'NoConflicts',
          message: 'no conflicts found',
        },
        {
          type: 'Established',
          status: 'True',
          lastTransitionTime: now,
          reason: 'InitialNamesAccepted',
          message: 'the initial names have been accepted',
        },
      ],
      acceptedNames: names,
      storedVersions: ['v1'],
    });
    expect((await api.send(`GET ${webApps}`)).code).toBe(200);
    const listed = await api.ok('GET /apis/example.com/v1');
    expect((listed['resources'] as JsonObject[]).map((resource) => resource['name']).sort()).toEqual([
      'webapps',
      'webapps/scale',
      'webapps/status',
    ]);
    expect((await api.send('GET /openapi/v3/apis/example.com/v1')).text).toContain('com.example.v1.WebApp');
  });

  test('API-K2: names that are taken are not accepted, and the definition is not served until they are free', async () => {
    await using api = await withWebApps();
    const rival = {
      ...webAppDefinition({ names: { plural: 'apps', kind: 'WebApp', shortNames: ['wa'] } }),
      metadata: { name: 'apps.example.com' },
    };
    await api.ok(`POST ${definitions}`, rival);
    const crd = await api.ok(`GET ${definitions}/apps.example.com`);
    expect(conditionOf(crd, 'NamesAccepted')).toMatchObject({
      status: 'False',
      reason: 'ListKindConflict',
      message: '"WebAppList" is already in use',
    });
    expect(conditionOf(crd, 'Established')).toMatchObject({
      status: 'False',
      reason: 'NotAccepted',
      message: 'not all names are accepted',
    });
    expect((await api.send('GET /apis/example.com/v1/namespaces/default/apps')).code).toBe(404);
    await api.ok(`DELETE ${definitions}/${name}`);
    const freed = await api.ok(`GET ${definitions}/apps.example.com`);
    expect(conditionOf(freed, 'Established')).toMatchObject({ status: 'True' });
    expect((await api.send('GET /apis/example.com/v1/namespaces/default/apps')).code).toBe(200);
  });

  const names = { plural: 'webapps', kind: 'WebApp' };
  const schemaOf = (schema: Json): JsonObject[] => [
    version({ schema: { openAPIV3Schema: schema }, selectableFields: [] }),
  ];
  test.each([
    [
      'no schema',
      { versions: [{ name: 'v1', served: true, storage: true }] },
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      'no storage version',
      { versions: [version({ storage: false })] },
      'must have exactly one version marked as storage version',
    ],
    [
      'two storage versions',
      { versions: [version({}), version({ name: 'v2' })] },
      'must have exactly one version marked as storage version',
    ],
    ['a version twice', { versions: [version({}), version({ storage: false })] }, 'must contain unique version names'],
    [
      'a bad scope',
      { scope: 'Bad' },
      'spec.scope: Unsupported value: "Bad": supported values: "Cluster", "Namespaced"',
    ],
    [
      'preserveUnknownFields',
      { preserveUnknownFields: true },
      'spec.preserveUnknownFields: Invalid value: true: cannot set to true',
    ],
    [
      'another plural than its name',
      { names: { ...names, plural: 'others' } },
      'metadata.name: Invalid value: "webapps.example.com": must be spec.names.plural+"."+spec.group',
    ],
    [
      'kind and listKind alike',
      { names: { ...names, listKind: 'WebApp' } },
      'spec.names.listKind: Invalid value: "WebApp": kind and listKind may not be the same',
    ],
    [
      'a bad short name',
      { names: { ...names, shortNames: ['F_'] } },
      'spec.names.shortNames[0]: Invalid value: "F_": a DNS-1035 label',
    ],
    [
      'an unstructural schema',
      { versions: schemaOf({ type: 'object', properties: { a: {} } }) },
      'properties[a].type: Required value: must not be empty for specified object fields',
    ],
    [
      'a wrong default',
      { versions: schemaOf({ type: 'object', properties: { a: { type: 'string', default: 5 } } }) },
      'properties[a].default',
    ],
    [
      'a bad column',
      { versions: [version({ additionalPrinterColumns: [{ name: 'X', type: 'foo', jsonPath: 'bad' }] })] },
      'spec.additionalPrinterColumns[0].type: Invalid value: "foo": must be one of boolean,date,integer,number,string',
    ],
    [
      'scale without paths',
      { versions: [version({ subresources: { scale: {} } })] },
      'spec.subresources.scale.specReplicasPath: Required value',
    ],
    [
      'an unknown selectable field',
      { versions: [version({ selectableFields: [{ jsonPath: '.spec.nope' }] })] },
      'spec.selectableFields[0].jsonPath: Invalid value: ".spec.nope": is an invalid path',
    ],
    [
      'conversion by a webhook it does not name',
      { conversion: { strategy: 'Webhook' } },
      'spec.conversion.webhookClientConfig: Required value: required when strategy is set to Webhook',
    ],
  ])('API-K1: with %s is refused', async (_, spec, message) => {
    await using api = new ServerUnderTest();
    const { code, body } = await api.send(`POST ${definitions}`, webAppDefinition(spec));
    expect([code, body['message']]).toEqual([422, expect.stringContaining(message)]);
    expect((await api.send(`GET ${webApps}`)).code).toBe(404);
  });

  test('API-K1: a protected group needs approval', async () => {
    await using api = new ServerUnderTest();
    const metadata = { name: 'webapps.x.k8s.io' };
    const definition = { ...webAppDefinition({ group: 'x.k8s.io' }), metadata };
    const { code, body } = await api.send(`POST ${definitions}`, definition);
    expect([code, body['message']]).toEqual([
      422,
      expect.stringContaining(
        'metadata.annotations[api-approved.kubernetes.io]: Required value: protected groups must have approval annotation',
      ),
    ]);
    const annotations = { 'api-approved.kubernetes.io': 'unapproved, testing' };
    expect(
      (await api.send(`POST ${definitions}`, { ...definition, metadata: { ...metadata, annotations } })).code,
    ).toBe(201);
  });

  test('API-K1: group and plural never change, scope and kind not once established, nor leave a stored version', async () => {
    await using api = await withWebApps();
    const change = { spec: { scope: 'Cluster', group: 'a.b', names: { kind: 'X', plural: 'ys' } } };
    const fixed = await api.send(`PATCH ${definitions}/${name}`, change, merge);
    expect(fixed.code).toBe(422);
    for (const field of ['spec.scope', 'spec.names.kind', 'spec.group', 'spec.names.plural']) {
      expect(fixed.body['message']).toMatch(new RegExp(`${field}: Invalid value: "[^"]+": field is immutable`));
    }
    const renamed = { spec: { versions: [version({ name: 'v2' })] } };
    const lost = await api.send(`PATCH ${definitions}/${name}`, renamed, merge);
    expect([lost.code, lost.body['message']]).toEqual([
      422,
      expect.stringContaining('v1 was previously a storage version'),
    ]);
  });
});

describe('its objects', () => {
  test('follow the schema of today: defaults and pruning show on what was stored before', async () => {
    await using api = await withWebApps();
    const stored = await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    const spec = {
      type: 'object',
      properties: { replicas: { type: 'integer' }, tier: { type: 'string', default: 'free' } },
    };
    const openAPIV3Schema = { type: 'object', properties: { spec } };
    const versions = [version({ schema: { openAPIV3Schema }, selectableFields: [], subresources: {} })];
    await api.ok(`PATCH ${definitions}/${name}`, { spec: { versions } }, merge);
    const read = await api.ok(`GET ${webApps}/a`);
    expect(read['spec']).toEqual({ replicas: 1, tier: 'free' });
    expect(metadataOf(read)['resourceVersion']).toBe(metadataOf(stored)['resourceVersion']);
    expect((await api.watch(`${webApps}?watch=1`)).events[0]?.object['spec']).toEqual({ replicas: 1, tier: 'free' });
  });

  test('come in every served version, a deprecated one with a warning, and are stored in one', async () => {
    await using api = new ServerUnderTest();
    const old = version({ name: 'v1beta1', storage: false, deprecated: true });
    await api.ok(`POST ${definitions}`, webAppDefinition({ versions: [version({}), old] }));
    const beta = webApps.replace('/v1/', '/v1beta1/');
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    const read = await api.send(`GET ${beta}/a`);
    const warning = '299 - "example.com/v1beta1 WebApp is deprecated; use example.com/v1 WebApp"';
    expect([read.body['apiVersion'], read.warnings]).toEqual(['example.com/v1beta1', [warning]]);
    const list = await api.send(`GET ${beta}`);
    expect([list.body['apiVersion'], (list.body['items'] as JsonObject[])[0]?.['apiVersion'], list.warnings]).toEqual([
      'example.com/v1beta1',
      'example.com/v1beta1',
      [warning],
    ]);
    await api.ok(`PATCH ${beta}/a`, { spec: { image: 'j' } }, merge);
    expect(await api.ok(`GET ${webApps}/a`)).toMatchObject({ apiVersion: 'example.com/v1', spec: { image: 'j' } });
    expect((await api.send(`GET ${webApps}/a`)).warnings).toEqual([]);
    await api.ok(
      `PATCH ${definitions}/${name}`,
      { spec: { versions: [version({}), { ...old, served: false }] } },
      merge,
    );
    expect((await api.send(`GET ${beta}/a`)).code).toBe(404);
  });

  test('the storage version may move, storedVersions only grows, and old objects stay readable', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    const versions = [version({ storage: false }), version({ name: 'v2' })];
    const crd = await api.ok(`PATCH ${definitions}/${name}`, { spec: { versions } }, merge);
    expect(crd['status']).toMatchObject({ storedVersions: ['v1', 'v2'] });
    const second = webApps.replace('/v1/', '/v2/');
    expect(await api.ok(`GET ${second}/a`)).toMatchObject({ apiVersion: 'example.com/v2', spec: { image: 'i' } });
    expect(await api.ok(`GET ${webApps}/a`)).toMatchObject({ apiVersion: 'example.com/v1', spec: { image: 'i' } });
  });

  test('API-K10: are printed in the declared columns, those of higher priority only wide', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    const accept = 'application/json;as=Table;v=v1;g=meta.k8s.io';
    const table = await api.ok(`GET ${webApps}`, undefined, { headers: { accept } });
    const columns = table['columnDefinitions'] as { name: string; priority: number }[];
    expect(columns.map((column) => [column.name, column.priority])).toEqual([
      ['Name', 0],
      ['Image', 0],
      ['Replicas', 1],
    ]);
    expect((table['rows'] as { cells: Json[] }[]).map(({ cells }) => cells)).toEqual([['a', 'i', 1]]);
    const resource = ((await api.ok('GET /apis/example.com/v1'))['resources'] as JsonObject[])[0];
    expect(resource).toMatchObject({ shortNames: ['wa'], categories: ['all'] });
  });
});

describe('deletion of a definition', () => {
  test('API-X9: takes its objects along, waits for their finalizers, and refuses new ones meanwhile', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('free'));
    await api.ok(`POST ${webApps}`, webApp('held', { metadata: { finalizers: ['a/b'] } }));
    const watch = await api.watch(`${webApps}?watch=1`);
    const marked = await api.ok(`DELETE ${definitions}/${name}`);
    expect(metadataOf(marked)).toMatchObject({
      deletionTimestamp: now,
      finalizers: ['customresourcecleanup.apiextensions.k8s.io'],
      generation: 1,
    });
    expect(conditionOf(marked, 'Terminating')).toMatchObject({ status: 'True', reason: 'InstanceDeletionPending' });
    expect(conditionOf(await api.ok(`GET ${definitions}/${name}`), 'Terminating')).toMatchObject({
      status: 'True',
      reason: 'InstanceDeletionInProgress',
    });
    const refused = await api.send(`POST ${webApps}`, webApp('late'));
    expect([refused.code, refused.body['message']]).toEqual([
      403,
      'webapps.example.com "late" is forbidden: create not allowed while custom resource definition is terminating',
    ]);
    expect((await api.ok(`GET ${webApps}`))['items']).toMatchObject([
      { metadata: { name: 'held', deletionTimestamp: now } },
    ]);
    await api.ok(`PATCH ${webApps}/held`, { metadata: { finalizers: null } }, merge);
    await api.clock.settle();
    expect((await api.send(`GET ${definitions}/${name}`)).code).toBe(404);
    expect(await api.send(`GET ${webApps}`)).toMatchObject({ code: 404, text: '404 page not found\n' });
    expect((await api.send('GET /apis/example.com/v1')).code).toBe(404);
    expect(watch.seen).toEqual(['ADDED free', 'ADDED held', 'DELETED free', 'MODIFIED held', 'DELETED held']);
    expect(watch.done).toBe(true);
  });

  test('API-X6: what its objects owned is collected, though nobody serves the owner`s kind any more', async () => {
    await using api = await withWebApps({ controllers: { gc: true, workloads: false } });
    const { uid } = metadataOf(await api.ok(`POST ${webApps}`, webApp('a')));
    const ownedBy = (owner: string): JsonObject => ({
      ownerReferences: [{ apiVersion: 'example.com/v1', kind: 'WebApp', name: 'a', uid: owner }],
    });
    await api.ok(`POST ${configMaps}`, configMap('child', { metadata: ownedBy(uid) }));
    await api.ok(`DELETE ${definitions}/${name}`);
    await api.ok(`POST ${configMaps}`, configMap('late', { metadata: ownedBy(uid) }));
    await api.ok(`POST ${configMaps}`, configMap('unknown', { metadata: ownedBy('never-seen') }));
    await api.clock.settle();
    expect((await api.send(`GET ${configMaps}/child`)).code).toBe(404);
    expect((await api.send(`GET ${configMaps}/late`)).code).toBe(404);
    expect((await api.send(`GET ${configMaps}/unknown`)).code).toBe(200);
  });

  test('API-K13: a re-created definition sees nothing of the old one', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a'));
    const before = api.server.registry.usage().revision;
    await api.ok(`DELETE ${definitions}/${name}`);
    await api.ok(`POST ${definitions}`, webAppDefinition({ scope: 'Cluster' }));
    expect((await api.ok('GET /apis/example.com/v1/webapps'))['items']).toEqual([]);
    expect((await api.send(`GET ${webApps}`)).code).toBe(404);
    const old = await api.watch(`/apis/example.com/v1/webapps?watch=1&resourceVersion=${before}`);
    expect(old.seen).toEqual([expect.stringMatching(/^ERROR too old resource version/)]);
    const created = await api.ok('POST /apis/example.com/v1/webapps', webApp('a'));
    expect(metadataOf(created)).toMatchObject({ name: 'a', generation: 1 });
    expect(metadataOf(created)).not.toHaveProperty('namespace');
  });
});
