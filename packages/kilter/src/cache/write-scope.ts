import { type Kind, kindLabel } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { CachedKinds } from './cached-kind.ts';
import { coversNamespace, describeDeclaration } from './declaration.ts';
import type { InformerCore } from './informer-core.ts';

export interface WriteScopeOptions {
  readonly informers: Iterable<InformerCore>;
  readonly kinds: CachedKinds;
  /** The operator's own; undefined: all. */
  readonly namespaces: readonly string[] | undefined;
}

/** Where an operator may write: under the policy 'strict' only where it watches. */
export class WriteScope {
  readonly #options: WriteScopeOptions;

  constructor(options: WriteScopeOptions) {
    this.#options = options;
  }

  /** Throws for a namespace that is not this operator's; undefined means all of them. */
  check(kind: Kind, namespace: string | undefined): void {
    const { informers, kinds, namespaces } = this.#options;
    if (kind.names.scope === 'Cluster' || kinds.policyOf(kind, namespace) !== 'strict') return;
    const label = kindLabel(kind.names);
    const declared = [...informers].map(({ declaration }) => declaration).filter((one) => one.label === label);
    if (declared.some((declaration) => coversNamespace(declaration, namespace))) return;
    const own = namespaces === undefined || (namespace !== undefined && namespaces.includes(namespace));
    if (declared.length === 0 && own) return;
    const watched = declared.map((declaration) => describeDeclaration(declaration)).join('; ');
    const instead =
      watched === '' ? `the operator is limited to ${(namespaces ?? []).join(', ')}` : `only ${watched} is watched`;
    const where = namespace === undefined ? 'all namespaces' : `namespace ${namespace}`;
    throw new KilterError('CACHE_WRITE_OUTSIDE', `a write of ${label} in ${where}: ${instead}`);
  }
}
