import type { KindName, KubeObject } from '../api/index.ts';
import type { TokenRequest } from '../k8s/authentication/v1.ts';
import type { Scale } from '../k8s/autoscaling/v1.ts';
import type { Binding } from '../k8s/core/v1.ts';
import type { Eviction } from '../k8s/policy/v1.ts';

export type { Eviction, Scale, TokenRequest };

/** An object whose fields this program does not know. */
export interface Unstructured extends KubeObject {
  [field: string]: unknown;
}

/** A token with its expiry time. */
export interface ServiceAccountToken {
  readonly token: string;
  /** RFC 3339. */
  readonly expiresAt: string;
}

/** The body of a subresource by its name; of one that is not known here, any. */
export type SubresourceBody<T extends KubeObject, S extends string> = S extends keyof OtherKinds
  ? OtherKinds[S]
  : S extends 'status' | 'resize' | 'ephemeralcontainers' | 'approval' | 'finalize'
    ? T
    : Unstructured;

interface OtherKinds {
  scale: Scale;
  eviction: Eviction;
  token: TokenRequest;
  binding: Binding;
}

const inCore = (kind: string, plural: string): KindName => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  scope: 'Namespaced',
});
export const pods: KindName = inCore('Pod', 'pods');
export const serviceAccounts: KindName = inCore('ServiceAccount', 'serviceaccounts');

/** The part of another object that a body is sent to. */
export interface Route {
  readonly kind: KindName;
  readonly subresource: string;
}

/** Kinds without their own resource, by apiVersion and kind. A Scale is none: it does not say what it scales. */
const routes: ReadonlyMap<string, Route> = new Map([
  ['policy/v1/Eviction', { kind: pods, subresource: 'eviction' }],
  ['authentication.k8s.io/v1/TokenRequest', { kind: serviceAccounts, subresource: 'token' }],
]);

export function routeOf({ apiVersion, kind }: { apiVersion: string; kind: string }): Route | undefined {
  return routes.get(`${apiVersion}/${kind}`);
}
