import { expect, test } from 'vitest';
import { CSINode } from '../k8s/storage/v1.ts';
import { type Answer, world } from './scripted-client.test-support.ts';

const sent = { metadata: { name: 'n', resourceVersion: '7' }, spec: { drivers: null } };
const head = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode' };
const delivered = { ...head, ...sent, spec: { drivers: [] } };
const list: Answer = { body: { kind: 'CSINodeList', metadata: { resourceVersion: '7' }, items: [sent] } };

test('CL-16: every verb delivers an empty list where the server wrote null', async () => {
  const given = CSINode.build({ name: 'n', spec: { drivers: [] } });
  const { client } = world(({ method, path }) =>
    method === 'GET' && path.endsWith('/csinodes') ? list : { body: sent },
  );
  expect(await client.get(CSINode, 'n')).toEqual(delivered);
  expect(await client.list(CSINode)).toEqual([delivered]);
  expect(await client.create(given)).toEqual(delivered);
  expect(await client.update({ ...given, metadata: sent.metadata })).toEqual(delivered);
  expect(await client.patch(CSINode, 'n', { metadata: { labels: { a: 'b' } } })).toEqual(delivered);
  const drivers = (await client.get(CSINode, 'n')).spec.drivers.map(({ name }) => name);
  expect(drivers).toEqual([]);
});

test('CL-16: a watch delivers an empty list where the server wrote null', async () => {
  const { client } = world([{ body: `${JSON.stringify({ type: 'ADDED', object: sent })}\n` }]);
  const seen: unknown[] = [];
  for await (const change of client.watch(CSINode, { resourceVersion: '1' }))
    if ('object' in change) seen.push(change.object);
  expect(seen).toEqual([delivered]);
});
