import { keyOfRef, kindKey, kindLabel, type Kind, type KubeObject } from '../api/index.ts';
import type { Informer } from '../cache/index.ts';
import {
  AppliedStates,
  type ChildrenOf,
  type DeclaredChild,
  ownEntryOf,
  type ReconcileEnvironment,
  type RunContext,
} from '../reconcile/index.ts';
import type { ControllerDependencies } from './dependencies.ts';
import type { ControllerSpec } from './spec.ts';
import type { Connected } from './triggers.ts';

/** What all runs of a controller share, from what its operator gives it and what it is connected to. */
export function environmentOf(
  spec: ControllerSpec,
  dependencies: Omit<ControllerDependencies, 'client' | 'journal' | 'logger' | 'crashes'>,
  { primaries, children }: Pick<Connected, 'primaries' | 'children'>,
): ReconcileEnvironment {
  const { cache, live, recorder, runtime, manager, leadership, fence, metrics, metric } = dependencies;
  const skipped = metrics.counter('kilter_skipped_writes_total', 'Writes not sent because nothing would change.');
  const labels = Object.freeze({ controller: spec.name });
  skipped.inc(labels, 0);
  const informersOf = (kind: Kind, of: ChildrenOf = 'all'): Informer[] =>
    (children.get(kindLabel(kind.names)) ?? []).flatMap(({ informer, prune }) =>
      of === 'all' || prune ? [informer] : [],
    );
  return {
    kind: spec.kind,
    children: declaredChildren(spec),
    ownedFieldsOf: (kind, ref) => {
      const entries = informersOf(kind).map((informer) => informer.managedFieldsOf(keyOfRef(ref)));
      return ownEntryOf(
        entries.find(({ length }) => length > 0),
        manager,
      );
    },
    hides: (kind, ref) => cache.filterOf(kind, ref) !== undefined,
    live,
    cache: cache.viewFor({ indexUser: spec.name }),
    childrenOf: async (kind, { key, uid }, of) => {
      await cache.settled(spec.kind, key);
      return eachOnce(informersOf(kind, of).flatMap((informer) => informer.ownedBy(uid)));
    },
    primaries: primaries as RunContext['primaries'],
    recorder,
    clock: runtime.clock,
    manager,
    states: new AppliedStates(),
    metric,
    leadership,
    fence,
    skipped: () => skipped.inc(labels),
  };
}

/** Two declarations of one kind may both hold an object. */
function eachOnce(objects: readonly KubeObject[]): KubeObject[] {
  return [...new Map(objects.map((object) => [object.metadata.uid, object])).values()];
}

function declaredChildren({ owns, writes }: ControllerSpec): Map<string, DeclaredChild> {
  const entry = (kind: Kind, owned: boolean): [string, DeclaredChild] => [kindKey(kind.names), { kind, owned }];
  return new Map([...writes.map(({ kind }) => entry(kind, false)), ...owns.map(({ kind }) => entry(kind, true))]);
}
