import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { type Applied, applyChild, AppliedStates, mostChildren } from './apply.ts';

const Box = kind<KubeObject>({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' });
const state: Applied = { desired: 'd', resourceVersion: '1', held: 'h' };

/** A server that answers an apply with the object, a version, and what is owned of it. */
function applier(fieldsV1: object = { 'f:data': { 'f:a': {} } }) {
  const sent: KubeObject[] = [];
  const client = {
    apply: async (object: KubeObject) => {
      sent.push(object);
      const managedFields = [{ manager: 'me', operation: 'Apply', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1 }];
      return {
        ...object,
        metadata: { ...object.metadata, uid: 'u', resourceVersion: `${sent.length}`, managedFields },
      };
    },
  } as unknown as Client;
  const states = new AppliedStates();
  let skipped = 0;
  const options = { client, manager: 'me', states, skipped: () => void (skipped += 1) };
  const apply = (data: object, cached?: { data: object; version: string; uid?: string; fields?: object }) => {
    const child = { apiVersion: 'v1', kind: 'Box', metadata: { name: 'x', namespace: 'n' }, data } as KubeObject;
    const metadata = { name: 'x', namespace: 'n', uid: cached?.uid ?? 'u', resourceVersion: cached?.version ?? '' };
    const seen = cached && ({ apiVersion: 'v1', kind: 'Box', metadata, data: cached.data } as KubeObject);
    const request = {
      child,
      kind: Box,
      cached: seen,
      cachedFields: cached?.fields as never,
      owner: 'o',
      wanted: new Set<string>(),
      force: true,
    };
    return applyChild(request, options);
  };
  return { apply, sent, states, skips: () => skipped };
}

describe('AP-3: what was applied is known by its hash', () => {
  const a = { a: '1' };
  const owned = { 'f:data': { 'f:a': {} } };
  test.each([
    ['the same desire and version', a, { data: a, version: '1', fields: owned }, 1],
    ['a version others wrote, our fields untouched', a, { data: { a: '1', b: '2' }, version: '9', fields: owned }, 1],
    ['our field moved', a, { data: { a: '2' }, version: '9', fields: owned }, 2],
    ['a field we no longer own', a, { data: a, version: '9', fields: { 'f:data': {} } }, 2],
    ['another object of that name', a, { data: a, version: '1', uid: 'other', fields: owned }, 2],
    ['another desire', { a: '2' }, { data: a, version: '1', fields: owned }, 2],
    ['nothing known of it', a, undefined, 2],
  ] as const)('%s', async (_, desired, cached, sends) => {
    const { apply, sent, skips } = applier();
    await apply(a);
    await apply(desired, cached);
    expect(sent).toHaveLength(sends);
    expect(skips()).toBe(2 - sends);
  });

  test('what is not JSON is left to the client, which refuses it with a code', async () => {
    const { apply, sent } = applier();
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    await apply(circle);
    await apply(circle);
    expect(sent).toHaveLength(2);
  });

  test('a bigint is known again, and is not the text of its digits', async () => {
    const fields = { 'f:metadata': { 'f:name': {} } };
    const { apply, sent } = applier(fields);
    await apply({ a: 5n });
    await apply({ a: 5n }, { data: { a: 5 }, version: '1', fields });
    expect(sent).toHaveLength(1);
    await apply({ a: '5' }, { data: { a: 5 }, version: '1', fields });
    expect(sent).toHaveLength(2);
  });

  test('fields in another order are the same fields; null is a value', async () => {
    const fields = { 'f:data': { 'f:a': {}, 'f:b': {} } };
    const known = { data: { a: { x: 1, y: null, z: [1] }, b: 2 } };
    const same = { data: { b: 2, a: { z: [1], y: null, x: 1 } }, version: '9', fields };
    const server = applier(fields);
    await server.apply(known.data);
    await server.apply(known.data, same);
    expect(server.sent).toHaveLength(1);
    await server.apply(known.data, { ...same, data: { b: 2, a: { z: [1], y: 1, x: 1 } } });
    expect(server.sent).toHaveLength(2);
  });

  test('a megabyte is remembered in less than half a kilobyte', async () => {
    const { apply, states } = applier();
    await apply({ a: 'x'.repeat(1_000_000) });
    const kept = states.get('o', 'Box/n/x');
    expect(JSON.stringify(kept).length).toBeLessThan(300);
  });
});

/** Children of one owner, each as it was applied: what a run sends is what it does not remember. */
function manyApplier() {
  const sent: string[] = [];
  const client = {
    apply: async (object: KubeObject) => {
      sent.push(object.metadata.name);
      return { ...object, metadata: { ...object.metadata, uid: 'u', resourceVersion: '1' } };
    },
  } as unknown as Client;
  const states = new AppliedStates();
  const applyAll = async (names: readonly string[]): Promise<void> => {
    const wanted = new Set<string>();
    for (const name of names) {
      wanted.add(`Box/n/${name}`);
      const child = { apiVersion: 'v1', kind: 'Box', metadata: { name, namespace: 'n' } } as KubeObject;
      const cached = { ...child, metadata: { ...child.metadata, uid: 'u', resourceVersion: '1' } };
      const request = { child, kind: Box, cached, cachedFields: undefined, owner: 'o', wanted, force: true };
      await applyChild(request, { client, manager: 'me', states, skipped: () => undefined });
    }
  };
  return { applyAll, sent, states };
}

describe('what is remembered is bounded', () => {
  const wanted = new Set<string>();
  test('by the newest children of an owner', () => {
    expect(mostChildren).toBe(1000);
    const states = new AppliedStates();
    for (let n = 0; n <= mostChildren + 5; n += 1) states.set('o', { child: `c${n}`, wanted }, state);
    expect(states.get('o', 'c5')).toBeUndefined();
    expect(states.get('o', 'c6')).toBe(state);
    expect(states.get('o', `c${mostChildren + 5}`)).toBe(state);
    // Applied again, a child is among the newest.
    states.set('o', { child: 'c6', wanted }, state);
    states.set('o', { child: 'one more', wanted }, state);
    expect(states.get('o', 'c6')).toBe(state);
    expect(states.get('o', 'c7')).toBeUndefined();
  });

  test('by the first children of a run that has more: the next run sends only those beyond', async () => {
    const { applyAll, sent, states } = manyApplier();
    const names = Array.from({ length: mostChildren + 20 }, (_, n) => `c${n}`);
    await applyAll(names);
    sent.length = 0;
    await applyAll(names);
    expect(sent).toEqual(names.slice(mostChildren));
    // Others came instead of half of them: those that nobody wants any more give way, wherever they stand.
    const others = [...names.slice(0, 500), ...names.slice(0, 500).map((name) => `other-${name}`)];
    await applyAll(others);
    sent.length = 0;
    await applyAll(others);
    expect(sent).toEqual([]);
    expect(states.get('o', `Box/n/c${mostChildren - 1}`)).toBeUndefined();
  });

  test('by what a good run applied, and by the owners that are there', () => {
    const states = new AppliedStates();
    for (const owner of ['o', 'p']) for (const child of ['a', 'b']) states.set(owner, { child, wanted }, state);
    states.keep('o', new Set(['a']));
    expect([states.get('o', 'a'), states.get('o', 'b'), states.get('p', 'b')]).toEqual([state, undefined, state]);
    states.forget('o');
    expect([states.get('o', 'a'), states.get('p', 'a')]).toEqual([undefined, state]);
  });
});
