// A small custom resource for tests of the runtime against the embedded server: a Thing owns ConfigMaps.
import {
  controller,
  type Controller,
  type ControllerBuilder,
  operator,
  type Operator,
  type OperatorOptions,
} from 'kilter';
import { customResource } from 'kilter/crd';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { z } from 'zod';

export class Thing extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Thing',
  spec: z.object({ values: z.record(z.string(), z.string()).default({}), note: z.string().optional() }),
  status: z.object({ seen: z.int().optional(), note: z.string().optional() }),
}) {}

export const thing = (name: string, values: Record<string, string> = {}): Thing =>
  Thing.build({ name, namespace: 'default', spec: { values } });

export const configFor = (object: Thing): ConfigMap =>
  ConfigMap.build({ name: object.metadata.name, data: object.spec.values });

type Builder = ControllerBuilder<Thing, ConfigMap>;

/** An operator over Things, quiet unless told otherwise. */
export function thingOperator(
  build: (builder: Builder) => Controller<Thing>,
  options: Partial<OperatorOptions> = {},
): Operator {
  const quiet = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };
  const built = build(controller(Thing).owns(ConfigMap));
  return operator({ name: 'thing-operator', logger: quiet, ...options, controllers: [built] });
}

const ignore = (): void => undefined;

/** Reconciles a Thing into its ConfigMap. */
export const things = (builder: Builder): Controller<Thing> =>
  builder.reconcile(async (object, ctx) => {
    await ctx.apply(configFor(object));
  });
