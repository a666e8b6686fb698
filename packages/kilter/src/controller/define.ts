import type { Duration, Kind, KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { type Compose, hasStatus } from '../reconcile/index.ts';
import type { Predicate, Targets } from '../trigger/index.ts';
import type { ControllerBuilder, Finalizing, Source } from './builder.ts';
import { Checks } from './checks.ts';
import { distinctKinds } from './kinds.ts';
import { tuningProblems } from './queue-tuning.ts';
import type { AnyReconcile, Controller, ControllerOptions, ControllerSpec, IndexSpec, SourceSpec } from './spec.ts';

/** A controller on its way: what was said so far, and what is wrong with it. */
interface Draft {
  readonly spec: ControllerSpec;
  readonly checks: Checks;
}

function emptySpec<T extends KubeObject>(kind: Kind<T>, given: ControllerOptions<T>, checks: Checks): ControllerSpec {
  const options = checks.known(given);
  const { backoff, ageing, fairness } = options;
  const tuning = { backoff, ageing, fairness };
  for (const problem of tuningProblems(tuning)) checks.add(problem);
  const { labels, fields, namespaces, when = [] } = options;
  checks.selection('controller', { labels, fields, namespaces, when });
  return {
    name: checks.name(options.name ?? kind.names.kind.toLowerCase()),
    kind,
    concurrency: 1,
    timeout: checks.positive('timeout', options.timeout ?? '5m'),
    tuning,
    deleting: options.deleting ?? false,
    everyReplica: options.everyReplica ?? false,
    quarantine: options.quarantine ?? 'manifest' in kind,
    skipStatusUpdates: !(options.statusUpdates ?? !('manifest' in kind)),
    labels,
    fields,
    namespaces,
    when: (typeof when === 'function' ? [when] : when) as readonly unknown[] as readonly Predicate[],
    owns: [],
    writes: [],
    reads: [],
    watches: [],
    references: [],
    indexes: [],
    sources: [],
    every: undefined,
    cleanups: [],
    onError: undefined,
    reconcile: undefined,
    compose: undefined,
    reconcileKey: undefined,
  };
}

function finish({ spec, checks }: Draft): Controller {
  checks.whole(spec);
  checks.report(spec.name);
  return { name: spec.name, kind: spec.kind, concurrency: spec.concurrency, spec };
}

function withReconciler({ spec, checks }: Draft, given: AnyReconcile | Finalizing<KubeObject>): Controller {
  if (typeof given === 'function') return finish({ spec: { ...spec, reconcile: given }, checks });
  if (typeof given?.reconcile !== 'function') {
    return finish({
      spec,
      checks: checks.with('reconcile takes a function, or an object with a function `reconcile`'),
    });
  }
  const reconcile = given.reconcile.bind(given) as unknown as AnyReconcile;
  const { finalizer } = given as Partial<Finalizing<KubeObject>>;
  // One whose cleanup is misspelled would let objects go without it.
  if (given.cleanup === undefined && finalizer === undefined) return finish({ spec: { ...spec, reconcile }, checks });
  const run = checks.fn('cleanup', given.cleanup).bind(given) as unknown as AnyReconcile;
  const cleanup = { finalizer: checks.finalizer(given.finalizer), run };
  return finish({ spec: { ...spec, reconcile, cleanups: [...spec.cleanups, cleanup] }, checks });
}

/** What is wanted is said as a whole, so that what is not wanted is known: it is deleted unless a declaration keeps it. */
function withComposition({ spec, checks }: Draft, given: Compose<KubeObject>): Controller {
  const compose = checks.fn('compose', given);
  const owns = spec.owns.map(({ kind, options }) => ({ kind, options: { ...options, prune: options.prune ?? true } }));
  const owned = distinctKinds(owns.map(({ kind }) => kind));
  const reports = spec.kind.names !== undefined && hasStatus(spec.kind) === true;
  return finish({ spec: { ...spec, owns, compose: { compose, owned, reports } }, checks });
}

function freshSource(source: Source<unknown>): SourceSpec['source'] {
  return typeof source === 'function' ? source : () => source;
}

type IndexArguments = [kind: Kind | string, name: string | IndexSpec['key'], key?: IndexSpec['key']];

/** The kind is the controller's own where none is given. */
function indexOf(own: Kind, [first, second, third]: IndexArguments): IndexSpec {
  if (typeof first === 'string') return { kind: own, name: first, key: second as IndexSpec['key'] };
  return { kind: first, name: second as string, key: third as IndexSpec['key'] };
}

function builderOf({ spec, checks: before }: Draft): object {
  // Every call goes on from here: a builder can be built upon twice, and what is wrong with one is not wrong with the other.
  const add = (change: (checks: Checks) => Partial<ControllerSpec>): object => {
    const checks = before.with();
    return builderOf({ spec: { ...spec, ...change(checks) }, checks });
  };
  return {
    name: spec.name,
    kind: spec.kind,
    owns: (kind: Kind, options = {}) =>
      add((checks) => ({ owns: [...spec.owns, checks.declared('owns', kind, options)] })),
    writes: (kind: Kind, options = {}) =>
      add((checks) => ({ writes: [...spec.writes, checks.written(kind, options)] })),
    reads: (kind: Kind, options = {}) =>
      add((checks) => ({ reads: [...spec.reads, checks.declared('reads', kind, options)] })),
    references: (kind: Kind, of: () => Targets, options = {}) =>
      add((checks) => {
        const reference = { ...checks.declared('references', kind, options), of: checks.fn('references', of) };
        return { references: [...spec.references, reference] };
      }),
    watches: (kind: Kind, map: () => Targets, options = {}) =>
      add((checks) => {
        const watch = { ...checks.declared('watches', kind, options), map: checks.fn('watches', map) };
        return { watches: [...spec.watches, watch] };
      }),
    index: (...given: IndexArguments) =>
      add((checks) => ({ indexes: [...spec.indexes, checks.index(indexOf(spec.kind, given))] })),
    on: (source: Source<unknown>, map: () => Targets) =>
      add((checks) => {
        const checked = { source: freshSource(checks.source(source)), map: checks.fn('on', map) };
        return { sources: [...spec.sources, checked] };
      }),
    every: (period: Duration) => add((checks) => ({ every: checks.positive('every', period) })),
    concurrency: (workers: number) => add((checks) => ({ concurrency: checks.concurrency(workers) })),
    cleanup: (finalizer: string, run: AnyReconcile) =>
      add((checks) => {
        const cleanup = { finalizer: checks.finalizer(finalizer), run: checks.fn('cleanup', run) };
        return { cleanups: [...spec.cleanups, cleanup] };
      }),
    onError: (map: NonNullable<ControllerSpec['onError']>) => add((checks) => ({ onError: checks.fn('onError', map) })),
    reconcile: (given: AnyReconcile | Finalizing<KubeObject>) => withReconciler({ spec, checks: before.with() }, given),
    compose: (given: Compose<KubeObject>) => withComposition({ spec, checks: before.with() }, given),
    reconcileKey: (run: NonNullable<ControllerSpec['reconcileKey']>) => {
      const checks = before.with();
      return finish({ spec: { ...spec, reconcileKey: checks.fn('reconcileKey', run) }, checks });
    },
  };
}

/** Declares a controller for this kind. Every call returns a new builder; nothing runs until an operator starts. */
export function controller<T extends KubeObject>(
  kind: Kind<T>,
  options: ControllerOptions<T> = {},
): ControllerBuilder<T> {
  if (kind?.names === undefined) {
    const cure = 'give the kind itself: controller(WebApp)';
    throw new KilterError('CONTROLLER_OPTION_INVALID', 'controller() was not given a kind', { cure });
  }
  const checks = new Checks();
  return builderOf({ spec: emptySpec(kind, options, checks), checks }) as ControllerBuilder<T>;
}
