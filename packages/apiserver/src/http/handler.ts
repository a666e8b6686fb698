import { Buffer } from 'node:buffer';
import { type Authorizer, Impersonator } from '../access/index.ts';
import { authenticate, type TokenIssuer, type TokenReader, type User, wantedUser } from '../auth/index.ts';
import type { Registry } from '../calls/index.ts';
import { discover, revalidated } from '../discovery/index.ts';
import type { Flow, FlowBook } from '../flows/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { Access } from '../rbac/index.ts';
import { accessRefused } from '../registry/index.ts';
import { methodNotAllowed, StatusError, unauthorized, unavailable, unknownResource } from '../status/index.ts';
import { objectTypes } from '../wire/index.ts';
import { compressed } from './compress.ts';
import { connects, serveConnection } from './connect.ts';
import type { Faults } from './faults.ts';
import { healthPage, metricsPage, openidPage, rootPage, versionPage } from './fixed-pages.ts';
import {
  ConnectionLost,
  malformed,
  pageNotFound,
  type ServerRequest,
  type ServerResponse,
  textResponse,
} from './message.ts';
import type { PodLogs } from './pod-logs.ts';
import type { PodHandlers } from './pod-streams.ts';
import { isWatch, readCall, verbOf } from './read-call.ts';
import { requestedAccess } from './requested-access.ts';
import type { RecordedRequest } from './request-journal.ts';
import { checkRoute, presentationFor, respond, respondDocument, respondError } from './respond.ts';
import { isPath, type ResourcePath, routeOf, splitPath } from './route.ts';
import { timeoutOf, within } from './timeout.ts';

export interface HandlerOptions {
  readonly registry: Registry;
  /** Aborted when the server is closed: what waits is let go, and nothing new is served. */
  readonly closed: AbortSignal;
  readonly userOf: TokenReader;
  readonly faults: Faults;
  /** Told of every request that was answered, and how many bytes its body has. */
  readonly onRequest?: ((log: RecordedRequest, bytes: number) => void) | undefined;
  /** The text of `/metrics`. */
  readonly metrics: () => string;
  readonly issuer: TokenIssuer;
  /** Who decides what a user may do. */
  readonly authorizer: Authorizer;
  /** Who says which flow a request belongs to. */
  readonly flows: FlowBook;
  /** Whoever stands in for the kubelets. */
  readonly podLogs?: PodLogs | undefined;
  readonly podHandlers?: PodHandlers | undefined;
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
  { registry, faults, podLogs, podHandlers: handlers = {} }: HandlerOptions,
  exchange: Exchange,
  target: ResourcePath,
): Promise<ServerResponse> {
  const { request, user, query } = exchange;
  const resource = registry.find(target.group, target.version, target.plural);
  if (resource === undefined || !fitsScope(resource, target, request.method)) return nothingThere(registry, target);
  if (connects(resource, target))
    return serveConnection({ registry, request, resource, target, user, query, podLogs, handlers });
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

/** Whether a built-in group itself answers, and not what is before all groups: that one is less choosy. */
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

/** A fault of the server itself is answered as such, so that no client waits for an answer that never comes. */
function failure(error: unknown): StatusError {
  if (error instanceof StatusError) return error;
  const message = `Internal error occurred: ${error instanceof Error ? error.message : String(error)}`;
  return new StatusError({ code: 500, reason: 'InternalError', message, details: { causes: [{ message }] } });
}

/** Who is asking; undefined if the credentials are wrong. */
function identify({ headers, certificate }: ServerRequest, userOf: TokenReader): User | undefined {
  return authenticate({ authorization: headers['authorization'], certificate }, userOf);
}

const flowHeaders = ({ schema, level }: Flow): Record<string, string> => ({
  'x-kubernetes-pf-flowschema-uid': schema,
  'x-kubernetes-pf-prioritylevel-uid': level,
});

function checkAccess(authorizer: Authorizer, user: User, access: Access): void {
  const decision = authorizer.decide(user, access);
  if (!decision.allowed) throw accessRefused(user, access, decision);
}

/** Most bodies are never looked at again: the text is made for those who do. */
function recordOf(
  { method, path, headers, body }: ServerRequest,
  outcome: Pick<RecordedRequest, 'status' | 'user' | 'actingAs'>,
): RecordedRequest {
  return {
    method,
    path,
    ...outcome,
    userAgent: headers['user-agent'] ?? '',
    get body() {
      return body === undefined ? undefined : textOf(body);
    },
  };
}

const textOf = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('utf8');

/** The server as a function from request to response. */
export function requestHandler(options: HandlerOptions): (request: ServerRequest) => Promise<ServerResponse> {
  let audits = 0;
  const { authorizer } = options;
  const impersonator = new Impersonator(authorizer);
  return async (request) => {
    let name = '';
    let actingAs: string | undefined;
    let flow: Flow | undefined;
    const log = (status: number): void =>
      options.onRequest?.(recordOf(request, { status, user: name, actingAs }), request.body?.byteLength ?? 0);
    const answer = (response: ServerResponse): ServerResponse => {
      audits += 1;
      const common = { 'audit-id': auditId(request, audits), ...(flow && flowHeaders(flow)) };
      return compressed({ ...response, headers: { ...common, ...response.headers } }, request);
    };
    try {
      if (options.closed.aborted) throw unavailable('the API server was closed');
      const requester = identify(request, options.userOf);
      if (requester === undefined) throw unauthorized();
      name = requester.name;
      const { pathname, query } = splitPath(request.path);
      if (!isPath(pathname)) return answer(malformed());
      const access = requestedAccess(request.method, pathname, query);
      const wanted = wantedUser(request);
      const user = wanted === undefined ? requester : impersonator.become(requester, wanted, access);
      if (wanted !== undefined) actingAs = user.name;
      flow = options.flows.flowOf(user, access);
      checkAccess(authorizer, user, access);
      const limit = { clock: options.registry.clock, timeout: isWatch(query) ? undefined : timeoutOf(query) };
      const late = new AbortController();
      const ends = [request.signal, options.closed, ...(limit.timeout === undefined ? [] : [late.signal])];
      const exchange: Exchange = { request: { ...request, signal: AbortSignal.any(ends) }, user, pathname, query };
      const response = await within(
        limit,
        () => serve(options, exchange),
        () => late.abort(),
      );
      log(response.status);
      return answer(response);
    } catch (error) {
      log(error instanceof ConnectionLost ? 0 : failure(error).code);
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
