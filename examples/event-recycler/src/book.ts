// The status of one EventRecycler during one run: every change is stored, locked on the version it was computed from.
import { isDeepStrictEqual } from 'node:util';
import type { StatusPatch } from 'kilter';
import { formatTime } from 'kilter/api';
import { EventRecycler, type Recycle, type Status } from './event-recycler.ts';
import type { Run } from './world.ts';

export type Change = Omit<Status, 'conditions' | 'observedGeneration'>;
type Conditions = NonNullable<StatusPatch<EventRecycler>['conditions']>;

export class Book {
  readonly name: string;
  readonly #ctx: Run;
  /** As it is stored, but for conditions. */
  #status: Status;

  constructor({ metadata, status }: EventRecycler, ctx: Run) {
    this.name = metadata.name;
    this.#ctx = ctx;
    this.#status = status ?? {};
  }

  get status(): Status {
    return this.#status;
  }

  get active(): readonly Recycle[] {
    return this.#status.activeRecycles ?? [];
  }

  /** The time of the last look moves with what changed, never alone: a write of its own would be one for every look. */
  async write(change: Change, conditions: Conditions = []): Promise<void> {
    const differs = Object.entries(change).some(
      ([field, value]) => !isDeepStrictEqual(this.#status[field as keyof Change], value),
    );
    const stamped = differs ? { ...change, lastCheckTime: formatTime(this.#ctx.now()) } : {};
    await this.#ctx.status({ ...stamped, conditions }, { conflict: 'fail' });
    this.#status = { ...this.#status, ...stamped };
  }

  save(recycle: Recycle): Promise<void> {
    const isIt = ({ autoScalingGroup }: Recycle) => autoScalingGroup === recycle.autoScalingGroup;
    return this.write({ activeRecycles: this.active.map((one) => (isIt(one) ? recycle : one)) });
  }

  /** The last write of a recycle: it leaves the active ones and enters the history at once. */
  async close(recycle: Recycle, result: string): Promise<void> {
    const { autoScalingGroup } = recycle;
    await this.write({
      activeRecycles: this.active.filter((one) => one.autoScalingGroup !== autoScalingGroup),
      ...ended(this.#status, recycle, { result, now: this.#ctx.now() }),
    });
    this.#ctx.event(result === 'Succeeded' ? 'Normal' : 'Warning', 'Recycled', `${recycle.nodeGroup}: ${result}`);
  }

  /** What the server has must be what this run believes, this leader's epoch included, before anything follows from it. */
  async confirm(recycle: Recycle): Promise<void> {
    const { status } = await this.#ctx.live.get(EventRecycler, this.name);
    const stored = status?.activeRecycles?.find(
      ({ autoScalingGroup }) => autoScalingGroup === recycle.autoScalingGroup,
    );
    if (!isDeepStrictEqual(stored, recycle))
      throw new Error(`the stored intent for ${recycle.autoScalingGroup} is another one`);
  }
}

/** The history and the cooldown after a recycle, or after one that was only decided. */
export function ended(
  { recycleHistory = [], lastRecycles = [] }: Status,
  { autoScalingGroup, nodeGroup, eventCount }: Pick<Recycle, 'autoScalingGroup' | 'nodeGroup' | 'eventCount'>,
  { result, now }: { result: string; now: number },
): Pick<Status, 'recycleHistory' | 'lastRecycles'> {
  const time = formatTime(now);
  const others = lastRecycles.filter((one) => one.autoScalingGroup !== autoScalingGroup);
  return {
    recycleHistory: [
      { nodeGroup, timestamp: time, eventCount, status: result.slice(0, 1000) },
      ...recycleHistory,
    ].slice(0, 20),
    lastRecycles: [{ autoScalingGroup, time }, ...others].slice(0, 200),
  };
}
