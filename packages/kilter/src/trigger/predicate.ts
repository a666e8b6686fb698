import type { KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { deepEqual, isPromise } from '../internal/index.ts';

/** Before and after a change; one is missing when the object was added or deleted. */
export interface Versions<T extends KubeObject = KubeObject> {
  readonly before?: T | undefined;
  readonly after?: T | undefined;
}

/** Decides whether a change triggers runs. It never decides what is cached: selectors do. */
export type Predicate<T extends KubeObject = KubeObject> = (change: Versions<T>) => boolean;

/** What a test answered. An async one has not answered yet, and its promise would pass for true. */
export function verdictOf(answer: unknown): boolean {
  if (isPromise(answer)) throw new KilterError('TRIGGER_PREDICATE_INVALID', 'a predicate returned a promise');
  return Boolean(answer);
}

/** Passes adds and deletes, and updates for which the two versions differ in what is looked at. */
function differs(look: (object: KubeObject) => unknown): Predicate {
  return ({ before, after }) => {
    if (before === undefined || after === undefined) return true;
    return !deepEqual(look(before) ?? {}, look(after) ?? {});
  };
}

/**
 * Passes updates that change `metadata.generation`: changes of the spec, and the beginning of a deletion. Objects
 * without a generation always pass.
 */
export function generationChanged({ before, after }: Versions): boolean {
  if (before?.metadata.generation === undefined || after?.metadata.generation === undefined) return true;
  return before.metadata.generation !== after.metadata.generation;
}

/** Passes updates that change labels. */
export function labelsChanged(change: Versions): boolean {
  return differs(({ metadata }) => metadata.labels)(change);
}

/** Passes updates that change annotations. */
export function annotationsChanged(change: Versions): boolean {
  return differs(({ metadata }) => metadata.annotations)(change);
}

/** Passes updates that add or remove finalizers. */
export function finalizersChanged(change: Versions): boolean {
  return differs(({ metadata }) => metadata.finalizers ?? [])(change);
}

/** Passes updates that change anything at all: excludes only the periodic resync. */
export function resourceVersionChanged({ before, after }: Versions): boolean {
  if (before === undefined || after === undefined) return true;
  return before.metadata.resourceVersion !== after.metadata.resourceVersion;
}

/** Passes if any of these does; predicates in a list must all pass. */
export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return (change) => predicates.some((predicate) => verdictOf(predicate(change)));
}

/**
 * Passes if the object matches before or after the change, so that leaving the set triggers a run as entering it does.
 */
export function matching<T extends KubeObject>(test: (object: T) => boolean): Predicate<T> {
  return ({ before, after }) => [before, after].some((object) => object !== undefined && verdictOf(test(object)));
}

function withoutStatus(object: KubeObject): object {
  const { metadata, ...rest } = object;
  return {
    ...rest,
    status: undefined,
    metadata: { ...metadata, managedFields: undefined, resourceVersion: undefined },
  };
}

/** Leaves out updates of nothing but the status: a controller would only trigger itself with them. Resyncs pass. */
export function changedBeyondStatus(change: Versions): boolean {
  const { before, after } = change;
  if (before === undefined || after === undefined || !resourceVersionChanged(change)) return true;
  return !deepEqual(withoutStatus(before), withoutStatus(after));
}
