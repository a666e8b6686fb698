// On a cluster that others use as well: it is chosen by name, and left as it was found.
import { writeFileSync } from 'node:fs';
import { controller, operator, type Operator } from 'kilter';
import type { Kind } from 'kilter/api';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { ConfigMap, Namespace } from 'kilter/k8s/core/v1';
import { Lease } from 'kilter/k8s/coordination/v1';
import { connectTo, type Runtime, systemRuntime } from 'kilter/runtime';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { cluster, type ClusterOptions } from './index.ts';
import { Note, notesOperator, servedCluster, type ServedCluster } from './backends.test-support.ts';

let there: ServedCluster;
beforeEach(async () => {
  there = await servedCluster();
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await there[Symbol.asyncDispose]();
});

const others = () => connectTo(there.server.connection('somebody else'));
const definition = 'notes.harness.example.com';
const open = (options: ClusterOptions = {}) =>
  cluster({ context: 'kilter', kubeconfig: there.kubeconfig, ...options, backend: 'existing' });

/** Time that flies, for what waits long; slow enough for requests, whose deadlines fly with it. */
const speed = 15;
const hurried: Runtime = {
  ...systemRuntime,
  clock: {
    ...systemRuntime.clock,
    monotonic: () => systemRuntime.clock.monotonic() * speed,
    timer: (ms, callback) => systemRuntime.clock.timer(ms / speed, callback),
    sleep: (ms, signal) => systemRuntime.clock.sleep(ms / speed, signal),
  },
};

/** Everything in the cluster that somebody could miss or find, but for what the server keeps for itself. */
async function inventory(): Promise<string[]> {
  const client = others();
  const kinds: Kind[] = [CustomResourceDefinition, Namespace, ConfigMap, Lease];
  const found = await Promise.all(
    kinds.map(async (kind) =>
      (await client.list(kind)).map(
        ({ metadata }) => `${kind.names.kind} ${metadata.namespace ?? ''}/${metadata.name}`,
      ),
    ),
  );
  return found
    .flat()
    .filter((name) => !name.endsWith('/kube-root-ca.crt'))
    .toSorted();
}

describe('the context', () => {
  const contexts = (...names: string[]): void => {
    const text = {
      'current-context': 'prod',
      clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
      contexts: names.map((name) => ({ name, context: { cluster: 'c' } })),
    };
    writeFileSync(there.kubeconfig, JSON.stringify(text));
  };

  test('is never the current one by accident: without a name it is refused, and those there are are named', async () => {
    contexts('prod', 'kind-dev');
    // It says where operators run, and may well be set where tests are run.
    vi.stubEnv('KILTER_CONTEXT', 'prod');
    await expect(cluster({ backend: 'existing', kubeconfig: there.kubeconfig })).rejects.toMatchObject({
      code: 'TESTING_CONTEXT_MISSING',
      message: expect.stringContaining('there are prod, kind-dev (') as string,
      cure: expect.stringContaining("context: 'kind-dev'") as string,
    });
    vi.stubEnv('KILTER_BACKEND', 'existing');
    await expect(cluster({ kubeconfig: there.kubeconfig })).rejects.toMatchObject({ code: 'TESTING_CONTEXT_MISSING' });
    await expect(cluster({ kubeconfig: there.kubeconfig, context: '' })).rejects.toMatchObject({
      code: 'TESTING_CONTEXT_MISSING',
    });
  });

  test('is refused without a name where there is none to choose, too', async () => {
    contexts();
    await expect(cluster({ backend: 'existing', kubeconfig: there.kubeconfig })).rejects.toThrow('there are none (');
    const missing = cluster({ backend: 'existing', kubeconfig: `${there.kubeconfig}-missing` });
    await expect(missing).rejects.toMatchObject({ code: 'CONFIG_NOT_FOUND' });
  });

  test('must be one there is', async () => {
    contexts('prod', 'kind-dev');
    await expect(open({ context: 'kind' })).rejects.toThrow(/there is no context "kind"; it has prod, kind-dev/);
  });

  test('may come from the environment, by a variable of its own', async () => {
    vi.stubEnv('KILTER_BACKEND', 'existing');
    vi.stubEnv('KILTER_TEST_CONTEXT', 'kilter');
    await using env = await cluster({ kubeconfig: there.kubeconfig });
    expect(env.backend).toBe('existing');
  });
});

describe('what was created is taken away', () => {
  test('objects, definition, namespace, Lease and the operator’s own, those elsewhere included', async () => {
    const before = await inventory();
    {
      await using env = await open({ operator: notesOperator({ leaderElection: true }) });
      await env.client.create(Note.build({ name: 'a', spec: { text: 'hello' } }));
      await env.client.create(Note.build({ name: 'b', namespace: 'default', spec: { text: 'hello' } }));
      await env.client.apply(ConfigMap.build({ name: 'c', namespace: 'default' }), { manager: 'me' });
      await env.eventually(Note, { name: 'b', namespace: 'default' }, { status: { copied: 'hello' } });
      const during = await inventory();
      expect(during).toEqual(expect.arrayContaining([`Lease ${env.namespace}/notes`, 'ConfigMap default/b']));
      expect(during).toContain(`CustomResourceDefinition /${definition}`);
    }
    const left = await inventory();
    const isOwn = (name: string): boolean => name.startsWith('Namespace /kilter-test-');
    expect(left.filter((name) => !isOwn(name))).toEqual(before);
    // Nobody waits for the end of a namespace, which may take a while; it is under way.
    const ending = (await others().list(Namespace)).filter(({ metadata }) => isOwn(`Namespace /${metadata.name}`));
    expect(ending.every(({ metadata }) => metadata.deletionTimestamp !== undefined)).toBe(true);
  });

  test('even where cluster() itself fails half way', async () => {
    const before = await inventory();
    const failing: Operator = { ...notesOperator(), start: () => Promise.reject(new Error('no licence')) };
    await expect(open({ operator: failing })).rejects.toThrow('the cluster could not be started');
    expect((await inventory()).filter((name) => !name.startsWith('Namespace /kilter-test-'))).toEqual(before);
  });

  test('and where that fails, too, both failures are reported', async () => {
    const failing: Operator = { ...notesOperator(), start: () => Promise.reject(new Error('no licence')) };
    const held = ConfigMap.build({ name: 'held' });
    const objects = [{ ...held, metadata: { ...held.metadata, finalizers: ['example.com/held'] } }];
    const opening = open({ operator: failing, objects, runtime: hurried });
    await expect(opening).rejects.toBeInstanceOf(AggregateError);
    await expect(opening).rejects.toThrow(
      /could not be started: Error: no licence; and not ended: .*TESTING_LEFT_BEHIND/,
    );
  });

  test('what an operator left that cannot be does not keep the definition and the namespace', async () => {
    const keeping = controller(Note).reconcile(async (note, { client }) => {
      const held = ConfigMap.build({ name: `${note.metadata.name}-held`, namespace: 'default' });
      await client.create({ ...held, metadata: { ...held.metadata, finalizers: ['example.com/held'] } });
    });
    const env = await open({ operator: operator({ name: 'keeping', controllers: [keeping] }), runtime: hurried });
    await env.client.create(Note.build({ name: 'a', spec: { text: 'hello' } }));
    await env.eventually(ConfigMap, { name: 'a-held', namespace: 'default' }, {});
    await expect(env[Symbol.asyncDispose]()).rejects.toThrow(
      'ConfigMap default/a-held (finalizers ["example.com/held"])',
    );
    expect(await inventory()).not.toContain(`CustomResourceDefinition /${definition}`);
    const namespace = await others().find(Namespace, env.namespace);
    expect(namespace === undefined || namespace.metadata.deletionTimestamp !== undefined).toBe(true);
  });

  test('and what cannot be is named', async () => {
    const env = await open({ runtime: hurried });
    const held = ConfigMap.build({ name: 'held' });
    await env.client.create({ ...held, metadata: { ...held.metadata, finalizers: ['example.com/held'] } });
    await expect(env[Symbol.asyncDispose]()).rejects.toMatchObject({
      code: 'TESTING_LEFT_BEHIND',
      message: expect.stringContaining(`ConfigMap ${env.namespace}/held (finalizers ["example.com/held"])`) as string,
    });
  });
});

describe('what was there before', () => {
  test('stays, also where the test has changed it, and so does its definition', async () => {
    const client = others();
    await client.create(Note.manifest());
    await client.create(ConfigMap.build({ name: 'shared', namespace: 'default', data: { k: 'v' } }));
    const before = await inventory();
    {
      await using env = await open({ operator: notesOperator() });
      await env.client.patch(ConfigMap, { name: 'shared', namespace: 'default' }, { data: { k: 'w' } });
      await env.client.create(Note.build({ name: 'new', spec: { text: 'new' } }));
      await env.eventually(Note, 'new', { status: { copied: 'new' } });
    }
    const remaining = (await inventory()).filter((name) => !name.startsWith('Namespace /kilter-test-'));
    expect(remaining).toEqual(before);
    expect(await client.list(Note)).toEqual([]);
  });

  test('is not given to an operator under test, unless the test says so', async () => {
    const client = others();
    await client.create(Note.manifest());
    const theirs = { name: 'theirs', namespace: 'default' };
    await client.create(Note.build({ ...theirs, spec: { text: 'theirs' } }));
    await expect(open({ operator: notesOperator() })).rejects.toMatchObject({
      code: 'TESTING_FOREIGN_OBJECTS',
      message: expect.stringContaining('would act on Note.harness.example.com default/theirs') as string,
    });
    expect((await client.get(Note, theirs)).metadata.finalizers).toBeUndefined();
    await using env = await open({ operator: notesOperator(), amongOthers: true });
    await env.eventually(Note, theirs, { status: { copied: 'theirs' } });
  });
});
