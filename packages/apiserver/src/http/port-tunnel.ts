// kubectl port-forward: a SPDY session, inside a WebSocket or instead of HTTP, with two streams for each connection to a port: data,
// and what went wrong.
import type { Socket } from 'node:net';
import { bytesOf, type PodForward } from './pod-streams.ts';
import { SpdyError } from './spdy-frames.ts';
import { type ByteCarrier, SpdySession, type SpdyStream } from './spdy-session.ts';
import { WebSocketConnection, writeTo } from './web-socket.ts';
import { closeCodes } from './web-socket-frames.ts';

export const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io';
export const portStreamProtocol = 'portforward.k8s.io';

/** Who serves a port; undefined where nobody does. */
export type ServePort = (port: number) => ReturnType<PodForward>;

interface PortStreams {
  readonly port: number;
  readonly data: SpdyStream;
  readonly error: SpdyStream;
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function connected({ port, data, error }: PortStreams, serve: ServePort): Promise<void> {
  try {
    const handler = serve(port);
    if (handler === undefined) throw new Error(`nobody listens on port ${port}`);
    await handler({ received: data.received, send: (output) => data.send(bytesOf(output)) });
  } catch (failure) {
    await error.send(bytesOf(`error forwarding port ${port} to pod: ${textOf(failure)}`));
  }
  await data.end();
  await error.end();
  // What is no longer read must not hold the session up.
  data.received.close();
}

/** Brings the two streams of a connection together: they come one after the other, with the same number. */
function pairing(serve: ServePort): (stream: SpdyStream) => void {
  const waiting = new Map<string, SpdyStream>();
  return (stream) => {
    const { headers } = stream;
    const request = `${headers.get('port') ?? ''}/${headers.get('requestid') ?? ''}`;
    const other = waiting.get(request);
    if (other === undefined) {
      waiting.set(request, stream);
      return;
    }
    waiting.delete(request);
    const [data, error] = headers.get('streamtype') === 'data' ? [stream, other] : [other, stream];
    void connected({ port: Number(headers.get('port')), data, error }, serve);
  };
}

/** In a WebSocket, whose messages are pieces of the session. */
export async function runTunnel(socket: Socket, serve: ServePort): Promise<void> {
  const connection = new WebSocketConnection(socket);
  const carrier: ByteCarrier = { chunks: connection.messages(), write: (bytes) => connection.send(bytes) };
  try {
    await new SpdySession(carrier, pairing(serve)).run();
    await connection.close(closeCodes.normal);
  } catch (error) {
    if (!(error instanceof SpdyError)) throw error;
    await connection.close(closeCodes.protocolError, error.message);
  }
}

/** On the socket itself, as clients do that know no WebSockets. */
export async function runPortStreams(socket: Socket, serve: ServePort): Promise<void> {
  const carrier: ByteCarrier = {
    chunks: socket as AsyncIterable<Uint8Array>,
    write: (bytes) => writeTo(socket, bytes),
  };
  await new SpdySession(carrier, pairing(serve)).run();
  socket.end();
}
