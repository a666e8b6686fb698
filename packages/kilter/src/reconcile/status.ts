import type { Condition, KubeObject } from '../api/index.ts';
import { formatTime } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { deepEqual, isPromise } from '../internal/index.ts';

/** One condition as a run sets it; the time and the generation are added. */
export interface ConditionPatch {
  type: string;
  /** `true` and `false` mean 'True' and 'False'. */
  status: boolean | Condition['status'];
  reason: string;
  message?: string | undefined;
  /**
   * Also records an Event of this type when the condition's status, reason or message changes. A warning is logged as
   * well. Only in `ctx.status`. Default: no Event.
   */
  event?: 'Normal' | 'Warning' | undefined;
}

/** `null` takes away what may be missing. */
type Settable<S, K extends keyof S> = Partial<Pick<S, K>> extends Pick<S, K> ? S[K] | null : S[K];

type Patch<S> = {
  [K in keyof S as Exclude<K, 'observedGeneration'>]?:
    | (K extends 'conditions' ? ConditionPatch[] : Settable<S, K>)
    | undefined;
};

/** The status fields a reconciler may write: its own, and conditions in their short form. */
export type StatusPatch<T> = T extends { status?: infer S }
  ? [NonNullable<S>] extends [never]
    ? never
    : Patch<NonNullable<S>>
  : never;

/** The status fields that can hold a time. */
export type TimeField<T> = T extends { status?: infer S }
  ? { [K in keyof NonNullable<S> & string]-?: string extends NonNullable<S>[K] ? K : never }[keyof NonNullable<S> &
      string]
  : never;

/** Has this generation been handled? */
export function isObserved(object: KubeObject): boolean {
  return statusOf(object)['observedGeneration'] === object.metadata.generation;
}

/** A status as plain fields. */
export type StatusFields = Readonly<Record<string, unknown>>;

export function statusOf(object: KubeObject): StatusFields {
  return (object as KubeObject & { status?: StatusFields }).status ?? {};
}

export interface Stamp {
  /** The generation of the object the run was given. */
  readonly generation: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** What to write and what to take away. In `set`, `undefined` means not mentioned, and `null` takes away. */
export interface StatusEdit {
  readonly set: StatusFields;
  readonly removeFields?: readonly string[];
  readonly removeConditions?: readonly string[];
  /** A field for the time of the write. */
  readonly stamp?: string | undefined;
}

const statusText = (status: ConditionPatch['status']): Condition['status'] =>
  status === true ? 'True' : status === false ? 'False' : status;

// What metav1.Condition allows. A text that is too long, as of an error with a whole page in it, must not cost the status.
const longestMessage = 32_768;

const shortened = (message: string): string =>
  message.length > longestMessage ? `${message.slice(0, longestMessage - 1).toWellFormed()}…` : message;

function nextCondition(patch: ConditionPatch, old: Condition | undefined, { generation, now }: Stamp): Condition {
  const status = statusText(patch.status);
  return {
    type: patch.type,
    status,
    reason: patch.reason,
    message: shortened(patch.message ?? ''),
    // The moment of the last change of `status`, not of reason or message: that is what people read from it.
    lastTransitionTime: old?.status === status ? old.lastTransitionTime : formatTime(now),
    ...(generation !== undefined && { observedGeneration: generation }),
  };
}

/** Conditions are keyed by type: mentioned ones are replaced in place or appended, others stay. */
export function mergeConditions(
  current: readonly Condition[],
  patches: readonly ConditionPatch[],
  stamp: Stamp,
): Condition[] {
  const byType = new Map(current.map((condition) => [condition.type, condition]));
  for (const patch of patches) byType.set(patch.type, nextCondition(patch, byType.get(patch.type), stamp));
  return [...byType.values()];
}

type Told = ConditionPatch & { event: 'Normal' | 'Warning' };

/** The conditions of a patch that ask for an Event, and differ from those the object had. */
export function newsIn(patch: StatusFields, before: KubeObject): Told[] {
  const had = (statusOf(before)['conditions'] as Condition[] | undefined) ?? [];
  return ((patch['conditions'] as ConditionPatch[] | undefined) ?? []).flatMap(({ event, ...now }) => {
    const old = had.find(({ type }) => type === now.type);
    const isOld = old?.status === statusText(now.status) && old.reason === now.reason;
    const isSame = isOld && old.message === shortened(now.message ?? '');
    return event === undefined || isSame ? [] : [{ ...now, event }];
  });
}

/** Refuses what only plain JavaScript can say; types forbid it. */
export function checkStatusPatch(patch: unknown): asserts patch is StatusFields {
  const fail = (why: string, cure?: string): never => {
    const message = why.startsWith('conditions[') ? why : `${inShort(patch)} is not a status patch: ${why}`;
    throw new KilterError('RECONCILE_STATUS_INVALID', message, cure === undefined ? {} : { cure });
  };
  if (isPromise(patch)) fail('it is a promise');
  if (!isPlain(patch) || !isOfFields(patch)) fail('it is not an object of status fields');
  const { conditions } = patch as { conditions?: unknown };
  if (conditions === undefined) return;
  if (!Array.isArray(conditions)) fail('conditions is not a list');
  const wrong = (conditions as unknown[]).findIndex((one) => !isCondition(one));
  if (wrong >= 0) {
    const needed = "a condition has a type, a status (true, false or 'Unknown') and a reason";
    fail(`conditions[${wrong}] is ${inShort((conditions as unknown[])[wrong])}: ${needed}`);
  }
  const types = (conditions as ConditionPatch[]).map(({ type }) => type);
  const twice = types.find((type, i) => types.indexOf(type) !== i);
  if (twice !== undefined) {
    fail(
      `two conditions have the type ${inShort(twice)}`,
      'give each type once; conditions that are not given stay as they are',
    );
  }
}

/** A Map, a Date or an Error has no fields: what was meant by it would not be written, and nobody would notice. */
function isOfFields(patch: object): boolean {
  return Object.prototype.toString.call(patch) === '[object Object]';
}

const statuses: readonly unknown[] = [true, false, 'True', 'False', 'Unknown'];

function isCondition(value: unknown): boolean {
  if (!isPlain(value)) return false;
  return typeof value['type'] === 'string' && statuses.includes(value['status']) && typeof value['reason'] === 'string';
}

/** The status after an edit: pure, so that "nothing changed" can be seen before anything is sent. */
export function editedStatus(current: StatusFields, edit: StatusEdit, stamp: Stamp): StatusFields {
  const { conditions: patches, ...fields } = edit.set as { conditions?: ConditionPatch[] } & StatusFields;
  const removed = new Set(edit.removeFields);
  for (const [field, value] of Object.entries(fields)) if (value === null) removed.add(field);
  const kept = Object.entries(current).filter(([key]) => !removed.has(key));
  const given = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  const conditions = ((current['conditions'] as Condition[] | undefined) ?? []).filter(
    ({ type }) => !(edit.removeConditions ?? []).includes(type),
  );
  const merged = mergeConditions(conditions, patches ?? [], stamp);
  const hadConditions = current['conditions'] !== undefined || merged.length > 0;
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(given),
    ...(stamp.generation !== undefined && { observedGeneration: stamp.generation }),
    ...(hadConditions && { conditions: merged }),
  };
}

/** The merge patch from one status to the other: null takes a field away, lists are replaced whole. */
export function statusDifference(from: StatusFields, to: StatusFields): Record<string, unknown> | undefined {
  const difference: Record<string, unknown> = {};
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [before, after] = [own(from, key), own(to, key)];
    if (deepEqual(before, after)) continue;
    difference[key] = isPlain(before) && isPlain(after) ? statusDifference(before, after) : (after ?? null);
  }
  return Object.keys(difference).length === 0 ? undefined : difference;
}

/** A status may have a field called `valueOf`: what objects inherit is not one. */
function own(fields: StatusFields, key: string): unknown {
  return Object.hasOwn(fields, key) ? fields[key] : undefined;
}

function isPlain(value: unknown): value is StatusFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
