import { type Duration, type Kind, kindKey, type KubeObject, type Stored } from '../api/index.ts';
import { type Compose, type Observed, stepsOf } from './composition.ts';
import { childInWords, observe } from './observed.ts';
import { checkOwned } from './owned-kinds.ts';
import { type Readiness, readiness } from './readiness.ts';
import { requeueAfter, type Result } from './result.ts';
import type { ObjectRun } from './run-context.ts';
import type { ConditionPatch, StatusFields } from './status.ts';

export interface ComposedBy {
  readonly compose: Compose<KubeObject>;
  /** What the controller owns, each kind once. */
  readonly owned: readonly Kind[];
  /** Whether the object can be given a `Ready` condition. */
  readonly reports: boolean;
}

export interface Composed {
  readonly result: Result;
  /** Every step was reached: what is not in the composition is no longer wanted. */
  readonly complete: boolean;
}

interface Looked {
  readonly child: KubeObject;
  readonly readiness: Readiness;
}

async function observedBy({ context }: ObjectRun, owned: readonly Kind[]): Promise<Observed> {
  const children = (await Promise.all(owned.map((kind) => context.owned(kind as never)))).flat() as KubeObject[];
  const now = context.now();
  const { cache } = context;
  const seen = observe({ children, now });
  const keys = new Set(owned.map(({ names }) => kindKey(names)));
  const checked = <K extends KubeObject>(kind: Kind<K>): Kind<K> => {
    checkOwned(kind as unknown as Kind, (key) => keys.has(key));
    return kind;
  };
  return {
    ...seen,
    child: (kind, ref) => seen.child(checked(kind), ref),
    children: (kind) => seen.children(checked(kind)),
    find: (kind, ref) => cache.find(kind, ref),
    list: (kind, options) => cache.list(kind, options),
  };
}

/** One child that cannot be applied keeps none of its step from it; the steps behind it wait. */
async function applyStep({ context }: ObjectRun, step: readonly KubeObject[]): Promise<Looked[]> {
  const looked: Looked[] = [];
  const errors: unknown[] = [];
  for (const child of step) {
    try {
      const applied = (await context.apply(child as never)) as KubeObject;
      looked.push({ child: applied, readiness: readiness(applied, { now: context.now() }) });
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('; '));
  if (errors.length === 1) throw errors[0];
  return looked;
}

const inWords = ({ child, readiness: { reason, message } }: Looked): string =>
  `${childInWords(child)}: ${reason}: ${message}`;

/** How the children are, as a condition of the object they belong to. */
export function readyCondition(looked: readonly Looked[], wanted: number): ConditionPatch {
  const about = { type: 'Ready', status: false };
  const failure = looked.find(({ readiness: { status } }) => status === 'Failed');
  if (failure !== undefined) return { ...about, reason: 'ChildFailed', message: inWords(failure) };
  const ready = looked.filter(({ readiness: { status } }) => status === 'Current').length;
  const counted = `${ready} of ${wanted} children are ready`;
  const pending = looked.find(({ readiness: { status } }) => status !== 'Current');
  if (pending !== undefined) return { ...about, reason: 'ChildNotReady', message: `${counted}; ${inWords(pending)}` };
  return { type: 'Ready', status: true, reason: 'ChildrenReady', message: counted };
}

/** The status as it was composed, with a `Ready` condition where it has none of its own. */
function reported(status: StatusFields | undefined, ready: ConditionPatch): StatusFields {
  const given = status?.['conditions'];
  // What is not a list is refused where the status is written.
  if (given !== undefined && !Array.isArray(given)) return status as StatusFields;
  const conditions = (given ?? []) as readonly (ConditionPatch | null)[];
  if (conditions.some((one) => one?.type === 'Ready')) return status as StatusFields;
  return { ...status, conditions: [...conditions, ready] };
}

/** One run of a composed object: nothing is applied unless all of it can be understood. */
export async function runComposition(run: ObjectRun, object: KubeObject, by: ComposedBy): Promise<Composed> {
  const { steps, status, again } = stepsOf(by.compose(object as Stored<KubeObject>, await observedBy(run, by.owned)));
  run.intend(steps.flat());
  const looked: Looked[] = [];
  let reached = 0;
  for (const step of steps) {
    if (looked.some(({ readiness: { status: is } }) => is !== 'Current')) break;
    looked.push(...(await applyStep(run, step)));
    reached += 1;
  }
  const patch = by.reports ? reported(status, readyCondition(looked, steps.flat().length)) : status;
  if (patch !== undefined) await run.context.status(patch as never);
  return { result: resultOf(again), complete: reached === steps.length };
}

function resultOf(again: Duration | undefined): Result {
  return again === undefined ? undefined : requeueAfter(again, 'the composition asked for another call');
}
