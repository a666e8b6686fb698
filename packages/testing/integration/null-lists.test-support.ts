// Lists that a kube-apiserver writes as null: users iterate over them, and writing them back changes nothing.
import { controller, operator } from 'kilter';
import { Role } from 'kilter/k8s/rbac/v1';
import { CSINode } from 'kilter/k8s/storage/v1';
import { describe, expect, test } from 'vitest';
import { cluster, type ClusterOptions } from '../src/cluster/index.ts';

/** On one backend; undefined where it is not there. */
export function testNullLists(name: string, options: ClusterOptions | undefined): void {
  describe(`CL-16: on ${name}`, () => {
    test.skipIf(options === undefined)(
      'a Node without drivers has an empty list of them, read, watched and cached',
      { timeout: 120_000 },
      async () => {
        const seen: string[][] = [];
        const reader = controller(CSINode).reconcile((node) => {
          seen.push(node.spec.drivers.map(({ name }) => name));
          return Promise.resolve();
        });
        await using env = await cluster({ ...options, operator: operator({ name: 'reader', controllers: [reader] }) });
        const created = await env.client.create(CSINode.build({ name: 'n', spec: { drivers: [] } }));
        expect(created.spec.drivers).toEqual([]);
        await env.eventually(CSINode, 'n', () => expect(seen).toContainEqual([]));

        const updated = await env.client.update(await env.client.get(CSINode, 'n'));
        expect(updated.metadata.resourceVersion).toBe(created.metadata.resourceVersion);
        for (const driver of updated.spec.drivers) expect(driver).toBeUndefined();
      },
    );

    test.skipIf(options === undefined)(
      'an optional list is absent or empty, never null',
      { timeout: 120_000 },
      async () => {
        await using env = await cluster(options);
        const role = await env.client.create(Role.build({ name: 'r', namespace: env.namespace, rules: [] }));
        expect(role.rules ?? []).toEqual([]);
        expect(role.rules).not.toBeNull();
        expect((await env.client.update(role)).metadata.resourceVersion).toBe(role.metadata.resourceVersion);
      },
    );
  });
}
