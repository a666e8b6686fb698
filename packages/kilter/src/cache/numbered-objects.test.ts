import { expect, test } from 'vitest';
import { NumberedObjects } from './numbered-objects.ts';
import { ObjectStore } from './store.ts';
import { JsonObjectText, type StoredObject } from './stored-object.ts';

const object = (name: string, resourceVersion = '1'): StoredObject =>
  new JsonObjectText({
    key: `default/${name}`,
    ref: { namespace: 'default', name },
    uid: `uid-${name}`,
    resourceVersion,
    generation: 1,
    deleting: false,
    labels: undefined,
    controllerUid: undefined,
    text: JSON.stringify({ name, resourceVersion }),
    ownFieldsText: undefined,
  });

test('a key keeps its number from version to version, and what is replaced has none', () => {
  const numbered = new NumberedObjects();
  const [first, second, other] = [object('a'), object('a', '2'), object('b')];
  numbered.enter(first);
  numbered.enter(other);
  numbered.pass(first, second);
  expect([first.number, second.number, other.number]).toEqual([-1, 0, 1]);
  expect([numbered.at(0), numbered.at(1), numbered.at(2)]).toEqual([second, other, undefined]);
});

test('numbers are used again: objects that come and go do not make them grow', () => {
  const store = new ObjectStore();
  const stays = object('stays');
  store.put(stays);
  for (let i = 0; i < 1000; i += 1) {
    const passing = object(`x${i}`);
    store.put(passing);
    expect(passing.number).toBe(1);
    store.remove(passing.key);
    expect(passing.number).toBe(-1);
  }
  expect(stays.number).toBe(0);
});

test('an object is found by its key, whatever number comes with it', () => {
  const store = new ObjectStore();
  const [a, b] = [object('a'), object('b')];
  store.put(a);
  store.put(b);
  for (const number of [undefined, -1, 0, 1, 7]) {
    expect(store.get('default/a', number)).toBe(a);
    expect(store.get('default/c', number)).toBeUndefined();
  }
  store.remove('default/a');
  expect(store.get('default/a', 0)).toBeUndefined();
});

test('a number that went to another key leads to nobody else', () => {
  const store = new ObjectStore();
  store.put(object('a'));
  store.remove('default/a');
  const b = object('b');
  store.put(b);
  expect(b.number).toBe(0);
  expect(store.get('default/a', 0)).toBeUndefined();
  const a = object('a', '3');
  store.put(a);
  expect(store.get('default/a', 0)).toBe(a);
});

test('the same object put twice stays what it was', () => {
  const store = new ObjectStore();
  const a = object('a');
  store.put(a);
  expect(store.put(a)).toBe(a);
  expect([store.count, store.size, a.number, store.get(a.key)]).toEqual([1, a.size, 0, a]);
});
