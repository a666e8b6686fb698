import { type FieldsOf, type Kind, type KubeObject, keyOfRef, type Ref } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Transport } from '../transport/index.ts';
import type { DeleteOptions, PatchOptions, Writer } from './client.ts';
import { decodeFields, typed } from './decode.ts';
import { lockedPatch } from './draft.ts';
import { kindLookup } from './kind-lookup.ts';
import { encodePatch, type Patch } from './patch.ts';
import { deleteBody, type RequestDefaults, type Write, writeRequest } from './requests.ts';
import { refuseRounded } from './rounded-number.ts';
import { namespaceOf, type Target, targetOf } from './target.ts';

/** An object as it is written: complete, or the fields to apply. */
type Written = KubeObject | FieldsOf<KubeObject>;

const isKind = (value: Kind | KubeObject): value is Kind => 'names' in value;
const nameOf = ({ kind, metadata }: Written): string => `${kind} ${keyOfRef(metadata)}`;

/** The body of an apply: without what the server refuses in one, and without a lock. */
function applied(object: Written): string {
  const { resourceVersion: _, managedFields: __, ...metadata } = object.metadata as KubeObject['metadata'];
  return JSON.stringify({ ...object, metadata });
}

function uidOf(object: KubeObject): string {
  const { uid } = object.metadata;
  if (uid === undefined || uid === '') throw new KilterError('CLIENT_UID_MISSING', `${nameOf(object)} has no UID`);
  return uid;
}

/** The verbs that write. Each returns what the server answered and leaves its argument alone. */
export function writing(transport: Transport, options: RequestDefaults): Writer {
  const lookup = kindLookup(transport);

  const place = async (object: Written, { subresource, signal }: PatchOptions): Promise<Target & { name: string }> => {
    const kind = await lookup(object, signal);
    const { name, namespace } = object.metadata;
    return { kind, name, namespace: namespaceOf(kind, namespace, transport.namespace), subresource };
  };
  const send = async <T extends KubeObject>(target: Target, write: Write): Promise<T> => {
    const request = writeRequest(target, options, write);
    return typed<T>(decodeFields(await transport.send(request), request), target);
  };
  const remove = async (target: Target, wanted: DeleteOptions, uid?: string): Promise<void> => {
    const body = deleteBody(wanted, uid);
    await transport.send(writeRequest(target, options, { method: 'DELETE', body, options: wanted }));
  };

  return {
    create: async (object, wanted = {}) => {
      // Before anything is awaited: what the caller changes afterwards is not meant.
      const body = JSON.stringify(object);
      const { name, ...target } = await place(object, wanted);
      const to = target.subresource === undefined ? target : { ...target, name };
      return send(to, { method: 'POST', body, options: wanted });
    },
    update: async (object, wanted = {}) => {
      refuseRounded(object, nameOf(object));
      const body = JSON.stringify(object);
      return send(await place(object, wanted), { method: 'PUT', body, options: wanted });
    },
    edit: async (object, change, wanted = {}) => {
      const patch = lockedPatch(object, change as (draft: unknown) => unknown, wanted.subresource);
      if (patch === undefined) return object;
      const contentType = 'application/merge-patch+json';
      const body = JSON.stringify(patch);
      return send(await place(object, wanted), { method: 'PATCH', contentType, body, options: wanted });
    },
    patch: async (kind, ref, ...[patch, wanted = {}]) => {
      const target = { ...targetOf(kind.names, ref, transport.namespace), subresource: wanted.subresource };
      return send(target, { method: 'PATCH', ...encodePatch(patch as Patch<KubeObject>), options: wanted });
    },
    apply: async (object, wanted) => {
      const { force, manager } = wanted;
      if (!manager) throw new KilterError('CLIENT_MANAGER_MISSING', `apply of ${nameOf(object as Written)}`);
      const contentType = 'application/apply-patch+yaml';
      const body = applied(object as Written);
      return send(await place(object as Written, wanted), {
        method: 'PATCH',
        contentType,
        body,
        options: wanted,
        force,
      });
    },
    delete: async (what: Kind | KubeObject, second?: Ref | DeleteOptions, third?: DeleteOptions) => {
      if (isKind(what)) return remove(targetOf(what.names, second as Ref, transport.namespace), third ?? {});
      const wanted = (second ?? {}) as DeleteOptions;
      const uid = uidOf(what);
      return remove(await place(what, wanted), wanted, uid);
    },
  };
}
