// npm run chaos with what it cannot run with.
import { expect, test } from 'vitest';
import { chaos } from './command.test-support.ts';

test('without a control plane it says how to get one, and ends with 2', async () => {
  const run = chaos(['--minutes', '1'], { KUBEBUILDER_ASSETS: '/nowhere' });
  expect(await run.ended).toBe(2);
  expect(run.output()).toMatch(/^npm run chaos: there is no control plane to start: .*\/nowhere.*\n$/);
});

test('a fault that does not exist is refused with those that do', async () => {
  const run = chaos(['--only', 'earthquake']);
  expect(await run.ended).toBe(2);
  expect(run.output()).toContain('--only names "earthquake"; there are kill-leader, ');
});
