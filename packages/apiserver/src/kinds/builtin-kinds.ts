import { coreKinds } from './core-kinds.ts';
import type { ResourceDefinition, Strategy } from './definition.ts';
import { networkKinds } from './network-kinds.ts';
import { platformKinds } from './platform-kinds.ts';
import { reviewKinds } from './review-kinds.ts';
import { type BuiltinKind, type BuiltinKinds, strategyOf } from './row.ts';
import { storageKinds } from './storage-kinds.ts';
import { workloadKinds } from './workload-kinds.ts';

const rows: BuiltinKinds = {
  ...coreKinds,
  ...workloadKinds,
  ...networkKinds,
  ...platformKinds,
  ...storageKinds,
  ...reviewKinds,
};

type KindIdentity = Pick<ResourceDefinition, 'group' | 'kind' | 'version'>;

/** The row of a built-in kind: every served one has one, some one per version. */
export function builtinKind({ group, kind, version }: KindIdentity): BuiltinKind {
  const found = rows[`${group}/${kind}`] ?? rows[`${group}/${version}/${kind}`];
  if (found === undefined) throw new Error(`no row for ${kind} of ${group}/${version}: add one to its group`);
  return found;
}

export function builtinStrategy(group: string, kind: string, version = 'v1'): Strategy {
  return strategyOf(builtinKind({ group, kind, version }));
}

/** A definition with some of its strategy replaced; getters of the definition stay lazy. */
export function withStrategy(definition: ResourceDefinition, more: Partial<Strategy>): ResourceDefinition {
  return Object.defineProperties({} as ResourceDefinition, {
    ...Object.getOwnPropertyDescriptors(definition),
    strategy: { value: { ...definition.strategy, ...more }, enumerable: true },
  });
}
