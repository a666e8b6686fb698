import { Buffer } from 'node:buffer';
import { accessRefused, type Authorizer } from '../access/index.ts';
import {
  authenticate,
  type TokenIssuer,
  type TokenReader,
  type Unnamed,
  unnamedImpersonation,
  type User,
} from '../auth/index.ts';
import type { Registry } from '../calls/index.ts';
import { discover, revalidated } from '../discovery/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { Access } from '../rbac/index.ts';
import {
  badRequest,
  methodNotAllowed,
  StatusError,
  unauthorized,
  unavailable,
  unknownResource,
} from '../status/index.ts';
import { quote } from '../values/index.ts';
import { objectTypes } from '../wire/index.ts';
import { compressed } from './compress.ts';
import { connects, serveConnection } from './connect.ts';
import type { Faults } from './faults.ts';
import { healthPage, metricsPage, openidPage, rootPage, versionPage } from './fixed-pages.ts';
import { ConnectionLost, pageNotFound, type ServerRequest, type ServerResponse, textResponse } from './message.ts';
import { isWatch, readCall, verbOf } from './read-call.ts';
import { requestedAccess } from './requested-access.ts';
import type { RecordedRequest } from './request-journal.ts';
import { checkRoute, presentationFor, respond, respondDocument, respondError } from './respond.ts';
import { type ResourcePath, routeOf, splitPath } from './route.ts';
import { timeoutOf, within } from './timeout.ts';

export interface HandlerOptions {
  readonly registry: Registry;
  /** Aborted when the server is closed: what waits is let go, and nothing new is served. */
  readonly closed: AbortSignal;
  readonly userOf: TokenReader;
  readonly faults: Faults;
  readonly onRequest?: ((log: RecordedRequest) => void) | undefined;
  /** The text of `/metrics`. */
  readonly metrics: () => string;
  readonly issuer: TokenIssuer;
  /** Who decides what a user may do. */
  readonly authorizer: Authorizer;
}

interface Exchange {
  readonly request: ServerRequest;
  readonly user: User;
  readonly pathname: string;
  readonly query: URLSearchParams;
}

/** A built-in group answers for all its paths; of others the server knows nothing. */
function nothingThere(registry: Registry, { group }: ResourcePath): ServerResponse {
  const builtin = registry.resources().some((one) => one.group === group && !one.custom);
  if (builtin) throw unknownResource();
  return pageNotFound();
}

/** Whether a path fits the scope of the resource: lists reach over all namespaces, nothing else does. */
function fitsScope({ namespaced, custom }: ResourceDefinition, target: ResourcePath, method: string): boolean {
  if (!namespaced) return target.namespace === undefined;
  if (target.namespace !== undefined) return true;
  if (target.name === undefined && method === 'GET') return true;
  if (target.name === undefined && !custom) throw methodNotAllowed();
  return false;
}

async function serveResource(
  { registry, faults }: HandlerOptions,
  exchange: Exchange,
  target: ResourcePath,
): Promise<ServerResponse> {
  const { request, user, query } = exchange;
  const resource = registry.find(target.group, target.version, target.plural);
  if (resource === undefined || !fitsScope(resource, target, request.method)) return nothingThere(registry, target);
  if (connects(resource, target)) return serveConnection({ registry, request, resource, target, user, query });
  const verb = verbOf(request.method, target, { query, custom: resource.custom });
  if (verb === undefined) throw methodNotAllowed();
  registry.check({ ...target, verb, resource });
  const asking = { query, headers: request.headers };
  const presentation = presentationFor(asking, { verb, resource }, () => registry.clock.now());
  const call = readCall({ request, verb, resource }, target, { user, query });
  return faults.around(call, {
    execute: (served) => registry.execute(served),
    respond: (answer) => respond(answer, call, presentation),
  });
}

function serveDiscovery(registry: Registry, { request, query, pathname }: Exchange): ServerResponse {
  if (request.method !== 'GET') throw methodNotAllowed();
  const { accept, host } = request.headers;
  const answer = discover(registry.resources(), request.path, { accept, host });
  if (answer === undefined) return unknownDiscovery(registry, request.path);
  if (answer.object !== undefined) {
    const asking = { query, headers: request.headers };
    if (isBuiltinList(registry, pathname)) checkRoute(asking, objectTypes);
    return respondDocument(answer.object, asking);
  }
  const { status, headers, body } = revalidated(answer, request.headers['if-none-match']);
  return textResponse(body, { status, headers: { 'content-type': undefined, ...headers } });
}

/** Whether a built-in group itself answers, and not what stands before all groups: that one is less choosy. */
function isBuiltinList(registry: Registry, pathname: string): boolean {
  const [root, group = '', version] = pathname.split('/').filter((step) => step !== '');
  if (root === 'api') return true;
  return version !== undefined && registry.resources().some((one) => one.group === group && !one.custom);
}

/** An unknown version of a built-in group is a missing resource; all else is a missing page. */
function unknownDiscovery(registry: Registry, path: string): ServerResponse {
  const [root, first = ''] =
    path
      .split('?', 1)[0]
      ?.split('/')
      .filter((step) => step !== '') ?? [];
  const group = root === 'api' ? '' : first;
  if (root === 'openapi' || !registry.resources().some((one) => one.group === group && !one.custom))
    return pageNotFound();
  throw unknownResource();
}

async function serve(options: HandlerOptions, exchange: Exchange): Promise<ServerResponse> {
  const route = routeOf(exchange.pathname);
  switch (route.type) {
    case 'resource':
      return serveResource(options, exchange, route.target);
    case 'discovery':
      return serveDiscovery(options.registry, exchange);
    case 'health':
      return healthPage(route.path, route.check, exchange.query);
    case 'version':
      checkRoute({ query: exchange.query, headers: exchange.request.headers }, ['application/json']);
      return versionPage();
    case 'root':
      return rootPage(groupPaths(options.registry));
    case 'metrics':
      return metricsPage(options.metrics());
    case 'openid':
      return openidPage(route.what, options.issuer, exchange.request.headers['host'] ?? 'localhost');
    case 'unknown':
      return pageNotFound();
  }
}

function groupPaths(registry: Registry): string[] {
  return registry.resources().flatMap(({ group, version }) => {
    return group === '' ? [] : [`/apis/${group}`, `/apis/${group}/${version}`];
  });
}

/** A fault of the server itself is told as such, so that no client waits for an answer that never comes. */
function failure(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const message = `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`;
  return new StatusError({ code: 500, reason: 'InternalError', message, details: { causes: [{ message }] } });
}

/** The struct of the server, as Go prints it. */
function goUser({ uid, groups, extra }: Unnamed): string {
  const list = (values: readonly string[]): string => `[]string{${values.map(quote).join(', ')}}`;
  const pairs = [...extra].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, of]) => `${quote(name)}:${list(of)}`);
  const shown = pairs.length === 0 ? '(nil)' : `{${pairs.join(', ')}}`;
  const own = groups.length === 0 ? '[]string(nil)' : list(groups);
  return `&user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${own}, Extra:map[string][]string${shown}}`;
}

function identify({ headers, certificate }: ServerRequest, userOf: TokenReader): User | undefined {
  const user = authenticate({ authorization: headers['authorization'], certificate }, userOf);
  const nobody = user === undefined ? undefined : unnamedImpersonation(headers);
  if (nobody !== undefined) throw badRequest(`requested ${goUser(nobody)} without impersonating a user name`);
  if (user !== undefined && (headers['impersonate-user'] ?? '') !== '') {
    throw badRequest('the embedded API server cannot impersonate yet: leave out the Impersonate-* headers');
  }
  return user;
}

// Which flow a request belongs to is the same for all: nothing is queued here.
const flowHeaders = {
  'x-kubernetes-pf-flowschema-uid': '00000000-0000-4000-9000-000000000001',
  'x-kubernetes-pf-prioritylevel-uid': '00000000-0000-4000-9000-000000000002',
};

function checkAccess(authorizer: Authorizer, user: User, access: Access): void {
  const decision = authorizer.decide(user, access);
  if (!decision.allowed) throw accessRefused(user, access, decision);
}

/** The server as a function from request to response. */
export function requestHandler(options: HandlerOptions): (request: ServerRequest) => Promise<ServerResponse> {
  let audits = 0;
  return async (request) => {
    const log = (status: number, user: string): void => {
      const body = request.body === undefined ? undefined : Buffer.from(request.body).toString('utf8');
      const { method, path, headers } = request;
      options.onRequest?.({ method, path, status, user, userAgent: headers['user-agent'] ?? '', body });
    };
    const answer = (response: ServerResponse): ServerResponse => {
      audits += 1;
      const common = { 'audit-id': auditId(request, audits), ...(response.status !== 401 && flowHeaders) };
      return compressed({ ...response, headers: { ...common, ...response.headers } }, request);
    };
    let name = '';
    try {
      if (options.closed.aborted) throw unavailable('the API server was closed');
      const user = identify(request, options.userOf);
      if (user === undefined) throw unauthorized();
      name = user.name;
      const { pathname, query } = splitPath(request.path);
      checkAccess(options.authorizer, user, requestedAccess(request.method, pathname, query));
      const late = new AbortController();
      const signal = AbortSignal.any([request.signal, options.closed, late.signal]);
      const exchange: Exchange = { request: { ...request, signal }, user, pathname, query };
      const limit = { clock: options.registry.clock, timeout: isWatch(query) ? undefined : timeoutOf(query) };
      const response = await within(
        limit,
        () => serve(options, exchange),
        () => late.abort(),
      );
      log(response.status, name);
      return answer(response);
    } catch (error) {
      log(error instanceof ConnectionLost ? 0 : failure(error).code, name);
      if (error instanceof ConnectionLost) throw error;
      const { query } = splitPath(request.path);
      return answer(respondError(failure(error), { query, headers: request.headers }));
    }
  };
}

/** The request's own, or a fresh one: counted, as chance is for uids. */
function auditId({ headers }: ServerRequest, count: number): string {
  return headers['audit-id'] ?? `00000000-0000-4000-8000-${count.toString(16).padStart(12, '0')}`;
}
