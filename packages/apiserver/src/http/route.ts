import type { HealthPath } from './fixed-pages.ts';

/** Where a path leads. */
export type Route =
  | { readonly type: 'resource'; readonly target: ResourcePath }
  | { readonly type: 'health'; readonly path: HealthPath; readonly check: string | undefined }
  | { readonly type: 'version' }
  | { readonly type: 'root' }
  | { readonly type: 'metrics' }
  | { readonly type: 'openid'; readonly what: 'configuration' | 'keys' }
  /** API lists and OpenAPI documents. */
  | { readonly type: 'discovery' }
  | { readonly type: 'unknown' };

export interface ResourcePath {
  readonly group: string;
  readonly version: string;
  readonly namespace: string | undefined;
  readonly plural: string;
  readonly name: string | undefined;
  readonly subresource: string | undefined;
}

/** Below these, `namespaces/x/y` is a subresource of the namespace and not a resource inside it. */
const namespaceSubresources = new Set(['status', 'finalize']);

function resourcePath(group: string, version: string, steps: readonly string[]): ResourcePath {
  const [first = '', second, third, ...rest] = steps;
  const inside = first === 'namespaces' && second !== undefined && third !== undefined;
  if (inside && !(rest.length === 0 && namespaceSubresources.has(third))) {
    const [name, ...below] = rest;
    return { group, version, namespace: second, plural: third, name, subresource: joined(below) };
  }
  return {
    group,
    version,
    namespace: undefined,
    plural: first,
    name: second,
    subresource: joined(third === undefined ? [] : [third, ...rest]),
  };
}

function joined(steps: readonly string[]): string | undefined {
  return steps.length === 0 ? undefined : steps.join('/');
}

function apiRoute([root, ...steps]: readonly string[]): Route {
  const [group, version, rest] = root === 'api' ? ['', steps[0], steps.slice(1)] : [steps[0], steps[1], steps.slice(2)];
  if (group === undefined || version === undefined || rest.length === 0) return { type: 'discovery' };
  return { type: 'resource', target: resourcePath(group, version, rest) };
}

const isHealthPath = (step: string): step is HealthPath => ['healthz', 'livez', 'readyz'].includes(step);

/** A path apart from its query, both as sent: what looks like a way up is a name like any other. */
export function splitPath(path: string): { readonly pathname: string; readonly query: URLSearchParams } {
  const at = path.indexOf('?');
  if (at < 0) return { pathname: path, query: new URLSearchParams() };
  return { pathname: path.slice(0, at), query: new URLSearchParams(path.slice(at + 1)) };
}

/** Reads a path without its query; unknown where it is not validly encoded. An encoded slash separates like any other. */
export function routeOf(pathname: string): Route {
  let steps: string[];
  try {
    steps = decodeURIComponent(pathname)
      .split('/')
      .filter((step) => step !== '');
  } catch {
    return { type: 'unknown' };
  }
  const [root] = steps;
  if (root === undefined) return { type: 'root' };
  if (root === 'api' || root === 'apis') return apiRoute(steps);
  if (root === 'openapi') return { type: 'discovery' };
  if (root === 'version' && steps.length === 1) return { type: 'version' };
  if (root === 'metrics' && steps.length === 1) return { type: 'metrics' };
  const whole = steps.join('/');
  if (whole === '.well-known/openid-configuration') return { type: 'openid', what: 'configuration' };
  if (whole === 'openid/v1/jwks') return { type: 'openid', what: 'keys' };
  if (!isHealthPath(root)) return { type: 'unknown' };
  return { type: 'health', path: root, check: steps.length === 1 ? undefined : steps.slice(1).join('/') };
}
