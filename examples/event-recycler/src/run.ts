// What a run may read and write, and how it asks AWS.
import type { Context, DeclaredIndex } from 'kilter';
import type { Node } from 'kilter/k8s/core/v1';
import { AwsError, type Call } from './aws.ts';
import type { EventRecycler } from './event-recycler.ts';

type Indexes =
  | DeclaredIndex<'kaws.kilter.dev/v1alpha1', 'EventRecycler', 'recycled'>
  | DeclaredIndex<'v1', 'Pod', 'node'>
  | DeclaredIndex<'v1', 'Node', 'instance'>;
export type Run = Context<EventRecycler, never, Node, Indexes>;

/** Every call passes the write guard. A throttled one is tried once more: where every second one is, something gets done all the same. */
export const ask = <T>(ctx: Run, send: (call: Call) => Promise<T>): Promise<T> =>
  ctx.fence((signal) => send({ signal, leader: ctx.leadership }), {
    again: (error) => error instanceof AwsError && error.problem === 'throttled',
  });
