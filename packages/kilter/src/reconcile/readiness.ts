import { groupVersionOf, kindLabel, type KubeObject } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { systemRuntime } from '../internal/index.ts';
import { current, failed, inProgress, type Look, lookAt, type Readiness } from './readiness-look.ts';
import { builtinRules } from './readiness-rules.ts';

export type { Readiness } from './readiness-look.ts';

const abnormal = new Set(['Reconciling', 'Stalled']);
const known = new Set(['True', 'False', 'Unknown']);

/** What holds for every kind, before its own rules. */
function general({ metadata }: KubeObject, look: Look): Readiness | undefined {
  if ((metadata.deletionTimestamp ?? '') !== '') {
    return { status: 'Terminating', reason: 'Deleting', message: 'the object is being deleted' };
  }
  const { generation } = metadata;
  const observed = generation === undefined ? undefined : look.number('status.observedGeneration', generation);
  if (observed !== generation) {
    const message = `generation ${generation} has not been observed yet: the status is for ${observed}`;
    return inProgress('LatestGenerationNotObserved', message);
  }
  // Who has both means the one that stands first.
  const [first] = look.conditions.filter(({ type, status }) => abnormal.has(type) && status === 'True');
  if (first === undefined) return undefined;
  const { type, reason, message } = first;
  return type === 'Stalled' ? failed(reason || type, message) : inProgress(reason || type, message);
}

function byReadyCondition({ conditions }: Look): Readiness {
  const ready = conditions.find(({ type, status }) => type === 'Ready' && known.has(status));
  if (ready === undefined) return current('Current', 'the object has no Ready condition: it counts as ready');
  const { status, reason, message } = ready;
  return status === 'True' ? current(reason || 'Ready', message) : inProgress(reason || 'NotReady', message);
}

/** Refuses what only plain JavaScript can say, and what was found nowhere; types forbid it. */
function checkObject(object: unknown): void {
  const { apiVersion, kind, metadata } = (object ?? {}) as Partial<Record<string, unknown>>;
  const isObject = typeof metadata === 'object' && metadata !== null;
  if (typeof apiVersion === 'string' && typeof kind === 'string' && isObject) return;
  throw new KilterError(
    'RECONCILE_OBJECT_INVALID',
    `${inShort(object)} is not an object with apiVersion, kind and metadata`,
  );
}

/**
 * Whether an object has reached what its spec says, by the rules of kstatus: for a built-in kind those of the kind,
 * otherwise deletion, `observedGeneration` and the conditions `Reconciling`, `Stalled` and `Ready`. An object without
 * any of them is ready. Unlike in kstatus, a Pod that has failed is `Failed`, so nobody who waits for it continues.
 * `now` is for rules that depend on time. Default: the system's time.
 */
export function readiness(object: KubeObject, { now = systemRuntime.clock.now() }: { now?: number } = {}): Readiness {
  checkObject(object);
  const look = lookAt(object, now);
  const { group } = groupVersionOf(object.apiVersion);
  const rule = builtinRules.get(kindLabel({ group, kind: object.kind })) ?? byReadyCondition;
  return general(object, look) ?? rule(look);
}
