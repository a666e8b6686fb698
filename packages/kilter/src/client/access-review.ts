import type { KindName } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Transport } from '../transport/index.ts';
import type { AccessQuestion } from './access-question.ts';
import { decodeFields, type JsonFields } from './decode.ts';
import { checkOptions } from './option-names.ts';
import { invalidOption } from './option-values.ts';
import type { CallOptions } from './options.ts';
import { type RequestDefaults, shared } from './read-requests.ts';
import { pathOf } from './target.ts';

/** The server's answer to an access review. */
export interface Access {
  readonly allowed: boolean;
  /**
   * An authorizer denied it explicitly, so that no other can allow it. False and not allowed: no authorizer allows it.
   */
  readonly denied: boolean;
  readonly reason: string;
  /** What went wrong in the decision; empty if nothing did. */
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
    checkOptions('can', wanted);
    checkOptions('can(question)', question);
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
