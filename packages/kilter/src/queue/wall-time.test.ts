import { expect, test } from 'vitest';
import type { Cause } from '../api/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import type { Work } from './work.ts';
import { workQueue } from './work-queue.ts';

const cause: Cause = { source: 'primary', change: 'update' };

test('causes are told by the wall clock as it is set when the key is taken, a second ago at most', async () => {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  const queue = workQueue({ name: 'q', runtime });
  const firstAt = (): number | undefined => {
    const work = queue.takeReady() as Work;
    queue.done(work, { type: 'forget' });
    return work.causes[0]?.firstAt;
  };
  await clock.advance(250.5);
  queue.add('default/a', cause);
  const added = clock.now();
  await clock.advance(40);
  expect(firstAt()).toBe(Math.round(added));
  clock.jump(3_600_000);
  await clock.advance(2000);
  queue.add('default/a', cause);
  expect(firstAt()).toBe(Math.round(clock.now()));
});
