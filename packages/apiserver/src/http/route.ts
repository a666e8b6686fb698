import { Buffer } from 'node:buffer';
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

/** An empty step leads nowhere, though inside a group it is the group that says so. */
function emptyStepRoute([, root, group = '']: readonly string[]): Route {
  const inGroup = root === 'api' || (root === 'apis' && group !== '');
  if (!inGroup) return { type: 'unknown' };
  const none = { version: '', namespace: undefined, plural: '', name: undefined, subresource: undefined };
  return { type: 'resource', target: { group: root === 'api' ? '' : group, ...none } };
}

function apiRoute([root, ...steps]: readonly string[]): Route {
  const [group, version, rest] = root === 'api' ? ['', steps[0], steps.slice(1)] : [steps[0], steps[1], steps.slice(2)];
  if (group === undefined || version === undefined || rest.length === 0) return { type: 'discovery' };
  return { type: 'resource', target: resourcePath(group, version, rest) };
}

const isHealthPath = (step: string): step is HealthPath => ['healthz', 'livez', 'readyz'].includes(step);

const badEscape = /%(?![0-9a-fA-F]{2})/;

/** The bytes that escapes stand for, as text; what is not text among them has its own sign. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  const byte = (_: string, hex: string): string => String.fromCharCode(Number.parseInt(hex, 16));
  const bytes = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/%([0-9a-fA-F]{2})/g, byte);
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** One part of a query; undefined where it is not validly encoded. */
const unescaped = (text: string): string | undefined =>
  badEscape.test(text) ? undefined : decoded(text.replaceAll('+', ' '));

/** The parameters of a query. As in Go, those that cannot be read are not there, and a semicolon separates nothing. */
function queryOf(text: string): URLSearchParams {
  const query = new URLSearchParams();
  for (const pair of text.split('&')) {
    if (pair === '' || pair.includes(';')) continue;
    const at = pair.indexOf('=');
    const name = unescaped(at < 0 ? pair : pair.slice(0, at));
    const value = unescaped(at < 0 ? '' : pair.slice(at + 1));
    if (name !== undefined && value !== undefined) query.append(name, value);
  }
  return query;
}

/** A path apart from its query, as sent: what looks like a way up is a name like any other. */
export function splitPath(path: string): { readonly pathname: string; readonly query: URLSearchParams } {
  const at = path.indexOf('?');
  if (at < 0) return { pathname: path, query: new URLSearchParams() };
  return { pathname: path.slice(0, at), query: queryOf(path.slice(at + 1)) };
}

/** Whether a path, without its query, is one that HTTP can carry: every percent sign begins a byte. */
export const isPath = (pathname: string): boolean => !badEscape.test(pathname);

/** Reads a path without its query. An encoded slash separates like any other. */
export function routeOf(pathname: string): Route {
  if (!isPath(pathname)) return { type: 'unknown' };
  const path = decoded(pathname);
  if (path.includes('//')) return emptyStepRoute(path.split('/'));
  const steps = path.split('/').filter((step) => step !== '');
  const [root] = steps;
  if (root === undefined) return { type: 'root' };
  if (root === 'api' || root === 'apis') return apiRoute(steps);
  if (root === 'openapi') return { type: 'discovery' };
  if (root === 'version' && steps.length === 1) return { type: 'version' };
  if (root === 'metrics' && steps.length === 1) return { type: 'metrics' };
  const whole = steps.join('/');
  if (whole === '.well-known/openid-configuration') return { type: 'openid', what: 'configuration' };
  if (whole === 'openid/v1/jwks') return { type: 'openid', what: 'keys' };
  if (!isHealthPath(root) || path.endsWith('/')) return { type: 'unknown' };
  return { type: 'health', path: root, check: steps.length === 1 ? undefined : steps.slice(1).join('/') };
}
