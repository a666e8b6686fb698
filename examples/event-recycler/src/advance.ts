// Drives the state machine: stores what it says first, does what it says then, and looks again.
import { AwsError, type AwsRegions } from './aws.ts';
import type { Book } from './book.ts';
import { EventRecycler, type Recycle, type Settings } from './event-recycler.ts';
import { failed, step } from './recycle.ts';
import { bring, observe, type Run } from './world.ts';

export interface Advancing {
  readonly book: Book;
  readonly settings: Settings;
  readonly aws: AwsRegions;
  readonly ctx: Run;
  /** Why all recycles are to end. */
  readonly stop?: string | undefined;
}

export interface Progress {
  /** What each recycle that is under way waits for. */
  readonly waiting: readonly string[];
  readonly problems: readonly AwsError[];
}

/** Every recycle as far as it can go now. Trouble with AWS concerns its own recycle, and is over some time. */
export async function advanceAll(given: Advancing): Promise<Progress> {
  const waiting: string[] = [];
  const problems: AwsError[] = [];
  for (const recycle of given.book.active) {
    try {
      const what = await advance(recycle, given);
      if (what !== undefined) waiting.push(`${recycle.nodeGroup} waits for ${what}`);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      problems.push(error);
      waiting.push(`${recycle.nodeGroup} waits for AWS`);
    }
  }
  return { waiting, problems };
}

/** Says what it waits for; nothing once it has ended. */
async function advance(recycle: Recycle, { book, settings, aws, ctx, stop }: Advancing): Promise<string | undefined> {
  const region = aws(recycle.region);
  const rival = earlierRival(recycle, book.name, ctx);
  if (rival !== undefined) return `EventRecycler ${rival}, which began earlier`;
  let acted: string | undefined;
  for (let current = recycle; ;) {
    const seen = await observe(current, region, ctx);
    const told = step(current, { ...seen, now: ctx.now(), epoch: ctx.leadership.epoch, settings, stop });
    if (told.type === 'next') {
      current = told.recycle;
      await book.save(current);
      continue;
    }
    const place = `${current.phase} ${current.batch.join()}`;
    if (told.type === 'act' && (told.effects.length === 0 || acted === place)) return told.waitingFor;
    acted = place;
    if (told.effects.length > 0) await book.confirm(current);
    try {
      for (const effect of told.effects) await bring(effect, current, { aws: region, ctx });
    } catch (error) {
      // What AWS refuses it will refuse again: given up, and what was changed is undone.
      if (told.type === 'end' || !(error instanceof AwsError) || error.problem !== 'refused') throw error;
      current = failed(current, error.message);
      await book.save(current);
      continue;
    }
    if (told.type === 'end') return book.close(current, told.result).then(() => undefined);
  }
}

/** Two EventRecyclers that chose one group in the same moment: the earlier one acts, the other one waits for it. */
function earlierRival({ autoScalingGroup, startTime }: Recycle, own: string, ctx: Run): string | undefined {
  const rank = (time: string, name: string): string => `${time} ${name}`;
  const others = ctx.cache.list(EventRecycler).filter(({ metadata }) => metadata.name !== own);
  return others.find(({ metadata, status }) =>
    status?.activeRecycles?.some(
      (other) =>
        other.autoScalingGroup === autoScalingGroup && rank(other.startTime, metadata.name) < rank(startTime, own),
    ),
  )?.metadata.name;
}
