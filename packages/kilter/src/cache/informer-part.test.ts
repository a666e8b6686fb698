import { expect, test } from 'vitest';
import { noteUse, type Part } from './informer-part.ts';
import type { Received } from './intake.ts';

function partWith(...unusable: string[]): { part: Part; changed: (string | undefined)[] } {
  const changed: (string | undefined)[] = [];
  const told = (key: string | undefined): void => void changed.push(key);
  return { part: { unusable: new Set(unusable), changed: told } as unknown as Part, changed };
}

const received = (key: string | undefined, usable: boolean): Received => ({ key, usable }) as unknown as Received;

test.each([
  ['one that cannot be used is remembered', 'ADDED', received('n/b', false), ['n/a', 'n/b'], ['n/b']],
  ['one that can be used again is not', 'MODIFIED', received('n/a', true), [], ['n/a']],
  ['nor one that is gone, whatever its last state was', 'DELETED', received('n/a', false), [], ['n/a']],
  ['of one without a key nothing is known', 'ADDED', received(undefined, false), ['n/a'], []],
] as const)('RF-23: %s', (_, type, object, unusable, told) => {
  const { part, changed } = partWith('n/a');
  noteUse(part, type, object);
  expect([...part.unusable]).toEqual(unusable);
  expect(changed).toEqual(told);
});
