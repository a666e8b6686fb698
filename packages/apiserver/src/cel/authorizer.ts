// `authorizer`: what expressions may ask about the rights of whoever sent a request, or of a service account.
import { nameFlaws } from '../formats/index.ts';
import { fail, type Functions } from './functions.ts';
import type { CelType } from './type.ts';
import { LibraryValue } from './value.ts';

/** What somebody wants to do, as authorizers are asked. */
export type AskedAccess =
  | { readonly verb: string; readonly path: string }
  | {
      readonly verb: string;
      readonly group: string;
      readonly resource: string;
      readonly subresource: string;
      readonly namespace: string;
      readonly name: string;
    };

export interface AskingUser {
  readonly name: string;
  readonly groups: readonly string[];
}

/** Answers for any user. */
export type Authority = (
  user: AskingUser,
  access: AskedAccess,
) => { readonly allowed: boolean; readonly reason: string };

const typeOf = (name: string): CelType => ({ kind: 'opaque', name: `kubernetes.authorization.${name}` });

/** A value that has functions and nothing else: equal to itself alone. */
abstract class Receiver extends LibraryValue {
  equals(other: LibraryValue): boolean {
    return other === this;
  }
}

class AuthorizerValue extends Receiver {
  readonly typeName = 'kubernetes.authorization.Authorizer';
  readonly user: AskingUser;
  readonly ask: Authority;

  constructor(user: AskingUser, ask: Authority) {
    super();
    this.user = user;
    this.ask = ask;
  }
}

class PathCheck extends Receiver {
  readonly typeName = 'kubernetes.authorization.PathCheck';
  readonly of: AuthorizerValue;
  readonly path: string;

  constructor(of: AuthorizerValue, path: string) {
    super();
    this.of = of;
    this.path = path;
  }
}

class GroupCheck extends Receiver {
  readonly typeName = 'kubernetes.authorization.GroupCheck';
  readonly of: AuthorizerValue;
  readonly group: string;

  constructor(of: AuthorizerValue, group: string) {
    super();
    this.of = of;
    this.group = group;
  }
}

interface AskedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

class ResourceCheck extends Receiver {
  readonly typeName = 'kubernetes.authorization.ResourceCheck';
  readonly of: AuthorizerValue;
  readonly asked: AskedResource;

  constructor(of: AuthorizerValue, asked: AskedResource) {
    super();
    this.of = of;
    this.asked = asked;
  }

  with(more: Partial<AskedResource>): ResourceCheck {
    return new ResourceCheck(this.of, { ...this.asked, ...more });
  }
}

class DecisionValue extends Receiver {
  readonly typeName = 'kubernetes.authorization.Decision';
  readonly allowed: boolean;
  readonly reason: string;

  constructor({ allowed, reason }: ReturnType<Authority>) {
    super();
    this.allowed = allowed;
    this.reason = reason;
  }
}

function serviceAccount(of: unknown, namespace: unknown, name: unknown): unknown {
  if (!(of instanceof AuthorizerValue) || typeof namespace !== 'string' || typeof name !== 'string') return undefined;
  if (nameFlaws(name, 'subdomain').length > 0) fail('Invalid service account name');
  if (nameFlaws(namespace, 'label').length > 0) fail('Invalid service account namespace');
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${namespace}`];
  return new AuthorizerValue({ name: `system:serviceaccount:${namespace}:${name}`, groups }, of.ask);
}

function check(of: unknown, verb: unknown): unknown {
  if (typeof verb !== 'string') return undefined;
  if (of instanceof PathCheck) return new DecisionValue(of.of.ask(of.of.user, { verb, path: of.path }));
  return of instanceof ResourceCheck ? new DecisionValue(of.of.ask(of.of.user, { verb, ...of.asked })) : undefined;
}

const isBlank = (text: string): boolean => text.trim() === '';

const narrowing =
  (field: 'subresource' | 'namespace' | 'name') =>
  (of: unknown, value: unknown): unknown =>
    of instanceof ResourceCheck && typeof value === 'string' ? of.with({ [field]: value }) : undefined;

/** RBAC does not know selectors: naming one changes nothing. */
const selecting = (of: unknown, selector: unknown): unknown =>
  of instanceof ResourceCheck && typeof selector === 'string' ? of : undefined;

const told =
  (tell: (decision: DecisionValue) => unknown) =>
  (of: unknown): unknown =>
    of instanceof DecisionValue ? tell(of) : undefined;

export const authorizerFunctions: Functions = {
  path: (of, path) => {
    if (!(of instanceof AuthorizerValue) || typeof path !== 'string') return undefined;
    return isBlank(path) ? fail('path must not be empty') : new PathCheck(of, path);
  },
  group: (of, group) =>
    of instanceof AuthorizerValue && typeof group === 'string' ? new GroupCheck(of, group) : undefined,
  serviceAccount,
  resource: (of, resource) => {
    if (!(of instanceof GroupCheck) || typeof resource !== 'string') return undefined;
    if (isBlank(resource)) fail('resource must not be empty');
    return new ResourceCheck(of.of, { group: of.group, resource, subresource: '', namespace: '', name: '' });
  },
  subresource: narrowing('subresource'),
  namespace: narrowing('namespace'),
  name: narrowing('name'),
  fieldSelector: selecting,
  labelSelector: selecting,
  check,
  allowed: told(({ allowed }) => allowed),
  reason: told(({ reason }) => reason),
  // Roles that lead nowhere are reasons: nothing here fails.
  errored: told(() => false),
  error: told(() => ''),
};

/** What expressions may name where there is an authorizer. */
export const authorizerScope: ReadonlyMap<string, CelType> = new Map([
  ['authorizer', typeOf('Authorizer')],
  ['authorizer.requestResource', typeOf('ResourceCheck')],
]);

/** The values of those names for a request. */
export function authorizerValues(user: AskingUser, ask: Authority, asked: AskedResource): Record<string, unknown> {
  const authorizer = new AuthorizerValue(user, ask);
  return { authorizer, 'authorizer.requestResource': new ResourceCheck(authorizer, asked) };
}
