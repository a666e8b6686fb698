import { expect, test } from 'vitest';
import { type Delta, written } from './change.ts';
import { Handlers } from './handlers.ts';
import type { StoredObject } from './stored-object.ts';

const stored = (key: string): StoredObject => ({ key, ref: { name: key }, resourceVersion: '1' }) as StoredObject;
const added = (key: string, initial = false): Delta => written(undefined, stored(key), initial);

test('IN-10: what a handler met in the store while it caught up is not told to it again by the batch that put it there', async () => {
  let resume: (() => void) | undefined;
  let pausing = true;
  const pause = (): Promise<void> | undefined => {
    if (!pausing) return undefined;
    pausing = false;
    return new Promise((resolve) => (resume = resolve));
  };
  const handlers = new Handlers({ clock: { pause }, failed: (error) => expect.fail(String(error)) });
  const heard: string[] = [];
  const keys = ['old', 'new'];
  handlers.add(({ key, initial }) => void heard.push(`${key}${initial ? ' initial' : ''}`), {
    keys,
    newest: (key) => added(key, true),
  });
  expect(heard).toEqual(['old initial']);
  const telling = handlers.telling([added('first'), added('new'), added('last')]);
  telling.next();
  resume?.();
  await Promise.resolve();
  await Promise.resolve();
  expect(heard).toEqual(['old initial', 'first', 'new initial']);
  for (let next = telling.next(); next.done !== true; next = telling.next());
  expect(heard).toEqual(['old initial', 'first', 'new initial', 'last']);
  // Afterwards nothing is held back.
  handlers.dispatch(added('new'));
  expect(heard.at(-1)).toBe('new');
});
