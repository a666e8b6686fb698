// Readers of one revision share what was parsed and written of it: what they get must not depend on who asked before.
import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { SharedObjects } from './registry/shared-objects.ts';
import {
  configMap,
  paths,
  ServerUnderTest,
  types,
  webApp,
  webAppDefinition,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps, definitions } = paths;
const itemsOf = (list: JsonObject): JsonObject[] => list['items'] as JsonObject[];

describe('answers that share an object', () => {
  test('the answer to a write, a get, a list and a watch agree, in every form and order of asking', async () => {
    await using api = new ServerUnderTest();
    const watch = await api.watch(`${configMaps}?watch=1`);
    const created = await api.send(`POST ${configMaps}`, configMap('a', { data: { '10': 'x', 9: '<&>', b: 'ä' } }));
    await api.clock.settle();
    const got = await api.send(`GET ${configMaps}/a`);
    expect(got.text).toBe(created.text);
    expect(watch.events[0]?.object).toEqual(got.body);
    const { kind: _, apiVersion: __, ...item } = got.body;
    const plain = await api.send(`GET ${configMaps}`);
    expect(itemsOf(plain.body)).toEqual([item]);
    const table = await api.ok(`GET ${configMaps}`, undefined, {
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    });
    expect(table['kind']).toBe('Table');
    expect((await api.send(`GET ${configMaps}?pretty=true`)).body).toEqual(plain.body);
    expect((await api.send(`GET ${configMaps}`)).text).toBe(plain.text);
    expect((await api.send(`GET ${configMaps}/a`)).text).toBe(got.text);
  });

  test('items of a custom list say what they are, those of a built-in one do not', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    await api.ok(`POST ${configMaps}`, configMap('a'));
    expect(itemsOf(await api.ok(`GET ${webApps}`))[0]).toMatchObject({ kind: 'WebApp', apiVersion: 'example.com/v1' });
    expect(itemsOf(await api.ok(`GET ${configMaps}`))[0]).not.toHaveProperty('kind');
    expect((await api.send(`GET ${webApps}`)).text).toMatch(
      /^\{"apiVersion":"example.com\/v1","items":\[\{"apiVersion"/,
    );
  });

  test('an empty list, and one whose objects hold what looks like a list', async () => {
    await using api = new ServerUnderTest();
    expect((await api.send(`GET ${configMaps}`)).text).toContain('"items":[]}');
    await api.ok(`POST ${configMaps}`, configMap('a', { data: { x: '"items":[]', y: "$&$'" } }));
    expect(itemsOf(await api.ok(`GET ${configMaps}`))[0]).toMatchObject({ data: { x: '"items":[]', y: "$&$'" } });
  });

  test('a changed schema shows at once in what was read before', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { spec: { image: 'i' } }));
    await api.ok(`GET ${webApps}/a`);
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: {} } } } };
    const version = { name: 'v1', served: true, storage: true, schema };
    const spec = webAppDefinition({ versions: [version] })['spec'] as JsonObject;
    await api.ok(`PATCH ${definitions}/webapps.example.com`, { spec }, { type: types.merge });
    expect((await api.ok(`GET ${webApps}/a`))['spec']).toEqual({});
  });

  test('a watch through a selector gets what was there before a change, with the version of the change', async () => {
    await using api = new ServerUnderTest();
    const watch = await api.watch(`${configMaps}?watch=1&labelSelector=hot%3Dyes`);
    await api.ok(`POST ${configMaps}`, configMap('a', { metadata: { labels: { hot: 'yes' } } }));
    const cold = await api.ok(`PATCH ${configMaps}/a`, { metadata: { labels: null } }, { type: types.merge });
    await api.clock.settle();
    expect(watch.seen).toEqual(['ADDED a', 'DELETED a']);
    const { resourceVersion } = cold['metadata'] as JsonObject;
    expect(watch.events[1]?.object['metadata']).toMatchObject({ labels: { hot: 'yes' }, resourceVersion });
    expect((await api.ok(`GET ${configMaps}/a`))['metadata']).not.toHaveProperty('labels');
  });
});

describe('SharedObjects', () => {
  const served = {} as never;

  test('forgets the oldest beyond its size, and what is of another version', () => {
    const shared = new SharedObjects(10);
    for (const revision of [1, 2, 3]) shared.put(revision, { served, object: { revision }, size: 4 });
    expect([1, 2, 3].map((revision) => shared.get(revision, served))).toEqual([
      undefined,
      { revision: 2 },
      { revision: 3 },
    ]);
    expect(shared.get(3, { other: true } as never)).toBeUndefined();
    shared.drop(3);
    expect(shared.get(3, served)).toBeUndefined();
    shared.put(4, { served, object: {}, size: 6 });
    expect(shared.get(2, served)).toEqual({ revision: 2 });
  });
});
