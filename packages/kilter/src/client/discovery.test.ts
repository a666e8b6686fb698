import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { hasCode, isUnavailable } from '../errors/index.ts';
import { type Answer, failure, refused, type Seen, world } from './scripted-client.test-support.ts';

const plain = (apiVersion: string, kindName: string): KubeObject => ({
  apiVersion,
  kind: kindName,
  metadata: { name: 'x' },
});
const gadget = {
  name: 'gadgets',
  singularName: 'gadget',
  kind: 'Gadget',
  namespaced: true,
  verbs: ['get', 'list'],
  shortNames: ['gd'],
  categories: ['all'],
};
const resources: Answer = {
  body: {
    kind: 'APIResourceList',
    groupVersion: 'acme.io/v1',
    resources: [
      gadget,
      { name: 'gadgets/scale', kind: 'Scale', group: 'autoscaling', version: 'v1', namespaced: true, verbs: ['get'] },
      { name: 'racks', kind: 'Rack', namespaced: false, verbs: ['get'] },
    ],
  },
};
const missing: Answer = { status: 404, body: '404 page not found\n', type: 'text/plain' };
const asked = (seen: readonly Seen[]): string[] => seen.map(({ method, path }) => `${method} ${path}`);

describe('the kind of a plain object', () => {
  test('is asked from the server once', async () => {
    const { client, seen } = world([resources, { body: {} }]);
    await client.create(plain('acme.io/v1', 'Gadget'));
    await client.create(plain('acme.io/v1', 'Rack'));
    await client.update(plain('acme.io/v1', 'Gadget'));
    expect(asked(seen)).toEqual([
      'GET /apis/acme.io/v1',
      'POST /apis/acme.io/v1/namespaces/mine/gadgets',
      'POST /apis/acme.io/v1/racks',
      'PUT /apis/acme.io/v1/namespaces/mine/gadgets/x',
    ]);
  });

  test('is asked once by all who want it at the same time, and one who leaves ends it for nobody', async () => {
    const { client, seen } = world(({ method }) => (method === 'GET' ? resources : { body: {} }));
    const controller = new AbortController();
    const left = failure(client.create(plain('acme.io/v1', 'Gadget'), { signal: controller.signal }));
    const stayed = [client.create(plain('acme.io/v1', 'Gadget')), client.create(plain('acme.io/v1', 'Rack'))];
    controller.abort(new Error('enough'));
    expect(await left).toEqual(new Error('enough'));
    await Promise.all(stayed);
    expect(asked(seen).filter((request) => request.startsWith('GET'))).toEqual(['GET /apis/acme.io/v1']);
  });

  test.each<[string, Answer]>([
    ['the group', missing],
    ['the kind', { body: { resources: [] } }],
  ])(
    'a server that does not know %s: a coded error, and asked again not more than every two seconds',
    async (...row) => {
      const { client, seen, clock } = world([row[1]]);
      const misses = async (): Promise<number> => {
        const error = await failure(client.create(plain('acme.io/v1', 'Gadget')));
        expect(hasCode(error, 'CLIENT_KIND_UNKNOWN')).toBe(true);
        expect(String(error)).toContain('Gadget in acme.io/v1');
        return seen.length;
      };
      expect([await misses(), await misses(), await misses()]).toEqual([1, 1, 1]);
      await clock.advance(2_001);
      expect([await misses(), await misses()]).toEqual([2, 2]);
    },
  );

  test('one installed since is found', async () => {
    const before = { body: { resources: [{ name: 'racks', kind: 'Rack' }] } };
    const { client, seen, clock } = world([before, { body: {} }, resources, { body: {} }]);
    await client.create(plain('acme.io/v1', 'Rack'));
    await clock.advance(2_001);
    await client.create(plain('acme.io/v1', 'Gadget'));
    expect(seen.at(-1)?.path).toBe('/apis/acme.io/v1/namespaces/mine/gadgets');
  });

  test('one whose definition this client installs is looked for at once', async () => {
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'gadgets.acme.io' },
    };
    let installed = false;
    const { client } = world(({ method, path }) => {
      if (path === '/apis/apiextensions.k8s.io/v1') {
        return { body: { resources: [{ name: 'customresourcedefinitions', kind: 'CustomResourceDefinition' }] } };
      }
      if (path === '/apis/acme.io/v1') return installed ? resources : missing;
      if (method === 'POST' && path.endsWith('customresourcedefinitions')) installed = true;
      return { body: {} };
    });
    expect(hasCode(await failure(client.kind('acme.io/v1', 'Gadget')), 'CLIENT_KIND_UNKNOWN')).toBe(true);
    await client.create(definition);
    expect((await client.kind('acme.io/v1', 'Gadget')).names.plural).toBe('gadgets');
  });

  test('what was found is asked for again after ten minutes', async () => {
    const { client, seen, clock } = world([resources]);
    await client.kind('acme.io/v1', 'Gadget');
    await clock.advance(600_000);
    await client.kind('acme.io/v1', 'Gadget');
    expect(seen).toHaveLength(1);
    await clock.advance(1);
    await client.kind('acme.io/v1', 'Gadget');
    expect(seen).toHaveLength(2);
  });

  test('B-37: a group that does not answer is named, is not an unknown kind, and does not touch another', async () => {
    const { client } = world(({ method, path }) => {
      if (path.startsWith('/apis/metrics.k8s.io')) return refused(503, 'ServiceUnavailable');
      return method === 'GET' ? resources : { body: {} };
    });
    const error = await failure(client.create(plain('metrics.k8s.io/v1beta1', 'PodMetrics')));
    expect(hasCode(error, 'CLIENT_DISCOVERY_FAILED')).toBe(true);
    expect(hasCode(error, 'CLIENT_KIND_UNKNOWN')).toBe(false);
    expect(isUnavailable(error)).toBe(true);
    expect(String(error)).toContain('metrics.k8s.io');
    await client.create(plain('acme.io/v1', 'Gadget'));
  });

  test.each(['', '../../api', 'a/b/v1', 'v1?x=', 'acme.io/__proto__'])(
    'apiVersion %j is asked nowhere',
    async (apiVersion) => {
      const { client, seen } = world([{ body: {} }]);
      expect(hasCode(await failure(client.create(plain(apiVersion, 'X'))), 'CLIENT_KIND_UNKNOWN')).toBe(true);
      expect(seen).toEqual([]);
    },
  );

  test.each(['constructor', '__proto__', 'toString'])('J-03: a kind named %s is one like any other', async (name) => {
    const body = `{"resources":[{"name":"odd","kind":${JSON.stringify(name)},"namespaced":true}]}`;
    const { client } = world([{ body }, { body: '{"resources":[]}' }]);
    expect((await client.kind('acme.io/v1', name)).names.plural).toBe('odd');
    expect(hasCode(await failure(client.kind('beta.io/v1', name)), 'CLIENT_KIND_UNKNOWN')).toBe(true);
  });
});

describe('a kind this program does not know', () => {
  test('is got from the server with all its names, and works in every verb', async () => {
    const { client, seen } = world(({ path }) =>
      path === '/apis/acme.io/v1' ? resources : { body: { metadata: { name: 'a' }, spec: { size: 1 }, items: [] } },
    );
    const Gadget = await client.kind('acme.io/v1', 'Gadget');
    expect(Gadget.names).toMatchObject({
      group: 'acme.io',
      version: 'v1',
      kind: 'Gadget',
      plural: 'gadgets',
      singular: 'gadget',
      listKind: 'GadgetList',
      shortNames: ['gd'],
      scope: 'Namespaced',
    });
    const read = await client.get(Gadget, 'a');
    expect(read).toEqual({
      apiVersion: 'acme.io/v1',
      kind: 'Gadget',
      metadata: { name: 'a' },
      spec: { size: 1 },
      items: [],
    });
    await client.list(Gadget);
    await client.patch(Gadget, 'a', { spec: { size: 2 } });
    expect(asked(seen).slice(1)).toEqual([
      'GET /apis/acme.io/v1/namespaces/mine/gadgets/a',
      'GET /apis/acme.io/v1/gadgets',
      'PATCH /apis/acme.io/v1/namespaces/mine/gadgets/a',
    ]);
  });
});

const aggregated = (items: object[]): Answer => ({ body: { kind: 'APIGroupDiscoveryList', items } });
const acme = {
  metadata: { name: 'acme.io' },
  versions: [
    {
      version: 'v1',
      freshness: 'Current',
      resources: [
        {
          resource: 'gadgets',
          responseKind: { group: '', version: '', kind: 'Gadget' },
          scope: 'Namespaced',
          singularResource: 'gadget',
          verbs: ['get', 'list'],
          shortNames: ['gd'],
          categories: ['all'],
          subresources: [
            {
              subresource: 'scale',
              responseKind: { group: 'autoscaling', version: 'v1', kind: 'Scale' },
              verbs: ['get'],
            },
          ],
        },
        { resource: 'racks', responseKind: { kind: 'Rack' }, scope: 'Cluster', verbs: ['get'] },
      ],
    },
  ],
};
const nodes = {
  metadata: {},
  versions: [{ version: 'v1', resources: [{ resource: 'nodes', responseKind: { kind: 'Node' }, scope: 'Cluster' }] }],
};

describe('everything the server serves', () => {
  const modern = ({ path }: Seen): Answer => aggregated(path === '/api' ? [nodes] : [acme]);

  test('is asked for at once, in two requests, and kept', async () => {
    const { client, seen, accepted } = world(modern);
    const { kinds, failed } = await client.discovery.all();
    expect(kinds.map(({ group, version, kind, scope }) => `${group}/${version} ${kind} ${scope}`)).toEqual([
      '/v1 Node Cluster',
      'acme.io/v1 Gadget Namespaced',
      'acme.io/v1 Rack Cluster',
    ]);
    expect(kinds[1]).toMatchObject({
      plural: 'gadgets',
      singular: 'gadget',
      shortNames: ['gd'],
      categories: ['all'],
      verbs: ['get', 'list'],
      subresources: [{ name: 'scale', kind: 'Scale', verbs: ['get'] }],
    });
    expect(failed).toEqual([]);
    await Promise.all([client.discovery.all(), client.discovery.all()]);
    expect(asked(seen)).toEqual(['GET /api', 'GET /apis']);
    expect(new Set(accepted)).toEqual(
      new Set(['application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json']),
    );
    client.discovery.forget();
    await client.discovery.all();
    expect(seen).toHaveLength(4);
  });

  const old = ({ path }: Seen): Answer => {
    switch (path) {
      case '/api':
        return { body: { kind: 'APIVersions', versions: ['v1'] } };
      case '/apis':
        return {
          body: {
            kind: 'APIGroupList',
            groups: [
              { name: 'acme.io', versions: [{ groupVersion: 'acme.io/v1', version: 'v1' }] },
              { name: 'metrics.k8s.io', versions: [{ groupVersion: 'metrics.k8s.io/v1beta1', version: 'v1beta1' }] },
            ],
          },
        };
      case '/apis/acme.io/v1':
        return resources;
      case '/api/v1':
        return { body: { resources: [{ name: 'nodes', kind: 'Node', namespaced: false }] } };
      default:
        return refused(503, 'ServiceUnavailable');
    }
  };

  test('B-37: an old server is asked group by group; one that does not answer is named and hides no other', async () => {
    const { client, seen, clock } = world(old);
    const { kinds, failed } = await client.discovery.all();
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(['Gadget', 'Node', 'Rack']);
    expect(kinds.find(({ kind }) => kind === 'Gadget')?.subresources).toEqual([
      { name: 'scale', kind: 'Scale', verbs: ['get'] },
    ]);
    expect(failed.map(({ apiVersion }) => apiVersion)).toEqual(['metrics.k8s.io/v1beta1']);
    expect(String(failed[0]?.error)).toContain('metrics.k8s.io');
    expect(isUnavailable(failed[0]?.error)).toBe(true);
    // What failed is asked for again, though not at once.
    const before = seen.length;
    await client.discovery.all();
    expect(seen).toHaveLength(before);
    await clock.advance(2_001);
    await client.discovery.all();
    expect(seen.length).toBeGreaterThan(before);
  });

  test('B-37: a modern server says itself which group is stale', async () => {
    const stale = { metadata: { name: 'metrics.k8s.io' }, versions: [{ version: 'v1beta1', freshness: 'Stale' }] };
    const { client } = world(({ path }) => aggregated(path === '/api' ? [nodes] : [stale, acme]));
    const { kinds, failed } = await client.discovery.all();
    expect(kinds).toHaveLength(3);
    expect(failed.map(({ error }) => [error.code, error.message.includes('metrics.k8s.io')])).toEqual([
      ['CLIENT_DISCOVERY_FAILED', true],
    ]);
  });

  test('a server that takes no such question is asked in the old form', async () => {
    let refusals = 0;
    const { client, accepted } = world((request) => {
      const aggregatedAsked = accepted.at(-1)?.includes('apidiscovery') === true;
      if (aggregatedAsked) refusals += 1;
      return aggregatedAsked ? refused(406, 'NotAcceptable') : old(request);
    });
    expect((await client.discovery.all()).kinds).toHaveLength(3);
    expect(refusals).toBe(2);
  });

  test('a server that does not answer at all is an error', async () => {
    const { client } = world([refused(500, 'InternalError')]);
    const error = await failure(client.discovery.all());
    expect(hasCode(error, 'CLIENT_DISCOVERY_FAILED')).toBe(true);
    expect(isUnavailable(error)).toBe(true);
  });
});
