import { controller, type Controller, requeueAfter, type Result } from 'kilter';
import { Node, Pod } from 'kilter/k8s/core/v1';
import { Event } from 'kilter/k8s/events/v1';
import { advanceAll, type Progress } from './advance.ts';
import { AwsError, type AwsRegions } from './aws.ts';
import { Book } from './book.ts';
import { Directory, matches } from './detection.ts';
import { EventRecycler, settingsOf } from './event-recycler.ts';
import { type Look, lookAround, type Scene } from './look.ts';
import { instanceOf } from './world.ts';

export interface Dependencies {
  readonly aws: AwsRegions;
}

/** With one worker: what one EventRecycler starts is known when the next one decides. */
export const eventRecyclers = ({ aws }: Dependencies): Controller<EventRecycler> => {
  // What AWS says of instances, by region: facts, nothing that was decided.
  const directories = new Map<string | undefined, Directory>();
  return controller(EventRecycler, { backoff: { base: '1s', cap: '30s' } })
    .watches(Event, (event, { primaries }) => primaries.where(({ spec }) => matches(spec, event)), {
      fields: { type: 'Warning' },
    })
    .reads(Pod)
    .reads(Node)
    .writes(Node, { verbs: ['patch'] })
    .writes(Pod, { subresource: 'eviction', verbs: ['create'] })
    .index(Pod, 'node', (pod) => pod.spec?.nodeName)
    .index(Node, 'instance', instanceOf)
    .cleanup('kaws.kilter.dev/recycles', async (recycler, ctx) => {
      const [settings, book] = [settingsOf(recycler.spec), new Book(recycler, ctx)];
      const { waiting } = await advanceAll({ book, settings, aws, ctx, stop: 'the EventRecycler was deleted' });
      if (waiting.length > 0) return requeueAfter(settings.pollInterval, waiting.join('; '));
    })
    .onError((error) => ({
      conditions: [{ type: 'Ready', status: false, reason: 'Failed', message: String(error).slice(0, 1000) }],
    }))
    .reconcile(async (recycler, ctx) => {
      const [settings, book] = [settingsOf(recycler.spec), new Book(recycler, ctx)];
      const directory = directories.get(settings.awsRegion) ?? new Directory();
      directories.set(settings.awsRegion, directory);
      const scene = { settings, book, aws, directory, ctx };
      const { look, problem } = await countAndPlan(scene);
      const stop = settings.dryRun ? 'dryRun was switched on' : undefined;
      const { waiting, problems } = await advanceAll({ book, settings, aws, ctx, stop });
      return report({ look, waiting, problems: [problem ?? directory.problem ?? [], problems].flat() }, scene);
    });
};

/** Trouble with AWS keeps nobody from going on with what is under way. */
async function countAndPlan(scene: Scene): Promise<{ look?: Look; problem?: AwsError }> {
  try {
    const { look, change } = await lookAround(scene);
    const before = scene.book.active.length;
    await scene.book.write(change);
    announce(look, scene, before);
    return { look };
  } catch (error) {
    if (error instanceof AwsError) return { problem: error };
    throw error;
  }
}

function announce({ decision, detection }: Look, { book, settings, directory, ctx }: Scene, before: number): void {
  for (const { event, why } of detection.unresolved) {
    if (directory.isNews(why)) ctx.log.warn({ event: event.metadata.name }, `an Event is not counted: ${why}`);
  }
  if (settings.dryRun) {
    for (const group of decision.start) ctx.event('Normal', 'DryRun', `would recycle ${group}`);
  }
  for (const { nodeGroup, eventCount, strategy } of book.active.slice(before)) {
    ctx.event('Normal', 'Recycling', `${nodeGroup}: ${eventCount} occurrences, strategy ${strategy}`);
  }
}

async function report(
  { look, waiting, problems }: Progress & { look: Look | undefined },
  scene: Scene,
): Promise<Result> {
  const { book, settings } = scene;
  const breaker = look?.decision.breaker;
  const [problem] = problems;
  const held = [...(look?.decision.held ?? [])].map(([group, why]) => `${group} has to wait: ${why}`).join('; ');
  await book.write({}, [
    problem === undefined
      ? { type: 'Ready', status: true, reason: 'Watching', message: held.slice(0, 1000) }
      : { type: 'Ready', status: false, reason: 'Aws', message: problem.message.slice(0, 1000) },
    {
      type: 'Recycling',
      status: waiting.length > 0,
      reason: waiting.length > 0 ? 'UnderWay' : 'None',
      message: waiting.join('; ').slice(0, 1000),
    },
    {
      type: 'BreakerOpen',
      status: breaker !== undefined,
      reason: breaker === undefined ? 'Closed' : 'TooManyGroups',
      message: breaker ?? '',
    },
  ]);
  const isBusy = waiting.length > 0 || problems.length > 0;
  if (isBusy) return requeueAfter(settings.pollInterval, waiting.join('; ') || 'AWS');
  return requeueAfter(settings.watchInterval, 'the window moves on');
}
