import { describe, expect, test } from 'vitest';
import type { Kind, KubeObject } from '../api/index.ts';
import type { Client, Reader } from '../client/index.ts';
import { ApiError } from '../errors/index.ts';
import { addFinalizers, removeFinalizer } from './finalizer.ts';

const kind = { names: {} } as Kind;
const object = (finalizers: string[], uid = 'u1'): KubeObject => ({
  apiVersion: 'v1',
  kind: 'X',
  metadata: { name: 'x', uid, resourceVersion: '1', finalizers },
});
const refusal = (code: number, reason: string) =>
  new ApiError(
    { code, reason, message: '', causes: [], retryAfterSeconds: undefined, details: {} },
    { method: 'PATCH', path: '/x' },
  );

/** Answers each edit in turn: an error is thrown, anything else lets the edit succeed. */
function clientOf(...answers: (Error | undefined)[]) {
  const edited: KubeObject[] = [];
  const edit = async (seen: KubeObject, change: (draft: KubeObject) => void): Promise<KubeObject> => {
    const answer = answers.shift();
    if (answer !== undefined) throw answer;
    const draft = structuredClone(seen);
    change(draft);
    edited.push(draft);
    return draft;
  };
  return { client: { edit } as unknown as Client, edited };
}
const liveOf = (found: KubeObject | undefined) => ({ find: async () => found }) as unknown as Reader;

describe('removing', () => {
  test('FI-5: touches the own entry alone', async () => {
    const { client, edited } = clientOf(undefined);
    await removeFinalizer(object(['a.b/other', 'a.b/own']), 'a.b/own', { client, live: liveOf(undefined), kind });
    expect(edited[0]?.metadata).toMatchObject({ resourceVersion: '1', finalizers: ['a.b/other'] });
  });
  test('FI-3: an object that vanished meanwhile is success', async () => {
    const { client } = clientOf(refusal(404, 'NotFound'));
    expect(
      await removeFinalizer(object(['a.b/own']), 'a.b/own', { client, live: liveOf(undefined), kind }),
    ).toBeUndefined();
  });
  test('a conflict is tried again on the fresh object, never on a namesake', async () => {
    const fresh = object(['a.b/own', 'a.b/new']);
    const { client, edited } = clientOf(refusal(409, 'Conflict'), undefined);
    await removeFinalizer(object(['a.b/own']), 'a.b/own', { client, live: liveOf(fresh), kind });
    expect(edited[0]?.metadata.finalizers).toEqual(['a.b/new']);
    const other = clientOf(refusal(409, 'Conflict'), undefined);
    const namesake = liveOf(object(['a.b/own'], 'u2'));
    expect(
      await removeFinalizer(object(['a.b/own']), 'a.b/own', { client: other.client, live: namesake, kind }),
    ).toBeUndefined();
    expect(other.edited).toEqual([]);
  });
  test('the fresh object is looked for by kind and name; the third conflict is the caller’s', async () => {
    const asked: unknown[][] = [];
    const fresh = object(['a.b/own']);
    const live = { find: async (...args: unknown[]) => (asked.push(args), fresh) } as unknown as Reader;
    const conflicts = [refusal(409, 'Conflict'), refusal(409, 'Conflict'), refusal(409, 'Conflict')];
    const twice = clientOf(...conflicts.slice(1));
    await removeFinalizer(object(['a.b/own']), 'a.b/own', { client: twice.client, live, kind });
    expect(twice.edited).toHaveLength(1);
    expect(asked).toEqual([
      [kind, object(['a.b/own']).metadata],
      [kind, object(['a.b/own']).metadata],
    ]);
    const thrice = clientOf(...conflicts);
    await expect(
      removeFinalizer(object(['a.b/own']), 'a.b/own', { client: thrice.client, live, kind }),
    ).rejects.toThrow('409');
    expect(thrice.edited).toEqual([]);
  });
  test('what somebody else has taken away already is left alone', async () => {
    const { client, edited } = clientOf(undefined);
    const seen = object(['a.b/other']);
    expect(await removeFinalizer(seen, 'a.b/own', { client, live: liveOf(undefined), kind })).toBe(seen);
    expect(edited).toEqual([]);
  });
  test('any other refusal is the caller’s', async () => {
    const { client } = clientOf(refusal(403, 'Forbidden'));
    await expect(
      removeFinalizer(object(['a.b/own']), 'a.b/own', { client, live: liveOf(undefined), kind }),
    ).rejects.toThrow('403');
  });
});

test('FI-1: nothing is added to an object that is being deleted', async () => {
  const { client, edited } = clientOf(undefined, undefined);
  const deleting = { ...object([]), metadata: { ...object([]).metadata, deletionTimestamp: '2020-01-01T00:00:00Z' } };
  expect(await addFinalizers(client, deleting, ['a.b/own'])).toBe(deleting);
  expect((await addFinalizers(client, object(['a.b/x']), ['a.b/own'])).metadata.finalizers).toEqual([
    'a.b/x',
    'a.b/own',
  ]);
  expect(edited).toHaveLength(1);
  const there = object(['a.b/own']);
  expect(await addFinalizers(client, there, ['a.b/own'])).toBe(there);
  expect(edited).toHaveLength(1);
});
