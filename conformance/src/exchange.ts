// Requests as bytes over HTTPS, the same for both servers: nothing of the runtime's client stands between.
import { connect as connectHttp2 } from 'node:http2';
import { Agent, request } from 'node:https';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import type { Answer, Headers, Json, User } from './case.ts';
import { parsedOrText } from './exact-json.ts';
import { readEnvelope } from './protobuf-answer.ts';
import type { Server } from './server.ts';

export interface Call {
  readonly method: string;
  readonly path: string;
  readonly as: User;
  readonly headers: Headers;
  readonly body?: Buffer | undefined;
  /** A client certificate and its key, as PEM. */
  readonly certificate?: { readonly cert: string; readonly key: string } | undefined;
}

/** How long a server may be silent in an answer, in milliseconds. */
export const silenceOf = ({ silence = 40_000 }: Server): number => silence;

const agents = new Map<string, Agent>();

function agentOf({ url, ca }: Server): Agent {
  const found = agents.get(url);
  if (found !== undefined) return found;
  const agent = new Agent({ keepAlive: true, ca, maxSockets: 32 });
  agents.set(url, agent);
  return agent;
}

/** Connections are kept, but for watches, which end with theirs, and for what shows a certificate. */
function agentFor(server: Server, { certificate }: Call, signal: AbortSignal | undefined): Agent {
  if (signal === undefined && certificate === undefined) return agentOf(server);
  return new Agent({ ca: server.ca, ...certificate });
}

export function forget(server: Server): void {
  agents.get(server.url)?.destroy();
  agents.delete(server.url);
}

export function headersOf(server: Server, call: Call): Record<string, string | string[]> {
  const token = server.tokens[call.as];
  if (token === undefined && call.as !== 'nobody') throw new Error(`no token for ${call.as}`);
  return {
    'user-agent': 'conformance/1',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(call.body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(call.body.length) }),
    ...Object.fromEntries(
      Object.entries(call.headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    ),
  };
}

/** Resolves with the response once its head is there. */
export function open(server: Server, call: Call, signal?: AbortSignal): Promise<IncomingMessage> {
  const silence = silenceOf(server);
  return new Promise((done, failed) => {
    const url = new URL(call.path, server.url);
    const sent = (url.protocol === 'http:' ? requestPlain : request)(url, {
      method: call.method,
      ...(url.protocol === 'http:' ? {} : { agent: agentFor(server, call, signal) }),
      headers: headersOf(server, call),
      ...(signal === undefined ? { timeout: silence } : { signal }),
      // The path exactly as the case has it: the URL class would tidy it up.
      path: call.path,
    });
    sent.once('response', done);
    sent.once('error', failed);
    sent.once('timeout', () => sent.destroy(new Error(`no answer to ${call.method} ${call.path} in ${silence} ms`)));
    sent.end(call.body);
  });
}

/** Repeated headers as a list, single ones as a text. */
export function headersIn(response: IncomingMessage): Record<string, Json> {
  return Object.fromEntries(
    Object.entries(response.headersDistinct).map(([key, values = []]) => [
      key,
      values.length === 1 ? (values[0] ?? '') : values,
    ]),
  );
}

export async function answerOf(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  const text = bytes.toString('utf8');
  const body = readEnvelope(bytes) ?? parsedOrText(text);
  return { status: response.statusCode ?? 0, headers: headersIn(response), body, text };
}

export async function exchange(server: Server, call: Call): Promise<Answer> {
  return answerOf(await open(server, call));
}

export async function handshake(server: Server, offer: readonly string[]): Promise<Answer> {
  const { hostname, port } = new URL(server.url);
  const socket = await new Promise<TLSSocket>((done, failed) => {
    const opened = connectTls({ host: hostname, port: Number(port), ca: server.ca, ALPNProtocols: [...offer] });
    opened.once('secureConnect', () => done(opened));
    opened.once('error', failed);
  });
  const protocol = socket.alpnProtocol === false ? 'none' : (socket.alpnProtocol ?? 'none');
  if (protocol !== 'h2') {
    socket.destroy();
    return { protocol };
  }
  const session = connectHttp2(server.url, { createConnection: () => socket });
  try {
    const settings = await new Promise<{ maxConcurrentStreams?: number | undefined }>((done, failed) => {
      session.once('remoteSettings', done);
      session.once('error', failed);
    });
    return { protocol, maxConcurrentStreams: settings.maxConcurrentStreams ?? 'unlimited' };
  } finally {
    session.destroy();
  }
}
