// Short forms for writing steps and claims; what they return is plain data.
import type { At, Body, Claim, Comparison, Headers, Json, RequestStep, Step, User } from './case.ts';

export interface RequestOptions extends Comparison {
  readonly as?: User | undefined;
  readonly send?: Headers | undefined;
  readonly until?: RequestStep['until'];
  readonly http2?: boolean | undefined;
  readonly to?: string | undefined;
  readonly certificate?: RequestStep['certificate'];
}

const isBody = (body: Json | Body): body is Body =>
  typeof body === 'object' && body !== null && ('text' in body || 'base64' in body) && Object.keys(body).length === 1;

const asBody = (body: Json | Body): Body => (isBody(body) ? body : { json: body });

export const get = (name: string, path: string, options: RequestOptions = {}): RequestStep => ({
  do: 'request',
  name,
  method: 'GET',
  path,
  ...options,
});

type Content = Json | Body;
type WithBody = [path: string, body: Content, options?: RequestOptions];

const sending =
  (method: RequestStep['method'], type?: string) =>
  (name: string, ...[path, body, options = {}]: WithBody): RequestStep => ({
    do: 'request',
    name,
    method,
    path,
    body: asBody(body),
    ...options,
    ...(type === undefined ? {} : { send: { 'content-type': type, ...options.send } }),
  });

export const post = sending('POST');
export const put = sending('PUT');
export const jsonPatch = sending('PATCH', 'application/json-patch+json');
export const mergePatch = sending('PATCH', 'application/merge-patch+json');
export const strategicPatch = sending('PATCH', 'application/strategic-merge-patch+json');
/** Give fieldManager (and force) in the path. */
export const apply = sending('PATCH', 'application/apply-patch+yaml');

export const remove = (name: string, path: string, options: RequestOptions & { body?: Content } = {}): RequestStep => {
  const { body, ...rest } = options;
  return {
    do: 'request',
    name,
    method: 'DELETE',
    path,
    ...rest,
    ...(body === undefined ? {} : { body: asBody(body) }),
  };
};

export const watch = (
  name: string,
  path: string,
  options: { as?: User; send?: Readonly<Record<string, string>> } = {},
): Step => ({ do: 'watch', name, path, ...options });

export const events = (
  name: string,
  of: string,
  options: Comparison & {
    count?: number;
    untilObject?: string;
    untilEnd?: boolean;
    quietMs?: number;
    passBookmarks?: boolean;
  },
): Step => ({ do: 'events', name, of, ...options });

/**
 * Defines a custom resource and waits until it is served, from the cache as well, as a setup: `<name>` is the create, `<name>-established` and
 * `<name>-served` follow. The group is `{{group}}` unless the manifest says otherwise.
 */
export function define(name: string, manifest: { [key: string]: Json } & { metadata: { name: string } }): Step[] {
  const { name: crd } = manifest.metadata;
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${crd}`;
  const [plural] = crd.split('.');
  const version = (manifest['spec'] as { versions: { name: string; served: boolean }[] }).versions.find(
    ({ served }) => served,
  );
  return [
    post(name, '/apis/apiextensions.k8s.io/v1/customresourcedefinitions', manifest, { setup: true }),
    get(`${name}-established`, path, {
      setup: true,
      until: { at: `${name}-established.body.status.conditions`, contains: { type: 'Established', status: 'True' } },
    }),
    get(`${name}-served`, `/apis/{{group}}/${version?.name}/${plural}?resourceVersion=0`, {
      setup: true,
      until: { at: `${name}-served.status`, is: 200 },
    }),
  ];
}

/** A definition of kind Thing (plural things) in {{group}}, version v1, namespaced; the schema is that of spec. */
export function things(
  spec: Json,
  more: { [key: string]: Json } = {},
): { metadata: { name: string } } & { [key: string]: Json } {
  const { version = {}, ...definition } = more as { version?: { [key: string]: Json } } & { [key: string]: Json };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'things.{{group}}' },
    spec: {
      group: '{{group}}',
      names: { kind: 'Thing', plural: 'things', singular: 'thing', listKind: 'ThingList' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: { spec, status: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          },
          ...version,
        },
      ],
      ...definition,
    },
  };
}

export const configMaps = '/api/v1/namespaces/{{ns}}/configmaps';
export const thingsPath = '/apis/{{group}}/v1/namespaces/{{ns}}/things';

export const configMap = (name: string, more: { [key: string]: Json } = {}): { [key: string]: Json } => {
  const { metadata = {}, ...rest } = more as { metadata?: { [key: string]: Json } } & { [key: string]: Json };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata }, ...rest };
};

export const thing = (name: string, more: { [key: string]: Json } = {}): { [key: string]: Json } => {
  const { metadata = {}, ...rest } = more as { metadata?: { [key: string]: Json } } & { [key: string]: Json };
  return { apiVersion: '{{group}}/v1', kind: 'Thing', metadata: { name, ...metadata }, ...rest };
};

type Rest<C> = C extends unknown ? Omit<C, 'clause' | 'at'> : never;
/** One clause: `claim('409 AlreadyExists', 'again.status', { is: 409 })`. */
export const claim = (clause: string, at: At, check: Rest<Claim>): Claim => ({ clause, at, ...check }) as Claim;
