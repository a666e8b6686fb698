import { controller, operator } from 'kilter';
import { customResource } from 'kilter/crd';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { z } from 'zod';

export class Greeting extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Greeting',
  spec: z.object({ text: z.string().min(1) }),
}) {}

const copies = controller(Greeting)
  .owns(ConfigMap)
  .reconcile(async ({ metadata: { name }, spec }, ctx) => {
    await ctx.apply(ConfigMap.fields({ name, data: { text: spec.text } }));
  });

export const greetings = operator({ name: 'greetings', controllers: [copies] }); // in main.ts: await greetings.run();
