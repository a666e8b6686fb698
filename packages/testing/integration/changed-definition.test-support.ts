// A definition that changes under a running operator: another storage version, and a schema that knows more than the operator.
import { controller, operator } from 'kilter';
import { customResource } from 'kilter/crd';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { cluster, type ClusterOptions } from '../src/cluster/index.ts';

class Gadget extends customResource({
  group: 'changed.example.com',
  version: 'v1',
  kind: 'Gadget',
  spec: z.object({ size: z.int(), doubled: z.int().optional() }),
  status: z.object({ seen: z.int().optional() }),
  versions: { v1alpha1: {} },
}) {}

/** Writes what it changes, and its status: its watch may show objects as the definition was before. */
const gadgets = controller(Gadget).reconcile(async (gadget, ctx) => {
  const { size, doubled } = gadget.spec;
  if (doubled === size * 2) await ctx.status({ seen: size });
  else await ctx.client.edit(gadget, ({ spec }) => void (spec.doubled = size * 2));
});

const paint = { color: { type: 'string' }, layers: { type: 'array', items: { type: 'string' } } };

/** On one backend; undefined where it is not there. */
export function testChangedDefinition(name: string, options: ClusterOptions | undefined): void {
  test.skipIf(options === undefined)(
    `B-33: on ${name} fields an operator does not know survive its writes, whatever version is stored`,
    { timeout: 240_000 },
    async () => {
      await using env = await cluster({ ...options, operator: operator({ name: 'gadgets', controllers: [gadgets] }) });
      const { namespace } = env;
      await env.client.create(Gadget.build({ name: 'a', namespace, spec: { size: 1 } }));
      await env.eventually(Gadget, 'a', { status: { seen: 1 } });

      const definition = await env.client.get(CustomResourceDefinition, 'gadgets.changed.example.com');
      await env.client.edit(definition, ({ spec }) => {
        for (const version of spec.versions) {
          version.storage = !version.storage;
          const inner = version.schema?.openAPIV3Schema?.properties?.['spec'];
          Object.assign(inner?.properties ?? {}, paint);
        }
      });
      const painted = { size: 2, color: 'red', layers: ['a', 'b'] };
      const another = {
        apiVersion: 'changed.example.com/v1alpha1',
        kind: 'Gadget',
        metadata: { name: 'b', namespace },
        spec: painted,
      };
      const served = async (): Promise<unknown> => await env.client.create(another, { dryRun: true });
      await expect.poll(served).toMatchObject({ spec: painted });
      await env.client.create(another);
      await env.client.edit(await env.client.get(Gadget, 'a'), ({ spec }) => void Object.assign(spec, painted));
      for (const one of ['a', 'b']) {
        await env.eventually(Gadget, one, { spec: { ...painted, doubled: 4 }, status: { seen: 2 } });
        const whole = await env.client.get(Gadget, one);
        await env.client.update({ ...whole, spec: { ...whole.spec, size: 3 } });
        await env.eventually(Gadget, one, { spec: { ...painted, size: 3, doubled: 6 }, status: { seen: 3 } });
        expect(await env.client.get(Gadget.at('v1alpha1'), one)).toMatchObject({ spec: { ...painted, size: 3 } });
      }
      const { status } = await env.client.get(CustomResourceDefinition, 'gadgets.changed.example.com');
      expect(status?.storedVersions).toEqual(expect.arrayContaining(['v1', 'v1alpha1']));
    },
  );
}
