// A version comes and another goes, by the guide (docs/guide/versions.md), with an operator that runs all the time.
import { type Client, controller, operator, type Operator } from 'kilter';
import { customResource, renamed } from 'kilter/crd';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Cluster, cluster, type ClusterOptions } from '../src/index.ts';

class Tank extends customResource({
  group: 'moved.example.com',
  version: 'v1',
  kind: 'Tank',
  spec: z.object({ size: z.int().meta(renamed('v1', 'count')) }),
  status: z.object({ seen: z.int().optional() }),
  versions: { v1beta1: { storage: true } },
}) {}
const Old = Tank.at('v1beta1');
const definition = 'tanks.moved.example.com';

const made = (): Operator =>
  operator({
    name: 'tank-operator',
    controllers: [
      controller(Tank).reconcile(async ({ spec }, ctx) => {
        await ctx.status({ seen: spec.size });
      }),
    ],
  });

const storedOn = async (client: Client): Promise<string[] | undefined> =>
  (await client.get(CustomResourceDefinition, definition)).status?.storedVersions;

const tellStored = async (client: Client, versions: string[]): Promise<void> => {
  const found = await client.get(CustomResourceDefinition, definition);
  await client.edit(found, (draft) => void (draft.status.storedVersions = versions), { subresource: 'status' });
};

/** What holds on every backend; without options it is skipped. */
export function testMigration(place: string, options: ClusterOptions | undefined): void {
  let env: Cluster;
  beforeAll(async () => {
    if (options !== undefined) env = await cluster({ ...options, operator: made(), kinds: [Tank] });
  }, 120_000);
  afterAll(() => env?.[Symbol.asyncDispose](), 60_000);
  describe.skipIf(options === undefined)(`stored versions on ${place}`, { timeout: 120_000 }, () => {
    test('API-C10 what is stored in an old version is migrated by writing it unchanged, and the version can leave the definition', async () => {
      const { client, namespace } = env;
      await client.create(Old.build({ name: 'a', spec: { count: 2 } }));
      await client.create(Tank.build({ name: 'b', spec: { size: 3 } }));
      await env.eventually(Tank, 'a', { spec: { size: 2 }, status: { seen: 2 } });
      await env.eventually(Tank, 'b', { status: { seen: 3 } });
      expect(await storedOn(client)).toEqual(['v1beta1']);
      await client.edit(await client.get(CustomResourceDefinition, definition), ({ spec }) => {
        for (const version of spec.versions) version.storage = version.name === 'v1';
      });
      expect(await storedOn(client)).toEqual(['v1beta1', 'v1']);
      // A server that does not know of the change yet stores in the old version, and then changes nothing.
      const migrate = async (): Promise<boolean> => {
        const before = await client.list(Tank, { namespace });
        const after = await Promise.all(before.map((tank) => client.update(tank)));
        const versions = (tanks: readonly Tank[]): unknown[] => tanks.map(({ metadata }) => metadata.resourceVersion);
        return after.every(({ metadata }) => !versions(before).includes(metadata.resourceVersion));
      };
      await expect.poll(migrate, { timeout: 30_000 }).toBe(true);
      expect(await migrate()).toBe(false);
      await tellStored(client, ['v1']);
      await client.edit(await client.get(CustomResourceDefinition, definition), ({ spec }) => {
        spec.versions = spec.versions.filter(({ name }) => name === 'v1');
      });
      expect((await client.list(Tank, { namespace })).map(({ spec }) => spec.size)).toEqual([2, 3]);
      await client.patch(Tank, 'b', { spec: { size: 4 } });
      await env.eventually(Tank, 'b', { status: { seen: 4 } });
    });
  });
}
