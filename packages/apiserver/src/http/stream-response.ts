// The answer to exec, attach and port-forward where somebody stands in for the kubelet.
import { badRequest } from '../status/index.ts';
import { type ServerRequest, type ServerResponse, upgradeResponse } from './message.ts';
import { type ForwardedPort, forwardProtocols, programProtocols, runForward, runProgram } from './pod-channels.ts';
import { portStreamProtocol, runPortStreams, runTunnel, type ServePort, tunnelProtocol } from './port-tunnel.ts';
import type { PodAttachRequest, PodForward, PodHandlers, PodProgram } from './pod-streams.ts';
import type { ResourcePath } from './route.ts';
import { acceptOf, asksFor, chosenProtocol } from './web-socket.ts';

export interface StreamAsked {
  readonly request: ServerRequest;
  readonly query: URLSearchParams;
  readonly target: ResourcePath;
  /** Empty for a port. */
  readonly container: string;
}

type TakeOver = NonNullable<ServerResponse['takeOver']>;

const isSet = (query: URLSearchParams, name: string): boolean => ['', '1', 'true'].includes(query.get(name) ?? 'false');

function switchedTo({ request }: StreamAsked, served: readonly string[], takeOver: TakeOver): ServerResponse {
  if (!asksFor('websocket', request.headers) || request.upgradable !== true)
    throw badRequest('Upgrade request required');
  const protocol = chosenProtocol(request.headers, served);
  if (protocol === undefined)
    throw badRequest(`unable to upgrade: offer one of ${served.join(', ')} as Sec-WebSocket-Protocol`);
  const accept = acceptOf(request.headers['sec-websocket-key'] ?? '');
  const headers = {
    upgrade: 'websocket',
    connection: 'Upgrade',
    'sec-websocket-accept': accept,
    'sec-websocket-protocol': protocol,
  };
  return upgradeResponse(headers, takeOver);
}

function programOf({ podExec, podAttach }: PodHandlers, asked: StreamAsked): PodProgram | undefined {
  const { request, query, target, container } = asked;
  const { namespace = '', name: pod = '', subresource } = target;
  const attached: PodAttachRequest = { namespace, pod, container, tty: isSet(query, 'tty'), signal: request.signal };
  return subresource === 'exec' ? podExec?.({ ...attached, command: query.getAll('command') }) : podAttach?.(attached);
}

function portsOf(podForward: PodForward | undefined, { request, query, target }: StreamAsked): ForwardedPort[] {
  const { namespace = '', name: pod = '' } = target;
  const ports = query.getAll('ports').flatMap((list) => list.split(',').map(Number));
  return ports.flatMap((port) => {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw badRequest(`invalid port ${port}: 1 to 65535`);
    const serve = podForward?.({ namespace, pod, port, signal: request.signal });
    return serve === undefined ? [] : [{ port, serve }];
  });
}

/** As kubectl forwards ports: it names them when somebody connects to one. */
function tunnelTo(podForward: PodForward, asked: StreamAsked): ServerResponse | undefined {
  const { headers, signal, upgradable } = asked.request;
  const { namespace = '', name: pod = '' } = asked.target;
  const serve: ServePort = (port) => podForward({ namespace, pod, port, signal });
  if (chosenProtocol(headers, [tunnelProtocol]) !== undefined)
    return switchedTo(asked, [tunnelProtocol], (socket) => runTunnel(socket, serve));
  if (!asksFor('spdy/3.1', headers) || upgradable !== true) return undefined;
  const answer = {
    upgrade: 'SPDY/3.1',
    connection: 'Upgrade',
    'x-stream-protocol-version': portStreamProtocol,
  };
  return upgradeResponse(answer, (socket) => runPortStreams(socket, serve));
}

/** Undefined where nobody stands in. */
export function streamResponse(handlers: PodHandlers, asked: StreamAsked): ServerResponse | undefined {
  const { query, target } = asked;
  if (target.subresource === 'portforward') {
    const tunnel = handlers.podForward && tunnelTo(handlers.podForward, asked);
    if (tunnel !== undefined) return tunnel;
    const ports = portsOf(handlers.podForward, asked);
    if (ports.length === 0) return undefined;
    return switchedTo(asked, forwardProtocols, (socket) => runForward(socket, ports));
  }
  const program = programOf(handlers, asked);
  if (program === undefined) return undefined;
  const wanted = { stdin: isSet(query, 'stdin'), stdout: isSet(query, 'stdout'), stderr: isSet(query, 'stderr') };
  return switchedTo(asked, programProtocols, (socket) => runProgram(socket, program, wanted));
}
