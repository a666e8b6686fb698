import { controller, operator, type Operator, type Reconcile, requeueAfter, waitFor } from 'kilter';
import type { Duration } from 'kilter/api';
import { customResource } from 'kilter/crd';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { crashEveryWrite } from './index.ts';

class Order extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Order',
  spec: z.object({ item: z.string() }),
  status: z.object({ placed: z.boolean().optional() }),
}) {}

const orders = (reconcile: Reconcile<Order, ConfigMap>): Operator =>
  operator({ name: 'orders', controllers: [controller(Order).owns(ConfigMap).reconcile(reconcile)] });
const create = [
  (user: { create(object: Order): Promise<unknown> }) =>
    user.create(Order.build({ name: 'a', namespace: 'default', spec: { item: 'x' } })),
];
const receipt = (name: string) => ConfigMap.build({ name, data: { for: 'a' } });

test('an operator that finds out what there is survives every crash; each write is tried three times', async () => {
  const report = await crashEveryWrite({
    operator: () =>
      orders(async ({ metadata }, ctx) => {
        await ctx.apply(receipt(metadata.name));
        await ctx.status({ placed: true });
      }),
    steps: create,
  });
  expect(report.writes.map((write) => write.replace(/^(\S+) .*\/([^/]+\/[^/]+)$/, '$1 $2'))).toEqual([
    'PATCH configmaps/a',
    'PATCH a/status',
  ]);
  expect(report.runs).toBe(6);
});

test('one that makes a child of a new name whenever its status does not say so makes two, and is told where', async () => {
  let count = 0;
  const broken = crashEveryWrite({
    operator: () =>
      orders(async ({ status }, ctx) => {
        if (status?.placed === true) return;
        count += 1;
        await ctx.apply(receipt(`receipt-${count}`));
        await ctx.status({ placed: true });
      }),
    steps: create,
    only: (write) => write === 1,
  });
  await expect(broken).rejects.toMatchObject({ code: 'TESTING_CRASH_NOT_SURVIVED' });
  await expect(broken).rejects.toThrow(/a crash before write 1 \(PATCH .*orders\/a\/status\), after step 1 of 1:/);
});

test('one that acts outside before it has stored that it will does so twice, and is told so', async () => {
  const broken = crashEveryWrite({
    external: () => ({ sent: 0 }),
    observe: ({ sent }) => sent,
    operator: ({ external }) =>
      orders(async ({ status }, ctx) => {
        if (status?.placed === true) return;
        external.sent += 1;
        await ctx.status({ placed: true });
      }),
    steps: create,
  });
  await expect(broken).rejects.toThrow(/a crash before write 0 .*outside: expected 1, found 2/s);
});

test('an operator that never comes to rest is told so', async () => {
  let count = 0;
  const restless = crashEveryWrite({
    operator: () =>
      orders(async (_, ctx) => {
        count += 1;
        await ctx.apply(ConfigMap.build({ name: 'a', data: { count: String(count) } }));
        return requeueAfter('5s', 'again');
      }),
    steps: create,
  });
  await expect(restless).rejects.toThrow(
    /undisturbed, after step 1 of 1:\s+it was still writing after 300 s and was never quiet for 10 s; its last write: PATCH .*configmaps\/a/,
  );
});

test('one that polls outside, by an id made of the UID, survives when `quiet` is longer than it waits', async () => {
  const polling = (quiet?: Duration) =>
    crashEveryWrite({
      external: () => ({ looks: 0 }),
      operator: ({ external }) =>
        orders(async ({ metadata }, ctx) => {
          external.looks += 1;
          if (external.looks < 3) waitFor('the outside', '30s');
          await ctx.apply(ConfigMap.build({ name: 'a', data: { id: `outside-${metadata.uid}` } }));
          await ctx.status({ placed: true });
        }),
      steps: create,
      quiet,
    });
  // Over before the operator looked a second time: nothing was tried, which must not pass.
  await expect(polling()).rejects.toMatchObject({ code: 'TESTING_CRASH_NOTHING_WRITTEN' });
  expect((await polling('1m')).runs).toBe(6);
});

test.each<[object, string]>([
  [{ operator: orders(async () => {}), steps: create }, 'operator is not a function that makes the operator'],
  [{ operator: () => orders(async () => {}), steps: create[0] }, 'steps is not a list of functions'],
  [{ operator: () => orders(async () => {}) }, 'steps is not a list of functions'],
])('a scenario that is none is refused: %#', async (scenario, message) => {
  const ended = crashEveryWrite(scenario as never);
  await expect(ended).rejects.toMatchObject({ code: 'TESTING_OPTION_INVALID' });
  await expect(ended).rejects.toThrow(message);
});
