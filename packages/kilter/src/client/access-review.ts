import type { Kind, KindName } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Transport } from '../transport/index.ts';
import { decodeFields, type JsonFields } from './decode.ts';
import { invalidOption } from './option-values.ts';
import type { CallOptions } from './options.ts';
import { type RequestDefaults, shared } from './read-requests.ts';
import { pathOf } from './target.ts';

export type AccessVerb =
  | 'get'
  | 'list'
  | 'watch'
  | 'create'
  | 'update'
  | 'patch'
  | 'delete'
  | 'deletecollection'
  | '*'
  // Other verbs exist (`bind`, `impersonate`, …), and editors still offer these.
  | (string & {});

interface ResourceQuestion {
  verb: AccessVerb;
  /** Default: any namespace, or that of `client.with({ namespace })`. */
  namespace?: string | undefined;
  /** One object. Default: all. */
  name?: string | undefined;
  subresource?: string | undefined;
}

/** What is asked: about a kind, about a resource by its plural, or about a path that is not a resource, as `/metrics`. */
export type AccessQuestion =
  | (ResourceQuestion & { kind: Kind; resource?: never; group?: never; path?: never })
  | (ResourceQuestion & {
      /** Its plural, as `deployments`. */
      resource: string;
      /** Default: the core group. */
      group?: string | undefined;
      kind?: never;
      path?: never;
    })
  | { verb: string; path: string; kind?: never; resource?: never };

/** What the server answers to a question about rights. */
export interface Access {
  readonly allowed: boolean;
  /** An authorizer said no, so that no other can allow it. False and not allowed: nobody allows it. */
  readonly denied: boolean;
  readonly reason: string;
  /** What went wrong while deciding; empty where nothing did. */
  readonly evaluationError: string;
}

const reviews: KindName = {
  group: 'authorization.k8s.io',
  version: 'v1',
  kind: 'SelfSubjectAccessReview',
  plural: 'selfsubjectaccessreviews',
  scope: 'Cluster',
};

/** The attributes an authorizer looks at. */
export function accessAttributes(question: AccessQuestion, ownNamespace: string | undefined): object {
  const { verb } = question;
  if (question.path !== undefined) return { nonResourceAttributes: { verb, path: question.path } };
  const names = question.kind?.names;
  const resource = names?.plural ?? question.resource;
  if (resource === undefined) throw invalidOption('can: give a `kind`, a `resource` or a `path`');
  const namespace = names?.scope === 'Cluster' ? undefined : (question.namespace ?? ownNamespace);
  return {
    resourceAttributes: {
      verb,
      group: names?.group ?? question.group ?? '',
      ...(names !== undefined && { version: names.version }),
      resource,
      ...(question.subresource !== undefined && { subresource: question.subresource }),
      ...(namespace !== undefined && { namespace }),
      ...(question.name !== undefined && { name: question.name }),
    },
  };
}

function accessOf(status: JsonFields): Access {
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return {
    allowed: status.allowed === true,
    denied: status.denied === true,
    reason: text(status.reason),
    evaluationError: text(status.evaluationError),
  };
}

export interface AccessOptions extends RequestDefaults {
  readonly ownNamespace: string | undefined;
}

/** Asks the server whether this client's user may do something. Stores nothing, so no gate is asked. */
export function accessReview(
  transport: Transport,
  options: AccessOptions,
): (question: AccessQuestion, wanted?: CallOptions) => Promise<Access> {
  return async (question, wanted = {}) => {
    const body = {
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: accessAttributes(question, options.ownNamespace),
    };
    const request = {
      method: 'POST',
      path: pathOf({ kind: reviews }),
      contentType: 'application/json',
      body: JSON.stringify(body),
      ...shared(options, wanted.signal),
    } as const;
    const { status } = decodeFields(await transport.send(request), request);
    if (typeof status === 'object' && status !== null) return accessOf(status as JsonFields);
    throw new KilterError('CLIENT_UNEXPECTED_ANSWER', 'the answer to an access review has no status');
  };
}
