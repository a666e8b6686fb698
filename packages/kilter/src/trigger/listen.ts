import { type Cause, kindLabel, keyOfRef, type KubeObject, type NamedRef, type Ref } from '../api/index.ts';
import type { ChangeHandler, Informer, ObjectChange } from '../cache/index.ts';
import { cloneJson } from '../internal/index.ts';
import { type Predicate, verdictOf, type Versions } from './predicate.ts';
import { inSlices } from './in-slices.ts';
import { type Report, reportOf, type TriggerContext } from './report.ts';
import { eachTarget, type TargetPlace, targetRef, type Targets } from './targets.ts';

// Below everything that changed: a list or resync of a hundred thousand objects must not hold up a single change.
export const backlogPriority = -100;

export interface Listening<T extends KubeObject> extends TriggerContext {
  /** Whose changes are listened to. */
  readonly informer: Pick<Informer<T>, 'kind' | 'handle'>;
  /** All must pass, in this order. */
  readonly predicates?: readonly Predicate<T>[] | undefined;
  /** How long to wait for more before anybody is woken, in milliseconds. Default: 0. */
  readonly settle?: number | undefined;
}

/** Finds whom a change concerns, and never throws; or it is the changed object itself, and nobody else. */
export type Route<T extends KubeObject> = 'itself' | ((change: ObjectChange<T>, report: Report) => Iterable<NamedRef>);

/** Nothing can be known of the deleted object but its key. */
export function isBare<T extends KubeObject>(change: ObjectChange<T>): boolean {
  if (change.type !== 'delete') return false;
  try {
    return change.before === undefined;
  } catch {
    // What cannot be decoded is as good as not there; the key still is.
    return true;
  }
}

/** What predicates look at. Whatever they do to it, the change still finds whom it concerns. */
class ShownVersions<T extends KubeObject> implements Versions<T> {
  readonly #change: ObjectChange<T>;
  readonly #copy: <V>(version: V) => V;
  /** Undefined until looked at. */
  #before: T | undefined;
  #after: T | undefined;

  /** Nobody looks into a change again that concerns the object itself: its key says it all. */
  constructor(change: ObjectChange<T>, route: Route<T>) {
    this.#change = change;
    this.#copy = route === 'itself' ? (version) => version : cloneJson;
  }

  get before(): T | undefined {
    return (this.#before ??= this.#copy(this.#change.before));
  }

  get after(): T | undefined {
    return (this.#after ??= this.#copy(this.#change.after));
  }
}

/** A predicate that throws lets the change pass: a run too many is harmless, a lost one is not. */
function passes<T extends KubeObject>(
  change: ObjectChange<T>,
  { predicates = [], route }: Pick<Listening<T>, 'predicates'> & { readonly route: Route<T> },
  report: Report,
): boolean {
  if (predicates.length === 0 || isBare(change)) return true;
  const shown = new ShownVersions(change, route);
  return predicates.every((predicate) => {
    try {
      return verdictOf(predicate(shown));
    } catch (error) {
      report.failed(error, 'a predicate failed; the change is let through', change.key);
      return true;
    }
  });
}

function changeKind({ type, resync }: ObjectChange): Cause['change'] {
  return resync ? 'resync' : type;
}

/** Adds a key to the queue for every object a change concerns. Returns how to stop. */
export function listen<T extends KubeObject>(
  options: Listening<T>,
  source: Cause['source'],
  route: Route<T>,
): () => void {
  const { informer, queue, clock, gate, predicates, settle = 0 } = options;
  const report = reportOf(options, source);
  const kind = kindLabel(informer.kind.names);
  // One for all of a list: which object and which version it is, is what the key stands for.
  const whole = new Map<Cause['change'], Cause>();
  const ofBacklog = (change: Cause['change']): Cause => {
    const known = whole.get(change) ?? { source, change, kind };
    whole.set(change, known);
    return known;
  };
  const take: ChangeHandler<T> = (change) => {
    if (!passes(change, { predicates, route }, report)) return;
    const priority = change.initial || change.resync ? backlogPriority : 0;
    if (route === 'itself') {
      const cause =
        priority < 0
          ? ofBacklog(changeKind(change))
          : { source, change: changeKind(change), kind, resourceVersion: change.resourceVersion };
      if (queue.add(change, cause, { priority })) report.woke(cause.change);
      return;
    }
    const cause: Cause = {
      source,
      change: changeKind(change),
      kind,
      ref: change.ref,
      resourceVersion: change.resourceVersion,
    };
    inSlices(clock, distinct(route(change, report)), (target) => {
      const added = settle > 0 ? queue.addAfter(target, settle, cause) : queue.add(target, cause, { priority });
      if (added) report.woke(cause.change);
    });
  };
  return gate.attach(() => informer.handle(take));
}

function distinct(refs: Iterable<NamedRef>): Iterable<NamedRef> {
  const byKey = new Map<string, NamedRef>();
  for (const ref of refs) byKey.set(keyOfRef(ref), ref);
  return byKey.values();
}

/** What an object maps to, asked of the old and the new version: who lost a reference is concerned too. */
export function* fromBothVersions<T extends KubeObject>(
  change: ObjectChange<T>,
  map: (object: T) => Iterable<NamedRef>,
  report: Report,
): Generator<NamedRef> {
  for (const version of ['before', 'after'] as const) {
    try {
      const object = change[version];
      if (object !== undefined) yield* map(object);
    } catch (error) {
      report.failed(error, 'a mapper failed; this version of the object triggers nothing', change.key);
    }
  }
}

/** The references a mapper answered; a wrong one is logged and does not affect the others. */
export function* resolved(targets: Targets, place: TargetPlace, failed: (error: unknown) => void): Generator<NamedRef> {
  for (const target of eachTarget(targets) as readonly Ref[]) {
    try {
      yield targetRef(target, place);
    } catch (error) {
      failed(error);
    }
  }
}
