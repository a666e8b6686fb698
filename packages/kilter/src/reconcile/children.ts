import { type Kind, kindLabel, type KubeObject } from '../api/index.ts';
import { hasCode, inShort, isNotFound, KilterError } from '../errors/index.ts';
import { applyChild, childKeyOf } from './apply.ts';
import { homeless } from './bare-names.ts';
import type { ApplyChildOptions } from './context.ts';
import type { ChildrenOf, DeclaredChild, ReconcileEnvironment, Run } from './environment.ts';
import { isDeleting } from './finalizer.ts';
import { type OwnedFields, ownEntryOf } from './owned-fields.ts';
import { checkOwned } from './owned-kinds.ts';
import { checkAdoption, checkOwnerScope, controllerReference, withController } from './owner.ts';

/** A child before it is applied: as the cache or the server has it, with what this controller owns of it. */
interface Existing {
  readonly object: KubeObject;
  readonly fields: OwnedFields | undefined;
}

/** The children of one object during one run. */
export class Children {
  readonly #environment: ReconcileEnvironment;
  readonly #run: Run;
  readonly #owner: KubeObject;
  /** What this run wanted to apply, whether that succeeded or not: what a prune leaves alone. */
  readonly #wanted = new Set<string>();

  constructor(environment: ReconcileEnvironment, run: Run, owner: KubeObject) {
    this.#environment = environment;
    this.#run = run;
    this.#owner = owner;
  }

  /** What a run is going to apply, sooner or later: all of a kind that is declared, and none twice. */
  intend(children: readonly KubeObject[]): void {
    const intended = new Set<string>();
    for (const given of children) {
      const { kind } = this.#declaration(given);
      const key = childKeyOf(kind, this.#place(given, kind));
      if (intended.has(key)) {
        throw new KilterError('RECONCILE_COMPOSITION_INVALID', `two children are the same object: ${key}`, {
          cure: 'give each child its own name, or declare only one of them',
        });
      }
      intended.add(key);
    }
    for (const key of intended) this.#wanted.add(key);
  }

  async apply(given: KubeObject, options: ApplyChildOptions): Promise<KubeObject> {
    const { kind, owned } = this.#declaration(given);
    const placed = this.#place(given, kind);
    this.#wanted.add(childKeyOf(kind, placed));
    const { owner: adopting = owned, adopt = 'ifOrphan', force = true } = options;
    if (adopt !== 'ifOrphan' && adopt !== 'never') {
      throw new KilterError('CLIENT_OPTION_INVALID', `adopt is 'ifOrphan' or 'never', not ${inShort(adopt)}`);
    }
    const found = await this.#existing(kind, placed, { owned, adopt: adopting ? adopt : undefined });
    const child = adopting ? this.#own(placed, found?.object, adopt) : placed;
    const { manager, states, skipped } = this.#environment;
    const { client, key: owner } = this.#run;
    const request = {
      child,
      kind,
      cached: found?.object,
      cachedFields: found?.fields,
      owner,
      wanted: this.#wanted,
      force,
    };
    return applyChild(request, { client, manager, states, skipped });
  }

  /** After a run that is done: deletes children of these kinds it did not apply, and forgets what it knew of them. */
  async finish(prunes: readonly Kind[]): Promise<void> {
    for (const kind of prunes) await this.#prune(kind);
    this.forgetOthers();
  }

  /** Forgets what was known of children this run did not apply. */
  forgetOthers(): void {
    this.#environment.states.keep(this.#run.key, this.#wanted);
  }

  async owned(kind: Kind): Promise<KubeObject[]> {
    checkOwned(kind, (key) => this.#environment.children.get(key)?.owned === true);
    return this.#children(kind, 'all');
  }

  #children(kind: Kind, of: ChildrenOf): Promise<KubeObject[]> {
    const { childrenOf } = this.#environment;
    return childrenOf(kind, { key: this.#run.key, uid: this.#owner.metadata.uid ?? '' }, of);
  }

  /**
   * The child as it is. A cached miss proves nothing where a selector may hide the object, and not to somebody who must
   * never adopt: then the server is asked.
   */
  async #existing(
    kind: Kind,
    { metadata }: KubeObject,
    { owned, adopt }: { owned: boolean; adopt: 'ifOrphan' | 'never' | undefined },
  ): Promise<Existing | undefined> {
    const { live, manager, hides } = this.#environment;
    const cached = owned ? await this.#cached(kind, metadata) : 'unknown';
    if (typeof cached === 'object') return cached;
    if (adopt === undefined) return undefined;
    if (cached === 'missing' && adopt === 'ifOrphan' && !hides(kind, metadata)) return undefined;
    const object = await live.find(kind, metadata);
    return object && { object, fields: ownEntryOf(object.metadata.managedFields, manager) };
  }

  /** The cached read waits for own writes, so a child just applied is compared as the server answered it. */
  async #cached(kind: Kind, metadata: KubeObject['metadata']): Promise<Existing | 'missing' | 'unknown'> {
    try {
      const object = await this.#run.client.find(kind, metadata);
      if (object === undefined) return 'missing';
      return { object, fields: this.#environment.ownedFieldsOf(kind, metadata) };
    } catch (error) {
      // Watched as metadata only, or not in this namespace.
      if (!hasCode(error, 'CACHE_KIND_UNDECLARED')) throw error;
      return 'unknown';
    }
  }

  /** The children of a kind that this run did not apply, of the declarations that prune: the others keep theirs. */
  async unwanted(kind: Kind): Promise<KubeObject[]> {
    const children = await this.#children(kind, 'pruned');
    return children.filter((child) => {
      if (this.#wanted.has(childKeyOf(kind, child)) || isDeleting(child)) return false;
      // Two controllers may own children of one kind: each prunes what itself applied.
      return this.#environment.ownedFieldsOf(kind, child.metadata) !== undefined;
    });
  }

  async #prune(kind: Kind): Promise<void> {
    for (const child of await this.unwanted(kind)) {
      // Unwanted as it is: whoever has written it since, another leader or a new owner, may want it.
      const { resourceVersion } = child.metadata;
      await this.#run.client.delete(child, { preconditions: { resourceVersion } }).catch((error: unknown) => {
        if (!isNotFound(error)) throw error;
      });
    }
  }

  #declaration(child: KubeObject): DeclaredChild {
    const { apiVersion, kind, metadata } = (child ?? {}) as Partial<KubeObject>;
    const isWhole = apiVersion !== undefined && kind !== undefined && typeof metadata === 'object' && metadata !== null;
    if (!isWhole || !Array.isArray(metadata.ownerReferences ?? [])) {
      const cure =
        'give the result of Kind.fields({ name, … }) or Kind.build({ name, … }): apiVersion, kind and metadata';
      throw new KilterError('CLIENT_VALUE_INVALID', `${inShort(child)} cannot be applied`, { cure });
    }
    const found = this.#environment.children.get(`${apiVersion}/${kind}`);
    if (found === undefined) {
      throw new KilterError('RECONCILE_KIND_UNDECLARED', `the controller does not declare ${kind} (${apiVersion})`);
    }
    return found;
  }

  /** Under the one key the server will give it: a prune compares keys. */
  #place(child: KubeObject, { names }: Kind): KubeObject {
    const { namespace: given, ...metadata } = child.metadata;
    if (names.scope === 'Cluster') return { ...child, metadata };
    const namespace = given || this.#owner.metadata.namespace;
    if (namespace === undefined) throw homeless(kindLabel(names), metadata.name);
    return { ...child, metadata: { ...child.metadata, namespace } };
  }

  #own(child: KubeObject, existing: KubeObject | undefined, adopt: 'ifOrphan' | 'never'): KubeObject {
    const reference = controllerReference(this.#owner, this.#environment.kind);
    checkOwnerScope(this.#owner, child);
    if (existing !== undefined) checkAdoption(existing, reference, adopt);
    return withController(child, reference);
  }
}
