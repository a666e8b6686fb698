import type { Duration, FieldsOf, Kind, KubeObject, Labels, Ref, Stored } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { isPromise, parseDuration } from '../internal/index.ts';
import type { StatusFields, StatusPatch } from './status.ts';

/** What a composition is computed from, besides its object: plain values, already read. */
export interface Observed {
  /** The child of this kind and name, as it is; undefined if it does not exist yet. */
  child<K extends KubeObject>(kind: Kind<K>, ref: Ref): Stored<K> | undefined;
  /** All children of this kind, including own writes. */
  children<K extends KubeObject>(kind: Kind<K>): Stored<K>[];
  /** Another object of a declared kind, as the cache has it. A bare name means the namespace of the object. */
  find<K extends KubeObject>(kind: Kind<K>, ref: Ref): Stored<K> | undefined;
  /** Other objects of a declared kind, as the cache has them. */
  list<K extends KubeObject>(kind: Kind<K>, options?: ObservedListOptions): Stored<K>[];
  /** The operator's clock, in milliseconds since 1970. */
  readonly now: number;
}

export interface ObservedListOptions {
  /** Default: all. */
  namespace?: string | undefined;
  /** Default: whatever their labels. */
  labels?: Labels | undefined;
}

type ChildOf<C extends KubeObject> = C extends KubeObject ? C | FieldsOf<C> : never;

/** The children an object should have, and its status. */
export interface Composition<T extends KubeObject, Child extends KubeObject = KubeObject> {
  /**
   * The children, complete or as `Kind.fields({…})`, applied in this order. A list of lists is a list of steps: each is
   * applied once everything in the previous steps is ready; until then, its existing objects stay as they are.
   */
  readonly children: readonly ChildOf<Child>[] | readonly (readonly ChildOf<Child>[])[];
  /**
   * Like the patch of `ctx.status`. If it has no `Ready` condition, one is added from the readiness of the children.
   */
  readonly status?: StatusPatch<T> | undefined;
  /** Compose again after this time, even if nothing changes until then. Default: with the next change. */
  readonly again?: Duration | undefined;
}

/** Desired children and status as a function of the object and what is observed: without I/O, so nothing is awaited. */
export type Compose<T extends KubeObject, Child extends KubeObject = KubeObject> = (
  object: Stored<T>,
  observed: Observed,
) => Composition<T, Child>;

/** A composition that has been looked at: every list is a list of steps. */
export interface Steps {
  readonly steps: readonly (readonly KubeObject[])[];
  readonly status: StatusFields | undefined;
  readonly again: Duration | undefined;
}

function invalid(message: string, cure?: string): KilterError {
  return new KilterError('RECONCILE_COMPOSITION_INVALID', message, cure === undefined ? {} : { cure });
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function checkChild(child: unknown, where: string): KubeObject {
  const cure = 'give objects made by Kind.build({ name, … }) or Kind.fields({ name, … })';
  if (!isPlain(child)) throw invalid(`${where} is not an object but ${inShort(child)}`, cure);
  const { apiVersion, kind, metadata } = child as Partial<KubeObject>;
  if (!isText(apiVersion) || !isText(kind)) throw invalid(`${where} has no apiVersion and kind`, cure);
  if (!isText(metadata?.name)) throw invalid(`${where}, a ${kind}, has no name`, cure);
  return child as unknown as KubeObject;
}

function stepsIn(children: unknown): readonly (readonly KubeObject[])[] {
  const cure = 'return { children: [ … ], status: { … } }; without children, an empty list';
  if (!Array.isArray(children)) throw invalid(`children is not a list but ${inShort(children)}`, cure);
  const lists = children.filter(Array.isArray).length;
  if (lists > 0 && lists < children.length) {
    throw invalid('children mixes objects and steps', 'put each object into a step: [[a], [b, c]]');
  }
  if (lists === 0) return [children.map((child, i) => checkChild(child, `children[${i}]`))];
  return (children as readonly (readonly unknown[])[]).map((step, i) =>
    step.map((child, j) => checkChild(child, `children[${i}][${j}]`)),
  );
}

/** What a compose function returned, as steps; or an error that says what is wrong with it, before anything is applied. */
export function stepsOf(value: unknown): Steps {
  if (isPromise(value)) {
    // Nobody waits for it: how it ends is of no consequence.
    void Promise.resolve(value).catch(() => undefined);
    const cure = 'leave out async and await; what needs I/O belongs in .reconcile(…)';
    throw invalid('compose returned a promise: it is a function of its arguments alone', cure);
  }
  if (!isPlain(value)) throw invalid(`compose returned ${inShort(value)}`);
  const { children, status, again } = value;
  if (again !== undefined && parseDuration(again as Duration) === undefined) {
    throw invalid(`again: ${inShort(again)} is not a duration`, "write milliseconds or a number with its unit: '30s'");
  }
  if (status !== undefined && !isPlain(status)) {
    throw invalid(`status is not an object but ${inShort(status)}`, 'give the fields of the status, or leave it out');
  }
  const steps = stepsIn(children);
  return { steps, status: status as StatusFields | undefined, again: again as Duration | undefined };
}
