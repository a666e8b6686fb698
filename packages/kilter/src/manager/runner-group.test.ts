import { expect, test } from 'vitest';
import type { ControllerRunner } from '../controller/index.ts';
import { RunnerGroup } from './runner-group.ts';

test('MG-6: a controller that comes after the stop has begun is refused with a code', () => {
  const group = new RunnerGroup([]);
  group.shutdown();
  expect(() => group.join({ name: 'late' } as ControllerRunner)).toThrow(
    expect.objectContaining({ code: 'MANAGER_STOPPED', message: expect.stringContaining('late came too late') }),
  );
});
