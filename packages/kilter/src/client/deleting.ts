import {
  type Kind,
  type KindName,
  keyOf,
  kindLabel,
  type KubeObject,
  type MetadataOf,
  type Ref,
} from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Transport } from '../transport/index.ts';
import type { Client } from './client.ts';
import { decodeFields, decodePage, type JsonFields, typed } from './decode.ts';
import { checkOptions } from './option-names.ts';
import { invalidOption } from './option-values.ts';
import type { DeleteAllOptions, DeleteOptions } from './options.ts';
import { restarting } from './pager.ts';
import { collectionOf, namesOf, type Target, targetOf } from './target.ts';
import { deletePageRequest, deleteRequest } from './write-requests.ts';
import { placeOf, type WritingOptions } from './writing.ts';

export interface DeletingOptions extends WritingOptions {
  /** That of `with({ namespace })`: only what somebody said on purpose says where everything is deleted. */
  readonly ownNamespace: string | undefined;
}

const isKind = (value: Kind | KubeObject): value is Kind =>
  typeof value !== 'object' || value === null || 'names' in value;

function uidOf(object: KubeObject): string {
  const { uid } = object.metadata;
  if (uid !== undefined && uid !== '') return uid;
  throw new KilterError('CLIENT_UID_MISSING', `${object.kind} ${keyOf(object)} has no UID`);
}

/** A Namespace has finalizers in its spec too: they keep it until it is empty. */
function hasOwnFinalizers({ spec }: JsonFields, { group, kind }: KindName): boolean {
  const { finalizers } = (spec ?? {}) as { finalizers?: readonly string[] };
  return group === '' && kind === 'Namespace' && (finalizers?.length ?? 0) > 0;
}

/**
 * Whether the answer of a deletion is an object that is still there: held by finalizers, or a Pod with time to stop. Of
 * some kinds the server answers with the object also when it is gone.
 */
function isKept(answer: JsonFields, kind: KindName): boolean {
  const { deletionTimestamp, finalizers, deletionGracePeriodSeconds } = (answer.metadata ?? {}) as Partial<
    KubeObject['metadata']
  >;
  if (deletionTimestamp === undefined) return false;
  return (finalizers?.length ?? 0) > 0 || (deletionGracePeriodSeconds ?? 0) > 0 || hasOwnFinalizers(answer, kind);
}

/** Selectors that select everything were hardly meant to: whoever wants that leaves them out. */
function refuseEmptySelectors(options: DeleteAllOptions): void {
  for (const name of ['labels', 'fields'] as const) {
    if (!(name in options)) continue;
    const value = options[name];
    const empty = value === undefined || (typeof value === 'string' ? value.trim() : Object.keys(value)).length === 0;
    if (empty)
      throw invalidOption(
        `deleteAll: \`${name}\` is empty and selects everything; leave it out if that is what you mean`,
      );
  }
}

/** Where to delete: in one namespace, in all, or a kind that has none. */
type Scope = { readonly namespace: string | undefined } | 'everywhere';

function scopeOf(kind: Kind, options: DeleteAllOptions, ownNamespace: string | undefined): Scope {
  const names = namesOf(kind);
  checkOptions('deleteAll', options);
  const { namespace, allNamespaces, labels, fields } = options;
  refuseEmptySelectors(options);
  if (namespace !== undefined && allNamespaces === true) {
    throw invalidOption('deleteAll: `namespace` and `allNamespaces` exclude each other');
  }
  if (names.scope === 'Cluster') {
    if (allNamespaces === true || labels !== undefined || fields !== undefined) return { namespace: undefined };
    throw new KilterError('CLIENT_SCOPE_MISSING', `deleteAll of every ${kindLabel(names)} in the cluster`, {
      cure: 'select by labels or fields, or give `allNamespaces: true`',
    });
  }
  if (allNamespaces === true) return 'everywhere';
  const where = namespace ?? ownNamespace;
  if (where !== undefined) return { namespace: where };
  throw new KilterError('CLIENT_SCOPE_MISSING', `deleteAll of ${kindLabel(names)}`);
}

/** The verbs that delete. */
class Deletions {
  readonly #transport: Transport;
  readonly #options: DeletingOptions;
  readonly #each: Client['each'];

  constructor(transport: Transport, options: DeletingOptions, each: Client['each']) {
    this.#transport = transport;
    this.#options = options;
    this.#each = each;
  }

  async delete(
    what: Kind | KubeObject,
    second?: Ref | DeleteOptions,
    third?: DeleteOptions,
  ): Promise<KubeObject | undefined> {
    const { namespace } = this.#options;
    if (isKind(what)) {
      checkOptions('delete', third);
      return this.#remove(targetOf(namesOf(what), second as Ref, namespace), third ?? {});
    }
    checkOptions('delete', second as DeleteOptions | undefined);
    const wanted = (second ?? {}) as DeleteOptions;
    const preconditions = { uid: uidOf(what), ...wanted.preconditions };
    const { kind } = await placeOf(what, this.#options, wanted);
    return this.#remove(targetOf(kind, what.metadata, namespace), { ...wanted, preconditions });
  }

  async deleteAll<T extends KubeObject>(kind: Kind<T>, wanted: DeleteAllOptions = {}): Promise<MetadataOf<T>[]> {
    const scope = scopeOf(kind, wanted, this.#options.ownNamespace);
    const namespaces = scope === 'everywhere' ? await this.#namespacesOf(kind, wanted) : [scope.namespace];
    // By UID: what was asked for before a restart counts, and is not counted twice if it is still there.
    const asked = new Map<string, MetadataOf<T>>();
    for (const namespace of namespaces) {
      const target = collectionOf(kind.names, namespace);
      await restarting(() => this.#removeAll<T>(target, wanted, asked));
    }
    this.#options.wrote(kind.names);
    return [...asked.values()];
  }

  async #remove(target: Target & { name: string }, wanted: DeleteOptions): Promise<KubeObject | undefined> {
    const request = deleteRequest(target, this.#options, wanted);
    const fields = decodeFields(await this.#transport.send(request), request);
    this.#options.wrote(target.kind);
    return isKept(fields, target.kind) ? typed<KubeObject>(fields, target) : undefined;
  }

  async #removeAll<T extends KubeObject>(
    target: Target,
    wanted: DeleteAllOptions,
    asked: Map<string, MetadataOf<T>>,
  ): Promise<void> {
    let token: string | undefined;
    do {
      const request = deletePageRequest(target, this.#options, { ...wanted, continue: token });
      const fields = decodeFields(await this.#transport.send(request), request);
      const page = decodePage<MetadataOf<T>>(fields, request, { kind: target.kind, metadataOnly: true });
      for (const object of page.items) {
        const { uid = keyOf(object) } = object.metadata;
        if (!asked.has(uid)) asked.set(uid, object);
      }
      token = page.continue;
    } while (token !== undefined);
  }

  /** The namespaces that hold something to delete: the server deletes collections in one namespace only. */
  async #namespacesOf(kind: Kind, { labels, fields, signal }: DeleteAllOptions): Promise<Set<string>> {
    const found = new Set<string>();
    const objects = this.#each(kind, { labels, fields, signal, metadataOnly: true, onExpired: 'continue' });
    for await (const { metadata } of objects) if (metadata.namespace !== undefined) found.add(metadata.namespace);
    return found;
  }
}

/** `each` looks in all namespaces unless the options say otherwise. */
export function deleting(
  transport: Transport,
  options: DeletingOptions,
  each: Client['each'],
): Pick<Client, 'delete' | 'deleteAll'> {
  const deletions = new Deletions(transport, options, each);
  return {
    delete: ((...given: Parameters<Deletions['delete']>) => deletions.delete(...given)) as Client['delete'],
    deleteAll: ((...given: Parameters<Deletions['deleteAll']>) => deletions.deleteAll(...given)) as Client['deleteAll'],
  };
}
