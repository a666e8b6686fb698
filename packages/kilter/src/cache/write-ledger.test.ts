import { expect, test } from 'vitest';
import { rejection } from './cache.test-support.ts';
import type { InformerCore } from './informer-core.ts';
import { apiError, thing } from './model-server.test-support.ts';
import { WriteLedger } from './write-ledger.ts';

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
