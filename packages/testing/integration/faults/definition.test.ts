import { virtualRuntime } from 'kilter/runtime';
import { test } from 'vitest';
import { expectDefinitionToReturn } from './definition.test-support.ts';

test('B-32: a definition that is deleted parks its controller; created again it is read anew; children are left alone', async () => {
  await expectDefinitionToReturn({ options: { runtime: virtualRuntime() }, away: 300_000 });
});
