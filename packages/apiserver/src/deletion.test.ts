import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import {
  configMap,
  metadataOf,
  paths,
  ServerUnderTest,
  types,
  webApp,
  withWebApps,
} from './server-under-test.test-support.ts';

const { configMaps, webApps, pods } = paths;
const merge = { type: types.merge };

const pod = (name: string, metadata: JsonObject = {}, spec: JsonObject = {}): JsonObject => ({
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
});

describe('an object nobody holds', () => {
  test('API-X1, API-E14: is gone at once, and the answer is a Status that names it', async () => {
    await using api = await withWebApps();
    const { uid } = metadataOf(await api.ok(`POST ${webApps}`, webApp('a')));
    expect(await api.send(`DELETE ${webApps}/a`)).toMatchObject({
      code: 200,
      body: {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'a', group: 'example.com', kind: 'webapps', uid },
      },
    });
    const again = await api.send(`DELETE ${webApps}/a`);
    expect([again.code, again.body['message']]).toEqual([404, 'webapps.example.com "a" not found']);
  });

  test('API-X1: options come as body or query; a wrong policy, or two of them, is refused', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const policies = 'supported values: "Foreground", "Background", "Orphan", "nil"';
    const rows: [string, unknown, number, string][] = [
      [
        '?propagationPolicy=Nope',
        undefined,
        422,
        `DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Nope": ${policies}`,
      ],
      ['', { propagationPolicy: 'Nope' }, 422, policies],
      [
        '',
        { propagationPolicy: 'Orphan', orphanDependents: true },
        422,
        'propagationPolicy: Invalid value: "Orphan": orphanDependents and deletionPropagation cannot be both set',
      ],
      ['', { kind: 'Foo' }, 400, 'no kind "Foo" is registered for version "meta.k8s.io/v1"'],
      [
        '',
        'garbage',
        400,
        `couldn't get version/kind; json parse error: invalid character 'g' looking for beginning of value`,
      ],
    ];
    for (const [query, body, code, message] of rows) {
      const reply = await api.send(`DELETE ${configMaps}/a${query}`, body);
      expect([reply.code, reply.body['message']]).toEqual([code, expect.stringContaining(message)]);
    }
    const foreground = await api.ok(`DELETE ${configMaps}/a?propagationPolicy=Foreground`);
    expect(metadataOf(foreground)['finalizers']).toEqual(['foregroundDeletion']);
  });

  test.each([
    ['', { dryRun: 'All' }],
    ['', { dryRun: [1] }],
    ['', { preconditions: 'x' }],
    ['', { preconditions: { uid: 5 } }],
    ['', { preconditions: { resourceVersion: 5 } }],
    ['', { gracePeriodSeconds: 'x' }],
    ['', { gracePeriodSeconds: 1.5 }],
    ['', { orphanDependents: 'x' }],
    ['', { propagationPolicy: 5 }],
    ['?gracePeriodSeconds=abc', undefined],
    ['?gracePeriodSeconds=', undefined],
  ])('API-X1: options that cannot be read delete nothing: %s %j', async (query, options) => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    for (const path of [`${configMaps}/a`, configMaps]) {
      const { code, body } = await api.send(`DELETE ${path}${query}`, options);
      expect([code, body['reason']]).toEqual([400, 'BadRequest']);
    }
    expect(metadataOf(await api.ok(`GET ${configMaps}/a`))).not.toHaveProperty('deletionTimestamp');
  });

  test('API-X1: options that are null count as not given', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${configMaps}`, configMap('a'));
    const nothing = { dryRun: null, preconditions: { uid: null }, gracePeriodSeconds: null, propagationPolicy: null };
    expect((await api.ok(`DELETE ${configMaps}/a`, nothing))['status']).toBe('Success');
  });

  test('API-X3: preconditions on uid and version; details name the kind', async () => {
    await using api = new ServerUnderTest();
    const { uid, resourceVersion } = metadataOf(await api.ok(`POST ${configMaps}`, configMap('d1')));
    const other = await api.send(`DELETE ${configMaps}/d1`, { preconditions: { uid: 'zzz' } });
    expect([other.code, other.body['reason'], other.body['message'], other.body['details']]).toEqual([
      409,
      'Conflict',
      `Operation cannot be fulfilled on ConfigMap "d1": the UID in the precondition (zzz) does not match the UID in record (${uid}). The object might have been deleted and then recreated`,
      { name: 'd1', kind: 'ConfigMap' },
    ]);
    const stale = await api.send(`DELETE ${configMaps}/d1`, { preconditions: { resourceVersion: '1' } });
    expect([stale.code, stale.body['message']]).toEqual([
      409,
      `Operation cannot be fulfilled on ConfigMap "d1": the ResourceVersion in the precondition (1) does not match the ResourceVersion in record (${resourceVersion}). The object might have been modified`,
    ]);
    expect((await api.send(`DELETE ${configMaps}/d1`, { preconditions: { uid, resourceVersion } })).code).toBe(200);
  });
});

describe('an object with finalizers', () => {
  test('API-X2: is marked once; removing the last finalizer by any write deletes it and answers the object', async () => {
    await using api = await withWebApps();
    const created = await api.ok(`POST ${webApps}`, webApp('a', { metadata: { finalizers: ['a/b', 'c/d'] } }));
    await api.clock.advance(10_000);
    const marked = await api.ok(`DELETE ${webApps}/a`);
    expect(metadataOf(marked)).toMatchObject({
      deletionTimestamp: '2023-11-14T22:13:30Z',
      deletionGracePeriodSeconds: 0,
      generation: 2,
    });
    expect(metadataOf(marked)['resourceVersion']).not.toBe(metadataOf(created)['resourceVersion']);
    await api.clock.advance(10_000);
    expect(await api.ok(`DELETE ${webApps}/a`)).toEqual(marked);
    const revived = await api.ok(
      `PATCH ${webApps}/a`,
      { metadata: { deletionTimestamp: null, finalizers: ['c/d'] } },
      merge,
    );
    expect(metadataOf(revived)['deletionTimestamp']).toBe('2023-11-14T22:13:30Z');
    const put = { ...revived, metadata: { ...metadataOf(revived), finalizers: [] } };
    const released = await api.send(`PUT ${webApps}/a`, put);
    expect([released.code, metadataOf(released.body)['name']]).toEqual([200, 'a']);
    expect(metadataOf(released.body)).not.toHaveProperty('finalizers');
    expect((await api.send(`GET ${webApps}/a`)).code).toBe(404);
  });

  test('API-W8: pending is MODIFIED, gone is DELETED with nothing between', async () => {
    await using api = await withWebApps();
    await api.ok(`POST ${webApps}`, webApp('a', { metadata: { finalizers: ['a/b'] } }));
    const watch = await api.watch(`${webApps}?watch=1`);
    await api.ok(`PATCH ${webApps}/a`, { spec: { image: 'i' } }, merge);
    await api.ok(`PATCH ${webApps}/a`, { spec: { image: 'i' } }, merge);
    await api.ok(`DELETE ${webApps}/a`);
    await api.ok(`PATCH ${webApps}/a`, { metadata: { finalizers: null } }, merge);
    await api.clock.settle();
    expect(watch.seen).toEqual(['ADDED a', 'MODIFIED a', 'MODIFIED a', 'DELETED a']);
    const versions = watch.events.map(({ object }) => Number(metadataOf(object)['resourceVersion']));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(versions.length);
  });

  test('API-X5: each policy sets its finalizer, and overrides the one of an earlier policy', async () => {
    await using api = new ServerUnderTest();
    const remove = async (propagationPolicy: string): Promise<JsonObject> =>
      api.ok(`DELETE ${configMaps}/a`, { propagationPolicy });
    await api.ok(`POST ${configMaps}`, configMap('a', { metadata: { finalizers: ['a/b'] } }));
    expect(metadataOf(await remove('Foreground'))['finalizers']).toEqual(['a/b', 'foregroundDeletion']);
    expect(metadataOf(await remove('Orphan'))['finalizers']).toEqual(['a/b', 'orphan']);
    expect(metadataOf(await remove('Background'))['finalizers']).toEqual(['a/b']);
    const jobs = '/apis/batch/v1/namespaces/default/jobs';
    const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } };
    await api.ok(`POST ${jobs}`, { metadata: { name: 'j' }, spec: { template } });
    const job = await api.send(`DELETE ${jobs}/j`);
    expect(metadataOf(job.body)['finalizers']).toEqual(['orphan']);
    expect(job.warnings.join()).toContain('child pods are preserved by default when jobs are deleted');
    expect((await api.ok(`DELETE ${jobs}/j`, { propagationPolicy: 'Background' }))['status']).toBe('Success');
  });
});

describe('Pods', () => {
  test('API-X4: unscheduled or without grace they go at once, as objects; scheduled ones wait for a DELETE with grace 0', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${pods}`, pod('free'));
    const free = await api.ok(`DELETE ${pods}/free`);
    expect(metadataOf(free)).toMatchObject({ name: 'free', deletionGracePeriodSeconds: 0 });
    expect((await api.send(`GET ${pods}/free`)).code).toBe(404);

    await api.ok(`POST ${pods}`, pod('bound', {}, { nodeName: 'n' }));
    const bound = await api.ok(`DELETE ${pods}/bound`);
    expect(metadataOf(bound)).toMatchObject({
      deletionTimestamp: '2023-11-14T22:13:50Z',
      deletionGracePeriodSeconds: 30,
    });
    expect(await api.ok(`DELETE ${pods}/bound`, { gracePeriodSeconds: 40 })).toEqual(bound);
    const sooner = await api.ok(`DELETE ${pods}/bound`, { gracePeriodSeconds: 10 });
    expect(metadataOf(sooner)).toMatchObject({
      deletionTimestamp: '2023-11-14T22:13:30Z',
      deletionGracePeriodSeconds: 10,
    });
    await api.clock.advance(60_000);
    expect((await api.send(`GET ${pods}/bound`)).code).toBe(200);
    expect((await api.ok(`DELETE ${pods}/bound?gracePeriodSeconds=0`))['kind']).toBe('Pod');
    expect((await api.send(`GET ${pods}/bound`)).code).toBe(404);

    await api.ok(`POST ${pods}`, pod('own', {}, { nodeName: 'n', terminationGracePeriodSeconds: 7 }));
    expect(metadataOf(await api.ok(`DELETE ${pods}/own`))['deletionGracePeriodSeconds']).toBe(7);
  });

  test('with finalizers stay beyond their grace, and removing those during the grace does not end it', async () => {
    await using api = new ServerUnderTest();
    await api.ok(`POST ${pods}`, pod('p', { finalizers: ['a/b'] }, { nodeName: 'n' }));
    await api.ok(`DELETE ${pods}/p`, { gracePeriodSeconds: 5 });
    await api.ok(`PATCH ${pods}/p`, { metadata: { finalizers: null } }, merge);
    expect((await api.send(`GET ${pods}/p`)).code).toBe(200);
    await api.ok(`DELETE ${pods}/p`, { gracePeriodSeconds: 0 });
    expect((await api.send(`GET ${pods}/p`)).code).toBe(404);
  });
});

describe('collections', () => {
  test('API-X8, API-X3: preconditions hold for each object', async () => {
    await using api = new ServerUnderTest();
    const { uid } = metadataOf(await api.ok(`POST ${configMaps}`, configMap('a')));
    for (const preconditions of [{ uid: 'zzz' }, { resourceVersion: '1' }]) {
      const { code, body } = await api.send(`DELETE ${configMaps}`, { preconditions });
      expect([code, body['reason']]).toEqual([409, 'Conflict']);
      expect((await api.send(`GET ${configMaps}/a`)).code).toBe(200);
    }
    await api.ok(`DELETE ${configMaps}`, { preconditions: { uid } });
    expect((await api.send(`GET ${configMaps}/a`)).code).toBe(404);
  });

  test('API-X8: selectors, limit, propagation and dryRun count, and the answer is the list as it was', async () => {
    await using api = new ServerUnderTest();
    for (const name of ['a', 'b', 'c', 'd']) {
      await api.ok(`POST ${configMaps}`, configMap(name, { metadata: { labels: { n: name } } }));
    }
    const names = (list: JsonObject): unknown[] =>
      (list['items'] as JsonObject[]).map((item) => metadataOf(item)['name']);
    const left = async (): Promise<unknown[]> => names(await api.ok(`GET ${configMaps}`));
    const dry = await api.ok(`DELETE ${configMaps}?labelSelector=n+in+(a,b)&dryRun=All`);
    expect([dry['kind'], names(dry), await left()]).toEqual(['ConfigMapList', ['a', 'b'], ['a', 'b', 'c', 'd']]);
    expect(names(await api.ok(`DELETE ${configMaps}?labelSelector=n+in+(a,b)`))).toEqual(['a', 'b']);
    expect(await left()).toEqual(['c', 'd']);
    expect(names(await api.ok(`DELETE ${configMaps}?limit=1`))).toEqual(['c']);
    expect(await left()).toEqual(['d']);
    const kept = await api.ok(`DELETE ${configMaps}?fieldSelector=metadata.name=d`, { propagationPolicy: 'Orphan' });
    expect(names(kept)).toEqual(['d']);
    expect(metadataOf(await api.ok(`GET ${configMaps}/d`))).toMatchObject({ finalizers: ['orphan'] });
    expect((await api.send(`DELETE ${configMaps}?fieldSelector=foo=bar`)).code).toBe(400);
    expect((await api.send(`DELETE ${configMaps}?propagationPolicy=x`)).code).toBe(422);
  });
});
