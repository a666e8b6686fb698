import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { virtualRuntime } from '../internal/index.ts';
import { rejection } from './cache.test-support.ts';
import { within } from './bounded-wait.ts';

function bounded() {
  const { clock } = virtualRuntime();
  const abort = new AbortController();
  const work = Promise.withResolvers<string>();
  const signals = [undefined, abort.signal];
  const wait = within(work.promise, { clock, ms: 1000, signals, expired: () => new Error('too late') });
  const left = (): number => clock.pending + getEventListeners(abort.signal, 'abort').length;
  return { clock, abort, work, wait, left };
}

test('ends as the work does, and leaves no timer and no listener', async () => {
  const good = bounded();
  expect(good.left()).toBe(2);
  good.work.resolve('done');
  expect(await good.wait).toBe('done');
  expect(good.left()).toBe(0);
  const bad = bounded();
  bad.work.reject(new Error('broken'));
  expect((await rejection(bad.wait)).message).toBe('broken');
  expect(bad.left()).toBe(0);
});

test('ends when the time is over, not a millisecond sooner', async () => {
  const { clock, wait, left } = bounded();
  const failed = rejection(wait);
  await clock.advance(999);
  expect(left()).toBe(2);
  await clock.advance(1);
  expect((await failed).message).toBe('too late');
  expect(left()).toBe(0);
});

test('ends with the reason of a signal, also of one that aborted before', async () => {
  const { abort, wait, left } = bounded();
  abort.abort(new Error('stop'));
  expect((await rejection(wait)).message).toBe('stop');
  expect(left()).toBe(0);
  const { clock } = virtualRuntime();
  const never = new Promise<never>(() => undefined);
  const late = within(never, { clock, ms: 1000, signals: [abort.signal], expired: () => new Error('too late') });
  expect((await rejection(late)).message).toBe('stop');
  expect([clock.pending, getEventListeners(abort.signal, 'abort').length]).toEqual([0, 0]);
});
