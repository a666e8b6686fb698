import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Storage, StorageFull } from './storage.ts';

const pods = '/pods';
const keysOf = (list: readonly { key: string }[] | undefined): string[] | undefined => list?.map(({ key }) => key);

/** A store whose clock the test moves by hand. */
function storeAt(limits?: ConstructorParameters<typeof Storage>[0]['limits']) {
  const time = { now: 0 };
  return { time, store: new Storage({ now: () => time.now, limits }) };
}

describe('revisions', () => {
  test('API-Q5: one strictly increasing integer over all kinds', () => {
    const { store } = storeAt();
    const revisions = [
      store.write(pods, 'a', '1').revision,
      store.write('apps/deployments', 'a', '1').revision,
      store.write(pods, 'a', '2').revision,
      store.remove(pods, 'a')?.revision,
    ];
    expect(revisions).toEqual([2, 3, 4, 5]);
    expect(store.revision).toBe(5);
  });

  test('a listener that writes is heard after the change at hand, by all in one order', () => {
    const { store } = storeAt();
    const heard: string[] = [];
    store.subscribe(({ key }) => {
      if (key === 'a') store.write(pods, 'b', '');
    });
    store.subscribe(({ key, revision }) => heard.push(`${key}@${revision}`));
    store.write(pods, 'a', '');
    expect(heard).toEqual(['a@2', 'b@3']);
  });

  test('a listener that throws does not silence later changes', () => {
    const { store } = storeAt();
    const heard: string[] = [];
    let faulty = true;
    store.subscribe(({ key }) => {
      heard.push(key);
      if (faulty) throw new Error('planted');
    });
    expect(() => store.write(pods, 'a', '')).toThrow('planted');
    faulty = false;
    store.write(pods, 'b', '');
    expect(heard).toEqual(['a', 'b']);
  });
});

describe('lists', () => {
  test('come in the order of keys, `a-b/x` before `a/x` as in etcd', () => {
    const { store } = storeAt();
    for (const key of ['a/x', 'b/x', 'a-b/x', 'a/b']) store.write(pods, key, '');
    expect(keysOf(store.list(pods))).toEqual(['a-b/x', 'a/b', 'a/x', 'b/x']);
    expect(keysOf(store.list(pods, 'a/'))).toEqual(['a/b', 'a/x']);
  });

  test('of the past show what stood there, with the revisions it had', () => {
    const { store } = storeAt();
    store.write(pods, 'a', 'a1');
    store.write(pods, 'b', 'b1');
    const then = store.revision;
    store.write(pods, 'a', 'a2');
    store.write(pods, 'c', 'c1');
    store.remove(pods, 'b');
    expect(store.listAt(pods, '', then)).toEqual([
      { key: 'a', text: 'a1', revision: 2 },
      { key: 'b', text: 'b1', revision: 3 },
    ]);
  });

  test('of any past revision equal the list that was taken then', () => {
    const step = fc.record({
      key: fc.constantFrom('a', 'b', 'c/d', 'c/e'),
      text: fc.option(fc.string(), { nil: undefined }),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { store } = storeAt();
        const taken: [number, unknown][] = [];
        for (const { key, text } of steps) {
          if (text === undefined) store.remove(pods, key);
          else store.write(pods, key, text);
          taken.push([store.revision, store.list(pods)]);
        }
        for (const [revision, list] of taken) expect(store.listAt(pods, '', revision)).toEqual(list);
      }),
    );
  });

  test('API-H1: compaction makes every older revision unknown', () => {
    const { store } = storeAt();
    store.write(pods, 'a', '');
    const before = store.revision;
    store.write(pods, 'b', '');
    store.compact();
    expect(store.listAt(pods, '', before)).toBeUndefined();
    expect(store.positionAfter(pods, before)).toBeUndefined();
    expect(keysOf(store.listAt(pods, '', store.revision))).toEqual(['a', 'b']);
    expect(store.positionAfter(pods, store.revision)).toBe(store.end(pods));
  });
});

describe('bounds', () => {
  const few = { minEvents: 3, minAgeMs: 1000, maxEvents: 6 };
  const fill = (store: Storage, count: number): void => {
    for (let i = 0; i < count; i += 1) store.write(pods, 'a', String(i));
  };

  test('history keeps young events beyond its minimum, and forgets old ones', () => {
    const { store, time } = storeAt(few);
    fill(store, 5);
    expect(store.usage().historyEvents).toBe(5);
    time.now = 2000;
    fill(store, 1);
    expect(store.usage().historyEvents).toBe(3);
    expect(store.oldest(pods)).toBe(4);
    expect(store.positionAfter(pods, 3)).toBeUndefined();
    expect(store.positionAfter(pods, 4)).toBeDefined();
  });

  test('API-M3: history, stored bytes and events are bounded and reported', () => {
    const { store } = storeAt({ ...few, maxStored: 10 });
    fill(store, 20);
    expect(store.usage()).toEqual({ revision: 21, objects: 1, characters: 2, historyEvents: 6, historyCharacters: 12 });
    expect(() => store.write(pods, 'b', 'x'.repeat(9))).toThrow(StorageFull);
    expect(store.usage()).toMatchObject({ revision: 21, objects: 1, characters: 2 });
  });

  test('a place that was forgotten is known as passed', () => {
    const { store } = storeAt(few);
    const start = store.end(pods);
    fill(store, 20);
    expect(store.changeAt(pods, start)).toBe('passed');
    expect(store.changeAt(pods, store.end(pods))).toBeUndefined();
  });

  test('a dropped bucket leaves nothing behind, not even a place to resume at', () => {
    const { store } = storeAt();
    store.write(pods, 'a', 'xx');
    const before = store.revision;
    store.drop(pods);
    expect(store.list(pods)).toEqual([]);
    expect(store.usage()).toMatchObject({ objects: 0, characters: 0, historyEvents: 0 });
    expect(store.positionAfter(pods, before)).toBeUndefined();
  });
});
