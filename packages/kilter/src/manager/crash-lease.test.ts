import { expect, test } from 'vitest';
import type { Client } from '../client/index.ts';
import { Lease } from '../k8s/coordination/v1.ts';
import { crashLeaseOf, crashStore } from './crash-lease.ts';

/** A server with at most one Lease. */
function setUp(annotations?: Record<string, string>) {
  const ref = { name: crashLeaseOf('op'), namespace: 'ops' };
  const sent: unknown[][] = [];
  let version = 1;
  const stored = (): object => ({ metadata: { resourceVersion: String(version), annotations } });
  const write = async (...args: unknown[]): Promise<object> => {
    sent.push(args.slice(0, -1));
    version += 1;
    return { metadata: { resourceVersion: String(version) } };
  };
  const client = {
    find: async (kind: unknown, at: unknown) => {
      expect([kind, at]).toEqual([Lease, ref]);
      return annotations === undefined ? undefined : stored();
    },
    create: (...args: unknown[]) => write('create', ...args),
    patch: (...args: unknown[]) => write('patch', ...args.slice(1)),
  } as unknown as Client;
  return { store: crashStore(client, ref), sent, ref, signal: new AbortController().signal };
}

test('B-30: the record of crashes stands in an annotation of a Lease beside that of the election', async () => {
  const { store, ref, signal } = setUp({ 'kilter.dev/reign': 'written by an earlier version', other: 'x' });
  expect(ref.name).toBe('op-crashes');
  expect(await store.read(signal)).toBe('written by an earlier version');
});

test('B-30: the first record makes the Lease; each further one goes on from what was read or written last', async () => {
  const { store, sent, ref, signal } = setUp();
  expect(await store.read(signal)).toBeUndefined();
  await store.write('one', signal);
  await store.write('two', signal);
  const annotations = (text: string) => ({ annotations: { 'kilter.dev/reign': text } });
  expect(sent).toEqual([
    ['create', expect.objectContaining({ kind: 'Lease', metadata: { ...ref, ...annotations('one') } })],
    ['patch', ref, { metadata: { ...annotations('two'), resourceVersion: '2' } }],
  ]);
});

test('B-30: what somebody else has written since is not written over', async () => {
  const { store, sent, signal } = setUp({ 'kilter.dev/reign': 'theirs' });
  await store.read(signal);
  await store.write('mine', signal);
  expect(sent).toMatchObject([['patch', {}, { metadata: { resourceVersion: '1' } }]]);
});
