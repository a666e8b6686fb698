import { expect, test } from 'vitest';
import { isInherited, setOwn } from './own-property.ts';

test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty'])('%s becomes a member like any other', (key) => {
  const into: Record<string, unknown> = {};
  setOwn(into, key, 'value');
  expect(Object.getOwnPropertyDescriptor(into, key)).toEqual({
    value: 'value',
    enumerable: true,
    writable: true,
    configurable: true,
  });
  expect(Object.getPrototypeOf(into)).toBe(Object.prototype);
  expect(isInherited(key)).toBe(true);
});

test('a name that a frozen prototype has can be set', () => {
  const into = Object.create(Object.freeze({ toString: () => '' })) as Record<string, unknown>;
  expect(() => (into['toString'] = 'assigned')).toThrow(TypeError);
  setOwn(into, 'toString', 'set');
  expect(into['toString']).toBe('set');
});

test('an ordinary name is assigned: a setter of the object is asked', () => {
  const asked: unknown[] = [];
  const into = {
    set name(value: unknown) {
      asked.push(value);
    },
  };
  setOwn(into as unknown as Record<string, unknown>, 'name', 'web');
  expect(asked).toEqual(['web']);
  expect(isInherited('name')).toBe(false);
});
