import type { KubeObject } from './object.ts';
import type { FieldsOf, Partially } from './partial.ts';

/** Whether objects of a kind live in namespaces. */
export type Scope = 'Namespaced' | 'Cluster';

/** Group, version and kind. */
export interface KindName {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly scope: Scope;
}

/** All names of a kind, in URLs and in manifests. */
export interface KindNames extends KindName {
  readonly singular: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
}

/** A kind: the value that `owns`, `watches` and the client take. */
export interface Kind<T extends KubeObject = KubeObject> {
  readonly names: KindNames;
  /** Carries the type, so that a class is a kind of its instances. Built-in kinds have nothing here at run time. */
  readonly prototype: T;
}

/** What `build` takes in addition to the object's own fields. */
export interface Identity {
  name: string;
  namespace?: string | undefined;
  labels?: Record<string, string> | undefined;
  annotations?: Record<string, string> | undefined;
}

/** A built-in kind: a value that names it and builds its objects. */
export interface BuiltinKind<T extends KubeObject> extends Kind<T> {
  build(input: Identity & Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'>): T;
  /** Only these fields, for apply. */
  fields(input: Identity & Partially<Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'>>): FieldsOf<T>;
}

/** A subresource of the resource that `plural` names, by the group and version of that resource. */
export interface SentTo {
  readonly group: string;
  readonly version: string;
  readonly subresource: string;
}

/**
 * A kind that is sent but never stored: reviews, bindings, evictions, token requests. It cannot be read or watched, so
 * it is not a `Kind`; `client.create` takes what it builds.
 */
export interface RequestKind<T extends KubeObject> {
  readonly names: KindNames;
  /** Set if the kind has no resource of its own: `plural` is then the resource it is sent to. */
  readonly sentTo: SentTo | undefined;
  build(input: Partial<Identity> & Omit<T, 'apiVersion' | 'kind' | 'metadata' | 'status'>): T;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: Pick<KindName, 'group' | 'version'>): string {
  return group === '' ? version : `${group}/${version}`;
}

/** `apps/v1/Deployment`: a kind as one text, by which it is found in a map. */
export function kindKey(names: Pick<KindName, 'group' | 'version' | 'kind'>): string {
  return `${apiVersionOf(names)}/${names.kind}`;
}

/** Splits `apps/v1` into group and version; the core group is ''. */
export function groupVersionOf(apiVersion: string): { group: string; version: string } {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

/** `Deployment.apps`, or `Service` for the core group: how messages and metrics name a kind. */
export function kindLabel({ group, kind }: Pick<KindName, 'group' | 'kind'>): string {
  return group === '' ? kind : `${kind}.${group}`;
}

/** The kinds this process has imported or defined, by apiVersion and kind: how a client finds the plural of a plain object. */
const known = new Map<string, KindNames>();

export function rememberKind(names: KindNames): void {
  known.set(kindKey(names), names);
}

/** The names of a kind, if a module that declares it was loaded. */
export function knownKind({ apiVersion, kind }: { apiVersion: string; kind: string }): KindNames | undefined {
  return known.get(`${apiVersion}/${kind}`);
}

/** Leaves out what was not given, so that an object holds no `undefined` fields. */
export function metadataOf({ name, namespace, labels, annotations }: Identity): KubeObject['metadata'] {
  return { name, ...given({ namespace, labels, annotations }) };
}

type Given = { [K in keyof Identity]?: Identity[K] | undefined };

function given({ name, namespace, labels, annotations }: Given): Partial<Identity> {
  return {
    ...(name !== undefined && { name }),
    ...(namespace !== undefined && { namespace }),
    ...(labels !== undefined && { labels }),
    ...(annotations !== undefined && { annotations }),
  };
}

function namesOf(name: KindName & Partial<KindNames>): KindNames {
  return { singular: name.kind.toLowerCase(), listKind: `${name.kind}List`, shortNames: [], ...name };
}

function builder(names: KindNames): (input: Partial<Identity>) => unknown {
  return ({ name, namespace, labels, annotations, ...rest }) => ({
    apiVersion: apiVersionOf(names),
    kind: names.kind,
    metadata: given({ name, namespace, labels, annotations }),
    ...rest,
  });
}

/** A built-in kind from its names. */
export function kind<T extends KubeObject>(name: KindName & Partial<KindNames>): BuiltinKind<T> {
  const names = namesOf(name);
  rememberKind(names);
  const build = builder(names);
  return { names, build, fields: build } as unknown as BuiltinKind<T>;
}

/** A kind that is only sent, from its names and the place it is sent to. */
export function requestKind<T extends KubeObject>({
  sentTo,
  ...name
}: KindName & Partial<KindNames> & { readonly sentTo?: SentTo }): RequestKind<T> {
  const names = namesOf(name);
  // Who is sent to a subresource cannot be found by apiVersion and kind: that path belongs to another resource.
  if (sentTo === undefined) rememberKind(names);
  return { names, sentTo, build: builder(names) } as unknown as RequestKind<T>;
}
