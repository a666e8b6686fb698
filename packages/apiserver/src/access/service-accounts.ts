import type { JsonObject } from 'kilter/api';
import {
  type AccountClaims,
  checkToken,
  issueToken,
  type NamedObject,
  type TokenIssuer,
  type User,
} from '../auth/index.ts';
import type { Registry } from '../calls/index.ts';
import { metadataOf, textIn } from '../values/index.ts';
import type { TokenVerdict } from './identity-reviews.ts';

export interface AccountTokensOptions {
  readonly issuer: TokenIssuer;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly uuid: () => string;
}

const extraOf = ({ pod, node }: AccountClaims, id: string): Record<string, string[]> => ({
  ...(id !== '' && { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] }),
  ...(node !== undefined && { 'authentication.kubernetes.io/node-name': [node.name] }),
  ...(node !== undefined && node.uid !== '' && { 'authentication.kubernetes.io/node-uid': [node.uid] }),
  ...(pod !== undefined && {
    'authentication.kubernetes.io/pod-name': [pod.name],
    'authentication.kubernetes.io/pod-uid': [pod.uid],
  }),
});

/** Tokens of service accounts: issued here, and counting as long as the account and what they are bound to are there. */
export class AccountTokens {
  readonly #options: AccountTokensOptions;
  /** Set once, by `attach`: whoever issues tokens is there before the registry. */
  #registry: Registry | undefined;

  constructor(options: AccountTokensOptions) {
    this.#options = options;
  }

  /** Where accounts and pods are stored. */
  attach(registry: Registry): void {
    this.#registry = registry;
  }

  /** Whom a token is for that names nobody: this server. */
  get audience(): string {
    return this.#options.issuer.url;
  }

  issue(claims: AccountClaims, { seconds, audiences }: { seconds: number; audiences: readonly string[] }): string {
    const { issuer, now, uuid } = this.#options;
    return issueToken(issuer, { ...claims, seconds, audiences, now: now(), id: uuid() });
  }

  /** Who shows a token; undefined if it is not one of a service account. Without audiences: for this server. */
  judge(token: string, audiences: readonly string[]): TokenVerdict | undefined {
    const { issuer, now } = this.#options;
    const wanted = audiences.length === 0 ? [this.audience] : audiences;
    const checked = checkToken(issuer, token, { now: now(), audiences: wanted });
    if (checked === undefined) return undefined;
    if (checked.problem !== undefined) return { user: undefined, problem: checked.problem };
    const { claims, id } = checked;
    const problem = this.#lost(claims);
    if (problem !== undefined) return { user: undefined, problem };
    return { user: userOf(claims, id), audiences: checked.audiences };
  }

  /** What the token lives and dies with and is no longer there. */
  #lost({ namespace, account, pod, node, secret }: AccountClaims): string | undefined {
    const found = this.#find('serviceaccounts', account.name, namespace);
    if (found === undefined) return `serviceaccounts "${account.name}" not found`;
    if (found !== account.uid) return `service account UID (${found}) does not match claim (${account.uid})`;
    return (
      this.#unbound('secret', secret, namespace) ??
      this.#unbound('pod', pod, namespace) ??
      (pod === undefined ? this.#unbound('node', node, undefined) : undefined)
    );
  }

  #unbound(kind: string, bound: NamedObject | undefined, namespace: string | undefined): string | undefined {
    if (bound === undefined) return undefined;
    const found = this.#find(`${kind}s`, bound.name, namespace);
    if (found === undefined) return 'service account token has been invalidated';
    if (found === bound.uid) return undefined;
    return `${kind} UID (${found}) does not match service account ${kind} ref claim (${bound.uid})`;
  }

  /** The uid of an object. */
  #find(plural: string, name: string, namespace: string | undefined): string | undefined {
    const resource = this.#registry?.find('', 'v1', plural);
    const all: JsonObject[] = (resource && this.#registry?.peek(resource, namespace)) ?? [];
    const found = all.find((object) => textIn(metadataOf(object), 'name') === name);
    return found && textIn(metadataOf(found), 'uid');
  }
}

function userOf(claims: AccountClaims, id: string): User {
  const { namespace, account } = claims;
  return {
    name: `system:serviceaccount:${namespace}:${account.name}`,
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`, 'system:authenticated'],
    extra: extraOf(claims, id),
  };
}
