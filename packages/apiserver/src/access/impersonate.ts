// Acting as somebody else: in one of the ways that are limited to certain users and requests, or, with the verb
// `impersonate`, as anybody. The first way whose rights the requester has counts.
import { anonymous, type User, type WantedUser } from '../auth/index.ts';
import { nameFlaws } from '../formats/index.ts';
import type { Access, ResourceAccess } from '../rbac/index.ts';
import { accessRefused } from '../registry/index.ts';
import { badRequest, type StatusError } from '../status/index.ts';
import { quote } from '../values/index.ts';
import type { Authorizer } from './authorizer.ts';
import { extraFlaw, goUser } from './impersonated-extra.ts';

/** One attempt: who wants to be whom, and for what. */
interface Impersonating {
  readonly authorizer: Authorizer;
  readonly requester: User;
  readonly wanted: WantedUser;
  /** What the request is about. */
  readonly access: Access;
}

/** A limited way to act as somebody: its verbs end in its name. */
interface Way {
  readonly name: string;
  applies(impersonating: Impersonating): boolean;
}

const group = 'authentication.k8s.io';
/** From so many on, the right to all is looked for before the right to each. */
const many = 4;

const onlyNamed = ({ uid, groups, extra }: WantedUser): boolean =>
  uid === '' && groups.length === 0 && Object.keys(extra).length === 0;

interface AccountName {
  readonly namespace: string;
  readonly name: string;
}

function accountIn(user: string): AccountName | undefined {
  const [, namespace, name, more] = user.startsWith('system:serviceaccount:') ? user.slice(7).split(':') : [];
  if (namespace === undefined || name === undefined || more !== undefined) return undefined;
  const fits = nameFlaws(namespace, 'label').length === 0 && nameFlaws(name, 'subdomain').length === 0;
  return fits ? { namespace, name } : undefined;
}

function nodeIn(user: string): string | undefined {
  const name = user.startsWith('system:node:') ? user.slice('system:node:'.length) : '';
  return name !== '' && nameFlaws(name, 'subdomain').length === 0 ? name : undefined;
}

/** The node a service account runs on, as its token says. */
function ownNode({ name, extra = {} }: User): string | undefined {
  const nodes = extra['authentication.kubernetes.io/node-name'] ?? [];
  return accountIn(name) !== undefined && nodes.length === 1 ? nodes[0] : undefined;
}

const associatedNode: Way = {
  name: 'associated-node',
  applies: ({ wanted, requester }) =>
    onlyNamed(wanted) && nodeIn(wanted.name) !== undefined && ownNode(requester) === nodeIn(wanted.name),
};

const ways: readonly Way[] = [
  associatedNode,
  { name: 'arbitrary-node', applies: ({ wanted }) => onlyNamed(wanted) && nodeIn(wanted.name) !== undefined },
  { name: 'serviceaccount', applies: ({ wanted }) => onlyNamed(wanted) && accountIn(wanted.name) !== undefined },
  {
    name: 'user-info',
    applies: ({ wanted }) => nodeIn(wanted.name) === undefined && accountIn(wanted.name) === undefined,
  },
];

/** Undefined if it is allowed, else the refusal. */
function refusal({ authorizer, requester }: Impersonating, access: Access): StatusError | undefined {
  const decision = authorizer.decide(requester, access);
  return decision.allowed ? undefined : accessRefused(requester, access, decision);
}

/** What one way asks about each part of the wanted user. */
class Checks {
  readonly #impersonating: Impersonating;
  readonly #way: Way | undefined;

  constructor(impersonating: Impersonating, way: Way | undefined) {
    this.#impersonating = impersonating;
    this.#way = way;
  }

  #access(resource: string, name: string, rest: Partial<ResourceAccess> = {}): ResourceAccess {
    const verb = this.#way === undefined ? 'impersonate' : `impersonate:${this.#way.name}`;
    return { verb, group, resource, subresource: '', namespace: '', name, ...rest };
  }

  #refused(access: ResourceAccess, reason: string): StatusError {
    return accessRefused(this.#impersonating.requester, access, { allowed: false, reason });
  }

  /** Names and groups belong to the core group where anybody may be impersonated. */
  get #ofUsers(): Partial<ResourceAccess> {
    return this.#way === undefined ? { group: '' } : {};
  }

  user(): StatusError | undefined {
    const { name } = this.#impersonating.wanted;
    const node = this.#way === undefined ? undefined : nodeIn(name);
    const account = accountIn(name);
    if (account !== undefined) {
      const access = this.#access('serviceaccounts', account.name, { ...this.#ofUsers, namespace: account.namespace });
      return refusal(this.#impersonating, access);
    }
    const access =
      node === undefined
        ? this.#access('users', name, this.#ofUsers)
        : this.#access('nodes', this.#way === associatedNode ? '*' : node);
    return refusal(this.#impersonating, access);
  }

  uid(): StatusError | undefined {
    const { uid } = this.#impersonating.wanted;
    return uid === '' ? undefined : refusal(this.#impersonating, this.#access('uids', uid));
  }

  groups(): StatusError | undefined {
    const { groups } = this.#impersonating.wanted;
    const access = (name: string): ResourceAccess => this.#access('groups', name, this.#ofUsers);
    if (this.#way !== undefined) {
      if (groups.includes('')) return this.#refused(access(''), 'impersonating the empty string group is not allowed');
      if (groups.includes('system:masters'))
        return this.#refused(access('system:masters'), 'impersonating the system:masters group is not allowed');
      if (groups.length >= many && refusal(this.#impersonating, access('*')) === undefined) return undefined;
    }
    return firstOf(groups, (name) => refusal(this.#impersonating, access(name)));
  }

  extra(): StatusError | undefined {
    const { extra } = this.#impersonating.wanted;
    const pairs = Object.entries(extra).flatMap(([key, values]) => values.map((value) => [key, value] as const));
    const access = (name: string, subresource: string): ResourceAccess =>
      this.#access('userextras', name, { subresource });
    if (this.#way !== undefined) {
      const flaw = extraFlaw(extra);
      if (flaw !== undefined) return this.#refused(access('', ''), flaw);
      if (pairs.length >= many && refusal(this.#impersonating, access('*', '*')) === undefined) return undefined;
    }
    return firstOf(pairs, ([key, value]) => refusal(this.#impersonating, access(value, key)));
  }
}

function firstOf<T>(items: readonly T[], check: (item: T) => StatusError | undefined): StatusError | undefined {
  for (const item of items) {
    const found = check(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The same request, as something to be done for somebody else. */
const onBehalf = ({ access }: Impersonating, { name }: Way): Access => ({
  ...access,
  verb: `impersonate-on:${name}:${access.verb}`,
});

function refusedBy(impersonating: Impersonating, way: Way | undefined): StatusError | undefined {
  const before = way === undefined ? undefined : refusal(impersonating, onBehalf(impersonating, way));
  if (before !== undefined) return before;
  const checks = new Checks(impersonating, way);
  return checks.user() ?? checks.uid() ?? checks.groups() ?? checks.extra();
}

/** The groups nobody has to ask for. */
function groupsOf({ name, groups }: WantedUser, way: Way | undefined): readonly string[] {
  const account = accountIn(name);
  if (way !== undefined && nodeIn(name) !== undefined) return ['system:nodes'];
  if (groups.length > 0 || account === undefined) return groups;
  return ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
}

function grown(groups: readonly string[], added: string): readonly string[] {
  return groups.includes(added) ? groups : [...groups, added];
}

function become(wanted: WantedUser, way: Way | undefined): User {
  const groups = groupsOf(wanted, way);
  if (wanted.name === anonymous.name) return { ...wanted, groups: grown(groups, 'system:unauthenticated') };
  const outside = groups.includes('system:unauthenticated');
  return { ...wanted, groups: outside ? groups : grown(groups, 'system:authenticated') };
}

/** So many requesters are remembered; the oldest give way. */
const mostRequesters = 10_000;

/** Lets users act as others. The way that worked for a requester last is tried first: its refusal is the one that is returned. */
export class Impersonator {
  readonly #authorizer: Authorizer;
  /** By the requester's name, the least recently used first. */
  readonly #last = new Map<string, Way | undefined>();

  constructor(authorizer: Authorizer) {
    this.#authorizer = authorizer;
  }

  /** Who the request is from then on. Throws the refusal of a requester who may not be that user. */
  become(requester: User, wanted: WantedUser, access: Access): User {
    const impersonating = { authorizer: this.#authorizer, requester, wanted, access };
    if (wanted.name === '') throw badRequest(`requested ${goUser(wanted)} without impersonating a user name`);
    let first: StatusError | undefined;
    for (const way of this.#tried(impersonating)) {
      const refused = refusedBy(impersonating, way);
      if (refused === undefined) {
        this.#remember(requester.name, way);
        return become(wanted, way);
      }
      first ??= refused;
    }
    throw first ?? new Error(`nobody was asked whether ${quote(requester.name)} may impersonate`);
  }

  #tried(impersonating: Impersonating): Set<Way | undefined> {
    const { name } = impersonating.requester;
    const all = [...(this.#last.has(name) ? [this.#last.get(name)] : []), ...ways, undefined];
    return new Set(all.filter((way) => way === undefined || way.applies(impersonating)));
  }

  #remember(name: string, way: Way | undefined): void {
    this.#last.delete(name);
    this.#last.set(name, way);
    const [oldest] = this.#last.keys();
    if (this.#last.size > mostRequesters && oldest !== undefined) this.#last.delete(oldest);
  }
}
