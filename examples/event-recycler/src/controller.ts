import { controller, type Controller, requeueAfter, type Result } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { advance, type Progress } from './advance.ts';
import { AwsError, type AwsRegions, remembering } from './aws.ts';
import { Directory, instanceOf, matches } from './detection.ts';
import { EventRecycler } from './event-recycler.ts';
import { type Look, lookAround } from './look.ts';
import type { Scene } from './scene.ts';

/** With one worker: what one EventRecycler starts is known when the next one decides. */
export const eventRecyclers = (aws: AwsRegions): Controller<EventRecycler> => {
  // What AWS says of instances, by region. Nothing that was decided.
  const directoryOf = remembering(() => new Directory());
  return controller(EventRecycler, { backoff: { base: '1s', cap: '30s' } })
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
      const { waiting } = await advance({ recycler, aws, ctx, stop: 'the EventRecycler was deleted' });
      if (waiting !== '') return requeueAfter(recycler.spec.pollInterval, waiting);
    })
    .onError((error) => ({
      conditions: [{ type: 'Ready', status: false, reason: 'Failed', message: String(error).slice(0, 1000) }],
    }))
    .reconcile(async (recycler, ctx) => {
      const { awsRegion = '', dryRun } = recycler.spec;
      const scene = { recycler, aws, ctx, stop: dryRun ? 'dryRun was switched on' : undefined };
      const directory = directoryOf(awsRegion);
      const look = await lookAround(scene, directory);
      // Trouble with AWS keeps nobody from going on with what is under way.
      const { waiting, problem } = await advance(scene);
      return report(scene, look, { waiting, problem: directory.problem ?? problem });
    });
};

/** What keeps something from being counted or recycled, although nothing is broken. */
function remarksOn({ decision, started, detection }: Look, { spec: { dryRun } }: EventRecycler): string {
  const isAbsent = (group: string) => !dryRun && !started.some((one) => one.autoScalingGroup === group);
  const absent = decision.start.filter(isAbsent).map((group) => [group, 'AWS has no instances of it'] as const);
  return [
    ...[...decision.held, ...absent].map(([group, why]) => `${group} has to wait: ${why}`),
    ...[...new Set(detection.unresolved)].toSorted().map((why) => `not counted: ${why}`),
  ].join('; ');
}

async function report({ recycler, ctx }: Scene, look: Look, { problem, waiting }: Progress): Promise<Result> {
  const { spec, status } = recycler;
  const { breaker } = look.decision;
  const message = (problem?.message ?? remarksOn(look, recycler)).slice(0, 1000);
  const reason = problem === undefined ? 'Watching' : problem instanceof AwsError ? 'Aws' : 'ForeignIntent';
  // Told when it begins, not at every look.
  const isNews = status?.conditions?.find(({ type }) => type === 'Ready')?.message !== message;
  if (isNews && (problem !== undefined || look.detection.unresolved.length > 0)) {
    ctx.log.warn({}, message);
    ctx.event('Warning', problem === undefined ? 'NotCounted' : reason, message);
  }
  const [isUnderWay, isOpen] = [waiting !== '', breaker !== undefined];
  const conditions = [
    { type: 'Ready', status: problem === undefined, reason, message },
    { type: 'Recycling', status: isUnderWay, reason: isUnderWay ? 'UnderWay' : 'None', message: waiting },
    { type: 'BreakerOpen', status: isOpen, reason: isOpen ? 'TooManyGroups' : 'Closed', message: breaker },
  ];
  await ctx.status({ conditions }, { conflict: 'fail' });
  if (isUnderWay || problem !== undefined) return requeueAfter(spec.pollInterval, waiting || 'AWS');
  return requeueAfter(spec.watchInterval, 'the window moves on');
}
