import { groupVersionOf, kindLabel, type KubeObject } from '../api/index.ts';
import { systemRuntime } from '../internal/index.ts';
import { current, failed, inProgress, type Look, lookAt, type Readiness } from './readiness-look.ts';
import { builtinRules } from './readiness-rules.ts';

export type { Readiness } from './readiness-look.ts';

/** What holds for every kind, before its own rules. */
function general({ metadata }: KubeObject, look: Look): Readiness | undefined {
  if (metadata.deletionTimestamp !== undefined) {
    return { status: 'Terminating', reason: 'Deleting', message: 'the object is being deleted' };
  }
  const observed = look.number('status.observedGeneration', metadata.generation ?? 0);
  if (metadata.generation !== undefined && observed !== metadata.generation) {
    const message = `generation ${metadata.generation} has not been observed yet, but ${observed}`;
    return inProgress('LatestGenerationNotObserved', message);
  }
  const reconciling = look.condition('Reconciling', 'True');
  if (reconciling !== undefined) return inProgress(reconciling.reason || 'Reconciling', reconciling.message);
  const stalled = look.condition('Stalled', 'True');
  return stalled && failed(stalled.reason || 'Stalled', stalled.message);
}

function byReadyCondition({ conditions }: Look): Readiness {
  const ready = conditions.find(({ type }) => type === 'Ready');
  if (ready === undefined) return current('Current', 'the object has no Ready condition: it counts as ready');
  const { status, reason, message } = ready;
  return status === 'True' ? current(reason || 'Ready', message) : inProgress(reason || 'NotReady', message);
}

/**
 * Whether an object is as its spec says, by the rules of kstatus: those of its kind where it is built in; else by what every
 * object may have: a deletion, `observedGeneration`, the conditions `Reconciling`, `Stalled` and `Ready`. One without any of them
 * is ready. `now` is for rules with a time in them. Default: the time of the system.
 */
export function readiness(object: KubeObject, { now = systemRuntime.clock.now() }: { now?: number } = {}): Readiness {
  const look = lookAt(object, now);
  const { group } = groupVersionOf(object.apiVersion);
  const rule = builtinRules.get(kindLabel({ group, kind: object.kind })) ?? byReadyCondition;
  return general(object, look) ?? rule(look);
}
