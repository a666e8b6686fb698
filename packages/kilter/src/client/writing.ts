import { type FieldsOf, isIncomplete, type KindName, type KubeObject, keyOfRef, type Stored } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import type { Transport } from '../transport/index.ts';
import type { ManagedClient } from './client.ts';
import { decodeFields, typed } from './decode.ts';
import type { KindLookup } from './discovery.ts';
import { editing } from './editing.ts';
import { encodeBody } from './encode-body.ts';
import { checkOptions } from './option-names.ts';
import type { ApplyOptions, PatchOptions } from './options.ts';
import { encodePatch, type Patch } from './patch.ts';
import type { RequestDefaults } from './read-requests.ts';
import { routeOf } from './subresource-bodies.ts';
import { namesOf, namespaceOf, type Target, targetOf } from './target.ts';
import { type Write, writeRequest } from './write-requests.ts';

/** An object as it is written: complete, or the fields to apply. */
export type Written = KubeObject | FieldsOf<KubeObject>;

export interface WritingOptions extends RequestDefaults {
  /** Of objects and references without one. */
  readonly namespace: string;
  readonly lookup: KindLookup;
  /** Told of every write the server has taken, by its kind. */
  readonly wrote: (kind: KindName) => void;
}

/** What an object is called in messages. The first look at it, too: what is not an object at all is refused here. */
function nameOf(object: Written): string {
  const { kind, metadata } = (object as Written | null | undefined) ?? ({} as Written);
  // Checked although the types forbid it: objects come from YAML files, too.
  const given: unknown = metadata;
  if (typeof given !== 'object' || given === null) {
    throw new KilterError('CLIENT_NAME_INVALID', `${kind ?? inShort(object)} has no metadata`, {
      cure: 'give metadata with a name',
    });
  }
  return `${kind} ${keyOfRef(metadata)}`;
}

/** A whole-object write of a part would remove the rest. */
function checkWhole(object: Written): void {
  if (!isIncomplete(object as KubeObject)) return;
  throw new KilterError('CLIENT_OBJECT_INCOMPLETE', `update of ${nameOf(object)}`);
}

/** The body of an apply: without what the server refuses in one, and without a lock. */
export function applied(object: Written, what: string): string {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata as KubeObject['metadata'];
  return encodeBody({ ...object, metadata }, { what, rounded: 'refused' });
}

export function managerOf({ manager }: Partial<ApplyOptions>, defaults: RequestDefaults, what: string): string {
  const name = manager ?? defaults.applyManager;
  if (name === undefined || name === '') throw new KilterError('CLIENT_MANAGER_MISSING', `apply of ${what}`);
  return name;
}

/** Where an object belongs. */
export async function placeOf(
  object: Written,
  { lookup, namespace }: Pick<WritingOptions, 'lookup' | 'namespace'>,
  { subresource, signal }: PatchOptions,
): Promise<Target> {
  const { name, namespace: given } = object.metadata;
  // What has no resource of its own goes to a part of the object it names.
  const route = routeOf(object);
  const kind = route?.kind ?? (await lookup(object, signal));
  return { kind, name, namespace: namespaceOf(kind, given, namespace), subresource: subresource ?? route?.subresource };
}

type Writing = Pick<ManagedClient, 'create' | 'update' | 'edit' | 'patch' | 'apply'>;

/** The verbs that write. Each returns what the server answered and leaves its argument alone. */
export function writing(transport: Transport, options: WritingOptions): Writing {
  const send = async <T extends KubeObject>(target: Target, write: Write): Promise<Stored<T>> => {
    const request = writeRequest(target, options, write);
    const answer = typed<Stored<T>>(decodeFields(await transport.send(request), request), target);
    options.wrote(target.kind);
    return answer;
  };
  const named = async (object: Written, wanted: PatchOptions): Promise<Target> => {
    const { namespace, ...target } = await placeOf(object, options, wanted);
    const { name } = targetOf(target.kind, object.metadata, options.namespace);
    return { ...target, name, namespace };
  };

  return {
    // Bodies are made before anything is awaited: what the caller changes afterwards is not meant.
    create: async (object, wanted = {}) => {
      checkOptions('create', wanted);
      const body = encodeBody(object, { what: nameOf(object), rounded: 'refused' });
      const { name: _, ...target } = await placeOf(object, options, wanted);
      // The name is in the path only of what exists.
      const whole = target.subresource === undefined;
      const to = whole ? target : { ...target, name: targetOf(target.kind, object.metadata, options.namespace).name };
      return send(to, { method: 'POST', body, options: wanted }) as never;
    },
    update: async (object, wanted = {}) => {
      checkOptions('update', wanted);
      checkWhole(object);
      const body = encodeBody(object, { what: nameOf(object), rounded: 'refused' });
      return send(await named(object, wanted), { method: 'PUT', body, options: wanted });
    },
    edit: editing({ transport, options, send, named, check: (object) => void nameOf(object) }),
    patch: async (kind, ref, ...[patch, wanted = {}]) => {
      checkOptions('patch', wanted);
      const names = namesOf(kind);
      const target = targetOf(names, ref, options.namespace);
      const encoded = encodePatch(patch as Patch<KubeObject>, `patch of ${names.kind} ${keyOfRef(target)}`);
      const { subresource } = wanted;
      return send({ ...target, subresource }, { method: 'PATCH', ...encoded, options: wanted });
    },
    apply: async (object, wanted = {}) => {
      checkOptions('apply', wanted);
      const what = nameOf(object as Written);
      const manager = managerOf(wanted, options, what);
      const contentType = 'application/apply-patch+yaml';
      const body = applied(object as Written, what);
      const target = await named(object as Written, wanted);
      return send(target, { method: 'PATCH', contentType, body, options: { ...wanted, manager }, force: wanted.force });
    },
  };
}
