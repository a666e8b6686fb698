// What a run works with.
import type { Context, DeclaredIndex } from 'kilter';
import type { Node } from 'kilter/k8s/core/v1';
import { AwsError, type AwsRegions, type Call } from './aws.ts';
import type { EventRecycler } from './event-recycler.ts';

type Indexes =
  | DeclaredIndex<'kaws.kilter.dev/v1alpha1', 'EventRecycler', 'recycled'>
  | DeclaredIndex<'v1', 'Pod', 'node'>
  | DeclaredIndex<'v1', 'Node', 'instance'>;
export type Run = Context<EventRecycler, never, Node, Indexes>;

export interface Scene {
  readonly recycler: EventRecycler;
  readonly aws: AwsRegions;
  readonly ctx: Run;
  /** Why what is under way is to end at once. */
  readonly stop: string | undefined;
}

/** Every call passes the write guard. A throttled one is tried once more: where every second one is, something gets done all the same. */
export async function ask<T>(ctx: Run, send: (call: Call) => Promise<T>): Promise<T> {
  const once = () => ctx.fence((signal) => send({ signal, leader: ctx.leadership }));
  return once().catch((error: unknown) => {
    if (error instanceof AwsError && error.problem === 'throttled') return once();
    throw error;
  });
}
