// Subresources behind which a kubelet or a program would answer: nodes here have neither, and the answers say what a server
// says that cannot reach them.
import type { JsonObject } from 'kilter/api';
import type { User } from '../auth/index.ts';
import type { Registry } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import {
  badRequest,
  forbiddenField,
  internalError,
  invalid,
  invalidValue,
  methodNotAllowed,
  negative,
  notFound,
  StatusError,
  unreachable,
} from '../status/index.ts';
import { type Issue, metadataOf, objectIfIn, objectsIn, quote, textIn } from '../values/index.ts';
import { connectOptions } from './connect-options.ts';
import { type ServerRequest, type ServerResponse, textResponse } from './message.ts';
import { logRequest, logResponse, type PodLogs } from './pod-logs.ts';
import type { PodHandlers } from './pod-streams.ts';
import { readCall } from './read-call.ts';
import type { ResourcePath } from './route.ts';
import { streamResponse } from './stream-response.ts';

export interface Connecting {
  readonly registry: Registry;
  readonly request: ServerRequest;
  readonly resource: ResourceDefinition;
  readonly target: ResourcePath;
  readonly user: User;
  readonly query: URLSearchParams;
  /** Whoever stands in for the kubelets. */
  readonly podLogs?: PodLogs | undefined;
  readonly handlers: PodHandlers;
}

const verbs: Readonly<Record<string, string>> = {
  GET: 'get',
  HEAD: 'get',
  POST: 'create',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** The part of a path that says how to connect: `proxy` of `proxy/metrics`. */
const wayOf = ({ subresource = '' }: ResourcePath): string => subresource.split('/', 1)[0] ?? '';

/** Whether a path leads out of the server. */
export function connects({ strategy }: ResourceDefinition, target: ResourcePath): boolean {
  const way = wayOf(target);
  const deeper = target.subresource !== way;
  return strategy.connects?.[way] !== undefined && (!deeper || way === 'proxy');
}

/** `name`, `name:port` or `scheme:name:port`. */
function namedIn(name: string): { readonly name: string; readonly port: string } {
  const parts = name.split(':');
  if (parts.length === 1) return { name, port: '' };
  return parts.length === 2
    ? { name: parts[0] ?? '', port: parts[1] ?? '' }
    : { name: parts[1] ?? '', port: parts[2] ?? '' };
}

async function found(
  { registry, request, user }: Connecting,
  resource: ResourceDefinition,
  at: ResourcePath,
): Promise<JsonObject> {
  const reading = { request: { ...request, body: undefined }, verb: 'get' as const, resource };
  const call = readCall(reading, { ...at, subresource: undefined }, { user, query: new URLSearchParams() });
  const answer = await registry.execute(call);
  if (answer.type !== 'object') throw new Error(`${resource.plural} answered a ${answer.type}: nothing to connect to`);
  return answer.object;
}

/** The container that is meant: the one there is, or the one that was named. */
function containerOf(pod: JsonObject, asked: string): string {
  const name = textIn(metadataOf(pod), 'name');
  const spec = objectIfIn(pod, 'spec') ?? {};
  const lists = ['initContainers', 'containers', 'ephemeralContainers'];
  const all = lists.flatMap((list) => objectsIn(spec, list)).map((container) => textIn(container, 'name'));
  if (asked !== '' && !all.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${name}`);
  if (asked !== '') return asked;
  const [only] = all;
  if (all.length === 1 && only !== undefined) return only;
  throw badRequest(`a container name must be specified for pod ${name}, choose one of: [${all.join(' ')}]`);
}

/** Fails for a node the server does not know, as it looks its address up. */
async function nodeOf(connecting: Connecting, pod: JsonObject): Promise<string> {
  const name = textIn(objectIfIn(pod, 'spec') ?? {}, 'nodeName');
  const nodes = connecting.registry.findKind('', 'Node');
  const known = nodes === undefined ? [] : connecting.registry.peek(nodes);
  if (name !== '' && !known.some((node) => textIn(metadataOf(node), 'name') === name))
    throw notFound({ group: '', plural: 'pods' }, name);
  return name;
}

function positive(query: URLSearchParams, name: string): Issue[] {
  const text = query.get(name);
  return text === null || Number(text) > 0 ? [] : [invalidValue(name, Number(text), 'must be greater than 0')];
}

function logIssues(query: URLSearchParams): Issue[] {
  const both = query.has('sinceTime') && query.has('sinceSeconds');
  return [
    ...(query.has('tailLines') ? negative('tailLines', Number(query.get('tailLines'))) : []),
    ...positive(query, 'limitBytes'),
    ...(both
      ? [forbiddenField('', 'at most one of `sinceTime` or `sinceSeconds` may be specified')]
      : positive(query, 'sinceSeconds')),
  ];
}

const logFields = [
  'follow',
  'insecureSkipTLSVerifyBackend',
  'limitBytes',
  'previous',
  'sinceSeconds',
  'sinceTime',
  'tailLines',
  'timestamps',
];

/** What of a log request the kubelet would be asked for. */
function kubeletQuery(query: URLSearchParams): string {
  const kept = logFields.filter((field) => query.has(field) && field !== 'insecureSkipTLSVerifyBackend');
  const pairs = kept.map((field): [string, string] => [field, query.get(field) ?? '']);
  const text = new URLSearchParams(pairs).toString();
  return text === '' ? '' : `?${text}`;
}

const notResolved = (host: string): string => `dial tcp: lookup ${host}: no such host`;

/** 64 bits and no more. */
function rangeProblem(text: string): string | undefined {
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? undefined : 'value out of range';
}

/** Go's words for a number that is none. */
function checkNumbers(query: URLSearchParams): void {
  for (const name of ['sinceSeconds', 'tailLines', 'limitBytes']) {
    const text = query.get(name);
    if (text === null) continue;
    const problem = /^[-+]?\d+$/.test(text) ? rangeProblem(text) : 'invalid syntax';
    if (problem !== undefined) throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: ${problem}`);
  }
}

async function logs(connecting: Connecting): Promise<ServerResponse> {
  const { query, resource, target } = connecting;
  checkNumbers(query);
  const issues = logIssues(query);
  if (issues.length > 0) throw invalid({ group: '', kind: 'PodLogOptions' }, target.name ?? '', issues);
  const pod = await found(connecting, resource, target);
  const container = containerOf(pod, query.get('container') ?? '');
  const { namespace = '', name = '' } = target;
  const { signal } = connecting.request;
  const answer = connecting.podLogs?.(logRequest(query, { namespace, pod: name, container, signal }));
  if (answer !== undefined) return logResponse(answer, signal);
  const node = await nodeOf(connecting, pod);
  // A Pod that nobody runs has no log yet: not an error.
  if (node === '') return textResponse('', { status: 204, headers: { 'content-type': undefined } });
  const url = `https://${node}:10250/containerLogs/${namespace}/${name}/${container}${kubeletQuery(query)}`;
  throw unreachable(`Get ${quote(url)}: ${notResolved(node)}`);
}

/** exec, attach and port-forward: a stream that only a kubelet can serve, or who stands in for it. */
async function stream(connecting: Connecting): Promise<ServerResponse> {
  const { request, query, resource, target } = connecting;
  const pod = await found(connecting, resource, target);
  const container = wayOf(target) === 'portforward' ? '' : containerOf(pod, query.get('container') ?? '');
  const served = streamResponse(connecting.handlers, { request, query, target, container });
  if (served !== undefined) return served;
  const node = await nodeOf(connecting, pod);
  if (node === '') throw badRequest(`pod ${target.name ?? ''} does not have a host assigned`);
  if (request.headers['upgrade'] === undefined) throw badRequest('Upgrade request required');
  throw internalError(`error dialing backend: ${notResolved(node)}`);
}

async function proxy(connecting: Connecting): Promise<ServerResponse> {
  const { resource, target } = connecting;
  const { name, port } = namedIn(target.name ?? '');
  const object = await found(connecting, resource, { ...target, name });
  if (resource.plural === 'services') throw unreachable(`no endpoints available for service ${quote(name)}`, 503);
  if (resource.plural === 'nodes') throw unreachable(`error trying to reach service: ${notResolved(name)}`, 503);
  const address = textIn(objectIfIn(object, 'status') ?? {}, 'podIP');
  if (address === '') throw badRequest('address not allowed');
  throw unreachable(
    `error trying to reach service: dial tcp ${address}:${port === '' ? '80' : port}: connect: no route to host`,
    503,
  );
}

/** Answers a request to a subresource that leads out of the server. */
export async function serveConnection(connecting: Connecting): Promise<ServerResponse> {
  const { request, resource, target } = connecting;
  const way = wayOf(target);
  const verb = verbs[request.method] ?? '';
  const connection = resource.strategy.connects?.[way];
  if (connection?.verbs.includes(verb) !== true) throw methodNotAllowed();
  if (connection.kind === undefined) return logs(connecting);
  const warnings = await admitted(connecting, connection.kind);
  try {
    return await (way === 'proxy' ? proxy(connecting) : stream(connecting));
  } catch (error) {
    if (error instanceof StatusError) error.warnings = [...warnings, ...error.warnings];
    throw error;
  }
}

/** Asks those who admit connections, and answers what they have to say to the client. */
async function admitted(
  { registry, resource, target, user, query }: Connecting,
  kind: string,
): Promise<readonly string[]> {
  const way = wayOf(target);
  const path = (target.subresource ?? '').slice(way.length + 1);
  const { namespace, name = '' } = target;
  const object = connectOptions(kind, query, path);
  return registry.admitConnection({ resource, subresource: way, namespace, name, user, object });
}
