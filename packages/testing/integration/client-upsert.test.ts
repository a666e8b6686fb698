import { isAlreadyExists, isConflict } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { cluster } from '../src/index.ts';
import { thing, thingOperator } from './thing.test-support.ts';

const rival = ConfigMap.build({ name: 'a', namespace: 'default', data: { from: 'rival' } });

test('CL-4: AlreadyExists after a cached miss is a failure like others: the next run finds the object', async () => {
  const outcomes: string[] = [];
  const created = thingOperator((builder) =>
    builder.reconcile(async (object, ctx) => {
      const found = await ctx.client.find(ConfigMap, object.metadata.name);
      if (found !== undefined) return void outcomes.push(`found ${found.data?.['from'] ?? ''}`);
      // Somebody was faster, and the cache has not seen it.
      await env.client.create(rival);
      try {
        await ctx.client.create(ConfigMap.build({ name: 'a', namespace: 'default', data: { from: 'us' } }));
      } catch (error) {
        outcomes.push(isAlreadyExists(error) ? 'already exists' : String(error));
        throw error;
      }
    }),
  );
  await using env = await cluster({ operator: created });
  await env.client.create(thing('a'));
  await expect.poll(() => outcomes).toEqual(['already exists', 'found rival']);
});

test('CL-4: Conflict after a cached read is a failure like others: the next run edits the newer version', async () => {
  const outcomes: string[] = [];
  const edited = thingOperator((builder) =>
    builder.reconcile(async (object, ctx) => {
      const found = await ctx.client.get(ConfigMap, object.metadata.name);
      if (outcomes.length === 0) await env.client.patch(ConfigMap, 'a', { data: { from: 'another' } });
      try {
        const see = (draft: { data?: Record<string, string> | undefined }) =>
          void ((draft.data ??= {})['seen'] = 'yes');
        const { data } = await ctx.client.edit(found, see, { conflict: 'fail' });
        outcomes.push(`edited ${data?.['from'] ?? ''}`);
      } catch (error) {
        outcomes.push(isConflict(error) ? 'conflict' : String(error));
        throw error;
      }
    }),
  );
  await using env = await cluster({ operator: edited, objects: [rival] });
  await env.client.create(thing('a'));
  await expect.poll(() => outcomes).toEqual(['conflict', 'edited another']);
});
