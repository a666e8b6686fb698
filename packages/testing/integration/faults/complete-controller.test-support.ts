// A controller that does all a controller may do: finalizer, two kinds of children, prune, status.
import { controller, operator, type Operator } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import type { crashEveryWrite } from '../../src/index.ts';
import { Thing, thing } from '../thing.test-support.ts';

export interface Names {
  readonly published: Set<string>;
}

/** A ConfigMap for each value, one Secret, a name outside, and a status. The lease lasts so many seconds. */
const complete =
  (seconds: number) =>
  ({ external }: { external: Names }): Operator =>
    operator({
      name: 'complete',
      leaderElection: {
        leaseDuration: seconds * 1000,
        renewDeadline: (seconds * 2000) / 3,
        retryPeriod: (seconds * 2000) / 15,
      },
      controllers: [
        controller(Thing)
          .owns(ConfigMap, { prune: true })
          .owns(Secret)
          .cleanup('example.com/name', async ({ metadata }) => void external.published.delete(metadata.name))
          .reconcile(async (object, ctx) => {
            const { name } = object.metadata;
            await ctx.apply(Secret.build({ name, stringData: { token: name } }));
            for (const [key, value] of Object.entries(object.spec.values)) {
              await ctx.apply(ConfigMap.build({ name: `${name}-${key}`, data: { value } }));
            }
            await ctx.fence(async () => void external.published.add(name));
            await ctx.status({ seen: Object.keys(object.spec.values).length });
          }),
      ],
    });

/** A scenario for `crashEveryWrite`. */
export const completeScenario = (seconds = 15) =>
  ({
    operator: complete(seconds),
    external: (): Names => ({ published: new Set() }),
    observe: ({ published }: Names) => [...published].toSorted(),
    steps: [
      (user) => user.create(thing('a', { x: '1', y: '1' })),
      (user) => user.patch(Thing, 'a', { spec: { values: { x: '2', y: null, z: '3' } } }),
      (user) => user.delete(Thing, 'a'),
    ],
  }) satisfies Parameters<typeof crashEveryWrite<Names>>[0];
