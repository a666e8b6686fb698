import type { KubeObject } from '../api/index.ts';
import { listen, type Listening } from './listen.ts';
import { changedBeyondStatus } from './predicate.ts';

export interface PrimaryTrigger<T extends KubeObject> extends Listening<T> {
  /** Leave out updates of nothing but the status. Right for kinds whose status only this controller writes. */
  readonly skipStatusUpdates: boolean;
}

/** The controller's own objects. Returns how to stop. */
export function connectPrimary<T extends KubeObject>(options: PrimaryTrigger<T>): () => void {
  const given = options.predicates ?? [];
  const predicates = options.skipStatusUpdates ? [changedBeyondStatus, ...given] : given;
  return listen({ ...options, predicates }, 'primary', 'itself');
}
