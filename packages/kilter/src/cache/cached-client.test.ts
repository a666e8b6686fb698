import { expect, test } from 'vitest';
import { kind, type KubeObject, type NamedRef } from '../api/index.ts';
import { CachedClient, type CachedClientOptions } from './cached-client.ts';

const Box = kind<KubeObject>({ group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Cluster' });
const Item = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'Item',
  plural: 'items',
  scope: 'Namespaced',
});

test('a write is remembered under the key its object has, whether or not the kind has namespaces', async () => {
  const remembered: (NamedRef | undefined)[] = [];
  const ledger = { delete: async ({ ref }: { ref: NamedRef | undefined }) => void remembered.push(ref) };
  const options = { client: {}, reads: {}, ledger, madeFor: undefined, defaultNamespace: 'default' };
  const client = new CachedClient(options as unknown as CachedClientOptions);
  const object = (kindName: string): KubeObject => ({
    apiVersion: 'example.com/v1',
    kind: kindName,
    metadata: { name: 'x', uid: 'u' },
  });
  await client.delete(object('Box'));
  await client.delete(Box, 'x');
  await client.delete(object('Item'));
  await client.delete(Item, 'x');
  expect(remembered).toEqual([
    { name: 'x' },
    { name: 'x' },
    { name: 'x', namespace: 'default' },
    { name: 'x', namespace: 'default' },
  ]);
});
