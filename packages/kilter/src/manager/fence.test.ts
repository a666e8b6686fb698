import { expect, test } from 'vitest';
import { virtualClock } from '../internal/index.ts';
import { fenceOf } from './fence.ts';

const never = new AbortController().signal;

test('WG-8: an effect is refused while the gate is closed', async () => {
  let ran = false;
  const fence = fenceOf({ clock: virtualClock(), gate: { closed: () => 'the lease may be lost' }, limit: 5000 });
  const refused = fence(async () => void (ran = true), never);
  await expect(refused).rejects.toMatchObject({ code: 'TRANSPORT_GATE_CLOSED' });
  await expect(refused).rejects.toThrow('the lease may be lost');
  expect(ran).toBe(false);
});

test('WG-8: the signal of an effect aborts after D - R, and nothing is left behind when it ends in time', async () => {
  const clock = virtualClock();
  const fence = fenceOf({ clock, gate: { closed: () => undefined }, limit: 5000 });
  const hung = fence(
    (signal) => new Promise((_, fail) => signal.addEventListener('abort', () => fail(signal.reason))),
    never,
  );
  const outcome = hung.catch((error: unknown) => error);
  await clock.advance(4999);
  expect(clock.pending).toBe(1);
  await clock.advance(1);
  expect(await outcome).toMatchObject({
    problem: 'unreachable',
    message: expect.stringMatching(/^the service cannot be reached: no answer within 5000 ms \(/),
  });
  expect(await fence(async () => 7, never)).toBe(7);
  expect(clock.pending).toBe(0);
});

test('an effect of a run that is over is not begun', async () => {
  const fence = fenceOf({ clock: virtualClock(), gate: { closed: () => undefined }, limit: undefined });
  await expect(fence(async () => 1, AbortSignal.abort(new Error('over')))).rejects.toThrow('over');
});
