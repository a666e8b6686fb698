// The operator crashes at each of its writes, and is not answered.
import { crashEveryWrite } from '@kilter/testing';
import { expect, test } from 'vitest';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

test('B-18, B-19: whatever write of the WebApp operator a crash or a lost answer hits, the world becomes the same', async () => {
  const { writes, runs } = await crashEveryWrite({
    external: memoryDns,
    observe: ({ names }) => [...names],
    operator: ({ external }) => webappOperator({ dns: external }),
    steps: [
      (user) =>
        user.create(WebApp.build({ name: 'shop', namespace: 'default', spec: { image: 'nginx:1.25', replicas: 2 } })),
      (user) => user.patch(WebApp, 'shop', { spec: { image: 'nginx:1.26', replicas: 3 } }),
      (user) => user.delete(WebApp, 'shop'),
    ],
  });
  expect(writes.filter((write) => write.includes('/deployments/')).length).toBeGreaterThanOrEqual(2);
  expect(runs).toBe(writes.length * 3);
}, 180_000);
