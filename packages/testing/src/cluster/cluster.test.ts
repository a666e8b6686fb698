// What cluster() promises on the embedded server, and what it refuses wherever it is to run.
import type { Operator } from 'kilter';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { type Runtime, systemRuntime, virtualRuntime } from 'kilter/runtime';
import { afterEach, describe, expect, expectTypeOf, test, vi } from 'vitest';
import { type Cluster, cluster, type ControlPlaneCluster, type EmbeddedCluster } from './index.ts';
import type { ControlPlane } from '../controlplane/index.ts';
import type { ApiServer } from '@kilter/apiserver';
import { Note, notesOperator } from './backends.test-support.ts';

afterEach(() => vi.unstubAllEnvs());

describe('the backend', () => {
  test('is the embedded server unless something else is said', async () => {
    await using env = await cluster();
    expect(env.backend).toBe('embedded');
  });

  test('is what the environment says, and that must be one there is', async () => {
    vi.stubEnv('KILTER_BACKEND', 'minikube');
    await expect(cluster()).rejects.toMatchObject({
      code: 'TESTING_BACKEND_UNKNOWN',
      cure: 'choose one of embedded, control-plane, existing',
    });
    vi.stubEnv('KILTER_BACKEND', '');
    await using env = await cluster();
    expect(env.backend).toBe('embedded');
  });

  test('is what the test says, whatever the environment says', async () => {
    vi.stubEnv('KILTER_BACKEND', 'minikube');
    await using env = await cluster({ backend: 'embedded' });
    expect(env.server.requests).toEqual([]);
  });

  test.each(['control-plane', 'existing'] as const)('a virtual clock cannot move the time of %s', async (backend) => {
    const runtime: Runtime = virtualRuntime();
    await expect(cluster({ backend, runtime, context: 'x' })).rejects.toMatchObject({
      code: 'TESTING_VIRTUAL_TIME',
      message: expect.stringContaining(`the backend ${backend} cannot use a virtual clock`) as string,
      cure: expect.stringContaining("backend: 'embedded'") as string,
    });
    vi.stubEnv('KILTER_BACKEND', backend);
    await expect(cluster({ runtime })).rejects.toThrow(`the backend ${backend} ($KILTER_BACKEND) cannot`);
    await using env = await cluster({ runtime, backend: 'embedded' });
    expect(env.backend).toBe('embedded');
  });

  test('what only one of them has is there by type where it is chosen, and nowhere else', async () => {
    const runtime = virtualRuntime();
    await using named = await cluster({ backend: 'embedded' });
    expectTypeOf(named).toEqualTypeOf<EmbeddedCluster>();
    expectTypeOf(named.server).toEqualTypeOf<ApiServer>();
    await using virtual = await cluster({ runtime, kinds: [Note] });
    expectTypeOf(virtual).toEqualTypeOf<EmbeddedCluster>();
    expect(virtual.server.registry).toBeDefined();
    await using open = await cluster({ runtime: systemRuntime });
    expectTypeOf(open).toEqualTypeOf<Cluster>();
    expectTypeOf(open).not.toHaveProperty('server');
    const typesOnly = (): unknown => [
      expectTypeOf(cluster({ backend: 'control-plane' })).toEqualTypeOf<Promise<ControlPlaneCluster>>(),
      expectTypeOf<ControlPlaneCluster['controlPlane']>().toEqualTypeOf<ControlPlane>(),
      expectTypeOf(cluster({ backend: 'existing', context: 'kind-dev' })).toEqualTypeOf<Promise<Cluster>>(),
      expectTypeOf(cluster({})).toEqualTypeOf<Promise<Cluster>>(),
      // @ts-expect-error no such backend
      cluster({ backend: 'minikube' }),
      // @ts-expect-error no such option
      cluster({ contxt: 'kind-dev' }),
    ];
    expect(typesOnly).toBeTypeOf('function');
  });
});

describe('waiting', () => {
  test('says which look was the last to see what has gone since', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, objects: [ConfigMap.build({ name: 'a', data: { k: 'v' } })] });
    let looks = 0;
    const wait = env.eventually(ConfigMap, 'a', async () => {
      if ((looks += 1) === 3) await env.client.delete(ConfigMap, 'a');
      return false;
    });
    await expect(wait).rejects.toThrow(
      /^waited 10 s for ConfigMap a; the last of 1001 attempts:\nit does not exist\nlast seen in attempt 3: .*"data":\{"k":"v"\}/,
    );
  });

  test('moves virtual time for an answer that a fault delays, and for one that never comes', async () => {
    const runtime = virtualRuntime();
    const object = ConfigMap.build({ name: 'a', data: { k: 'v' } });
    const env = await cluster({ runtime, objects: [object] });
    env.server.fail({ verb: 'get', kind: 'ConfigMap', times: 2, fault: { type: 'delay', ms: 500 } });
    const before = runtime.clock.now();
    await env.eventually(ConfigMap, 'a', { data: { k: 'v' } });
    expect(runtime.clock.now() - before).toBe(500);
    const gone = env.gone(ConfigMap, 'a', { within: '1s' });
    await expect(gone).rejects.toThrow('it is still there: nobody has deleted it');
    await env[Symbol.asyncDispose]();
    await expect(env.eventually(ConfigMap, 'a', {})).rejects.toThrow('the API server was closed');
  });

  test('says the namespace where it is not the usual one', async () => {
    await using env = await cluster({ runtime: virtualRuntime() });
    const ref = { name: 'a', namespace: 'shop' };
    await expect(env.eventually(ConfigMap, ref, {}, { within: '1s' })).rejects.toThrow(
      'waited 1 s for ConfigMap shop/a;',
    );
  });

  test('shows the last assertion that failed', async () => {
    const object = ConfigMap.build({ name: 'a', data: { k: 'v' } });
    await using env = await cluster({ runtime: virtualRuntime(), objects: [object] });
    const wait = env.eventually(ConfigMap, 'a', ({ data }) => expect(data?.['k']).toBe('w'), { within: '1s' });
    await expect(wait).rejects.toThrow(/the last of 101 attempts:\nexpected 'v' to be 'w'/);
  });

  test('says so when the operator has ended', async () => {
    await using env = await cluster({ runtime: virtualRuntime() });
    await env.start({
      ...notesOperator(),
      start: async (options) => {
        const manager = await notesOperator().start(options);
        return { ...manager, done: Promise.reject(new Error('the lease is lost')) };
      },
    });
    const wait = env.eventually(ConfigMap, 'never', {}, { within: '1s' });
    await expect(wait).rejects.toThrow('the operator notes ended: Error: the lease is lost');
  });
});

test('objects may be of a kind that only the operator brings', async () => {
  const objects = [Note.build({ name: 'a', spec: { text: 'x' } })];
  await using env = await cluster({ runtime: virtualRuntime(), operator: notesOperator(), objects });
  await env.eventually(Note, 'a', { spec: { text: 'x' } });
});

describe('a cluster that does not come up', () => {
  const noStart = (started: string[]): Operator => ({
    ...notesOperator(),
    start: () => {
      started.push('tried');
      return Promise.reject(new Error('no licence'));
    },
  });

  test('says why, and ends the operators that were started before', async () => {
    const managers: { stopped: boolean }[] = [];
    const first: Operator = {
      ...notesOperator(),
      start: async (options) => {
        const manager = await notesOperator().start(options);
        const seen = { stopped: false };
        managers.push(seen);
        void manager.done.then(() => (seen.stopped = true));
        return manager;
      },
    };
    const opening = cluster({ runtime: virtualRuntime(), operator: [first, noStart([])] });
    await expect(opening).rejects.toMatchObject({ cause: expect.objectContaining({ message: 'no licence' }) as Error });
    expect(managers).toEqual([{ stopped: true }]);
  });

  test('starts no operator when an object is refused', async () => {
    const started: string[] = [];
    const bad = { ...Note.build({ name: 'a', spec: { text: 'x' } }), spec: { text: '' } } as Note;
    const opening = cluster({ kinds: [Note], objects: [bad], operator: noStart(started) });
    await expect(opening).rejects.toThrow('spec.text in body should be at least 1 chars long');
    expect(started).toEqual([]);
  });
});

describe('an operator that fails', () => {
  const failing = (): Operator => {
    const notes = notesOperator();
    return {
      ...notes,
      start: async (options) => {
        const manager = await notes.start(options);
        const failure = manager.done.then(() => Promise.reject(new Error('the disk is full')));
        failure.catch(() => undefined);
        const stop = (): Promise<void> => (void manager.stop(), failure);
        return Object.defineProperties(
          { ...manager, done: failure, stop },
          { leading: { get: () => manager.leading } },
        );
      },
    };
  };

  test('makes the end of the cluster fail where nobody has asked', async () => {
    const env = await cluster({ operator: failing() });
    await expect(env[Symbol.asyncDispose]()).rejects.toThrow('the disk is full');
  });

  test('is not told again to a test that dealt with it through done', async () => {
    const env = await cluster({ operator: failing() });
    const [manager] = env.managers;
    const ended = manager?.done.catch(String);
    await env[Symbol.asyncDispose]();
    expect(await ended).toBe('Error: the disk is full');
  });

  test('is not told again to a test that stopped it', async () => {
    const env = await cluster();
    const manager = await env.start(failing());
    await expect(manager.stop()).rejects.toThrow('the disk is full');
    await env[Symbol.asyncDispose]();
  });
});

test('disposing twice ends it once', async () => {
  const env = await cluster({ operator: notesOperator() });
  await Promise.all([env[Symbol.asyncDispose](), env[Symbol.asyncDispose]()]);
  await env[Symbol.asyncDispose]();
  expect(await env.managers[0]?.done).toBeUndefined();
});

test('the harness installs a definition again that is being taken away', async () => {
  await using env = await cluster({ runtime: virtualRuntime(), kinds: [Note] });
  const name = 'notes.harness.example.com';
  const first = await env.client.get(CustomResourceDefinition, name);
  await env.client.patch(CustomResourceDefinition, name, { metadata: { finalizers: ['example.com/held'] } });
  await env.client.delete(CustomResourceDefinition, name);
  const again = env.install(Note);
  await env.client.patch(CustomResourceDefinition, name, { metadata: { finalizers: null } });
  await again;
  const second = await env.client.get(CustomResourceDefinition, name);
  expect(second.metadata.uid).not.toBe(first.metadata.uid);
});
