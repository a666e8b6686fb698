import { apiErrorOf, controller, type Controller, isConflict, remembered, requeueAfter, type Result } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { advance } from './advance.ts';
import { AwsError, type AwsRegions } from './aws.ts';
import { instanceOf, matches, Region, type Scene } from './detection.ts';
import { EventRecycler } from './event-recycler.ts';
import { lookEvery } from './limits.ts';
import { type Look, lookAround } from './look.ts';
import { breakerOpen, unresolved } from './metrics.ts';

/** A conflict is none: somebody else has written meanwhile, and the look begins anew. */
const failure = (e: unknown) => ({ type: 'Ready', status: false, reason: 'Failed', message: String(e).slice(0, 1000) });

/** With one worker: what one starts is known when the next one decides. Never in quarantine: a recycle would stay half done. */
export const eventRecyclers = (aws: AwsRegions): Controller<EventRecycler> => {
  // Users name regions: whoever invents one after the other must not fill the memory.
  const regionOf = remembered((name: string | undefined) => new Region(aws(name)));
  return controller(EventRecycler, { backoff: { base: '1s', cap: '30s' }, quarantine: false })
    .watches(Event, (event, { primaries }) => primaries.where(({ spec }) => matches(spec, event)), {
      fields: { type: 'Warning' },
      // Events come in rows: whatever has come meanwhile is looked at together.
      settle: '2s',
    })
    .reads(Pod)
    .reads(Node)
    .writes(Node, { verbs: ['patch'] })
    .writes(Pod, { subresource: 'eviction', verbs: ['create'] })
    .index('recycled', ({ status }) => status?.activeRecycles?.map(({ autoScalingGroup }) => autoScalingGroup))
    .index(Pod, 'node', (pod) => pod.spec?.nodeName)
    .index(Node, 'instance', instanceOf)
    .cleanup('kaws.kilter.dev/recycles', async (recycler, ctx) => {
      const scene = { recycler, ctx, regionOf, stop: 'the EventRecycler was deleted' };
      for (const gauge of [unresolved, breakerOpen]) ctx.metric(gauge).set({ recycler: recycler.metadata.name }, 0);
      const progress = await advance(scene);
      if (progress.waiting !== '') return report(scene, { held: new Map(), unresolved: [], ...progress });
    })
    .onError((error) => (isConflict(error) ? undefined : { conditions: [failure(error)] }))
    .reconcile(async (recycler, ctx) => {
      const scene = { recycler, ctx, regionOf, stop: recycler.spec.dryRun ? 'dryRun was turned on' : undefined };
      // Whatever goes wrong with a look, what is under way goes on. After a conflict all of it is read again.
      const look = await lookAround(scene).catch(async (error: unknown) => {
        if (!isConflict(error)) await advance(scene);
        throw error;
      });
      const { waiting, problem } = await advance(scene);
      return report(scene, { ...look, waiting, problem: look.problem ?? problem });
    });
};

type Found = Pick<Look, 'held' | 'unresolved' | 'breaker'> & Awaited<ReturnType<typeof advance>>;

async function report({ recycler: { spec }, ctx }: Scene, found: Found): Promise<Result> {
  const { held, unresolved, breaker, waiting, problem } = found;
  // What keeps something from being recycled or counted, although nothing is broken.
  const waits = [...held].map(([group, why]) => `${group} has to wait: ${why}`);
  const uncounted = [...new Set(unresolved)].toSorted().map((why) => `not counted: ${why}`);
  const message = (problem?.message ?? [...waits, ...uncounted].join('; ')).slice(0, 1000);
  const fine = uncounted.length > 0 ? 'NotCounted' : 'Watching';
  const trouble = problem instanceof AwsError ? 'Aws' : apiErrorOf(problem) ? 'Failed' : 'ForeignIntent';
  const reason = problem === undefined ? fine : trouble;
  const event = reason === 'Watching' ? undefined : 'Warning';
  const [isUnderWay, isOpen] = [waiting !== '', breaker !== undefined];
  const conditions = [
    { type: 'Ready', status: problem === undefined, reason, message, event } as const,
    { type: 'Recycling', status: isUnderWay, reason: isUnderWay ? 'UnderWay' : 'None', message: waiting },
    { type: 'BreakerOpen', status: isOpen, reason: isOpen ? 'TooManyGroups' : 'Closed', message: breaker },
  ];
  await ctx.status({ conditions }, { conflict: 'fail' });
  if (isUnderWay || problem !== undefined) return requeueAfter(spec.pollInterval, waiting || 'AWS');
  return requeueAfter(lookEvery(spec), 'the window moves on');
}
