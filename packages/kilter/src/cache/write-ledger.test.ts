import { expect, test } from 'vitest';
import { rejection } from './cache.test-support.ts';
import type { InformerCore } from './informer-core.ts';
import { apiError, Thing, thing } from './model-server.test-support.ts';
import type { WriterIdentity } from './shared-cache.ts';
import { WriteLedger } from './write-ledger.ts';

test('RW-9: a write without its answer is known by its key and by whom it was made for, and is forgotten then', async () => {
  const ledger = new WriteLedger([]);
  const answer = Promise.withResolvers<Thing>();
  const write = (madeFor: WriterIdentity | undefined): Promise<Thing> =>
    ledger.write(
      { label: 'Thing.example.com', ref: { namespace: 'default', name: 'a' }, madeFor },
      () => answer.promise,
    );
  const identity = (name: string): WriterIdentity => ({ kind: Thing, key: `default/${name}` });
  const known = (): boolean[] => ['a', 'b', 'c'].map((name) => ledger.answered(identity(name)) !== undefined);
  expect(known()).toEqual([false, false, false]);
  const writes = [write(undefined)];
  expect(known()).toEqual([true, false, false]);
  writes.push(write(identity('b')));
  expect(known()).toEqual([true, true, false]);
  answer.resolve(thing('a'));
  await Promise.all(writes);
  expect(known()).toEqual([false, false, false]);
});

test('RW-5: a delete that fails, or whose object is kept, is unregistered', async () => {
  const withdrawn: unknown[] = [];
  const awaited = {
    expectDeletion: ({ key }: { key: string }) => key,
    withdraw: (write: unknown) => void withdrawn.push(write),
    expectVersion: () => undefined,
  };
  const informer = { declaration: { label: 'Thing.example.com' }, awaited, expects: () => true };
  const ledger = new WriteLedger([informer as unknown as InformerCore]);
  const deletion = (name: string) => ({ label: 'Thing.example.com', ref: { name }, madeFor: undefined, uid: 'u' });
  await rejection(ledger.delete(deletion('a'), () => Promise.reject(apiError(409, 'Conflict'))));
  await ledger.delete(deletion('b'), () => Promise.resolve(thing('b')));
  expect(withdrawn).toEqual(['a', 'b']);
});
