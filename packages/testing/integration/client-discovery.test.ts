import { KilterError } from 'kilter';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { virtualRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { App, appCluster, failure } from './client-app.test-support.ts';

const gadgets = CustomResourceDefinition.build({
  name: 'gadgets.acme.example',
  spec: {
    group: 'acme.example',
    names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', listKind: 'GadgetList', shortNames: ['gd'] },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        },
      },
    ],
  },
});

test('kinds nobody imported: found, written, read and watched as plain objects', async () => {
  await using env = await cluster({ runtime: virtualRuntime() });
  const { client } = env;
  const unknown = await failure(client.kind('acme.example/v1', 'Gadget'));
  expect(unknown instanceof KilterError && unknown.code).toBe('CLIENT_KIND_UNKNOWN');
  await client.create(gadgets);
  await env.eventually(CustomResourceDefinition, 'gadgets.acme.example', ({ status }) =>
    (status?.conditions ?? []).some(({ type, status: is }) => type === 'Established' && is === 'True'),
  );
  const made = await client.create({
    apiVersion: 'acme.example/v1',
    kind: 'Gadget',
    metadata: { name: 'a', namespace: 'default' },
    spec: { size: 3, deep: { any: ['thing'] } },
  });
  const Gadget = await client.kind('acme.example/v1', 'Gadget');
  expect(Gadget.names).toMatchObject({ plural: 'gadgets', scope: 'Namespaced', shortNames: ['gd'] });
  expect(await client.get(Gadget, 'a')).toEqual(made);
  const patched = await client.patch(Gadget, 'a', { spec: { size: 4 } });
  expect(patched.spec).toEqual({ size: 4, deep: { any: ['thing'] } });
  const edited = await client.edit(patched, (draft) => void (draft.metadata.labels['x'] = 'y'));
  expect(await client.list(Gadget, { labels: { x: 'y' } })).toEqual([edited]);
  await client.delete(edited);
  expect(await client.find(Gadget, 'a')).toBeUndefined();
});

test('everything the server serves', async () => {
  await using env = await appCluster();
  const { kinds, failed } = await env.client.discovery.all();
  expect(failed).toEqual([]);
  const found = kinds.find(({ group, kind }) => group === 'example.com' && kind === 'App');
  expect(found).toMatchObject({ version: 'v1', plural: App.names.plural, scope: 'Namespaced' });
  expect(found?.subresources.map(({ name, kind }) => `${name} ${kind}`).toSorted()).toEqual([
    'scale Scale',
    'status App',
  ]);
  expect(kinds.find(({ group, kind }) => group === '' && kind === 'Node')?.scope).toBe('Cluster');
  expect(kinds.find(({ kind }) => kind === 'Namespace')?.verbs).not.toContain('deletecollection');
  expect((await env.client.version()).gitVersion).toMatch(/^v1\.\d+/);
});
