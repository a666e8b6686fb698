// The channels of a Pod's streams over one WebSocket: the first byte of a message says which it belongs to.
import { Buffer } from 'node:buffer';
import type { Socket } from 'node:net';
import { ByteChannel } from './byte-channel.ts';
import {
  bytesOf,
  failureStatus,
  type PodForward,
  type PodPort,
  type PodProgram,
  type PodStreams,
  programStatus,
  sizesIn,
} from './pod-streams.ts';
import { WebSocketConnection } from './web-socket.ts';
import { closeCodes } from './web-socket-frames.ts';

/** What kubectl, client-go, kube-rs and the JavaScript client speak; the fifth version can close one channel. */
export const programProtocols: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
export const forwardProtocols: readonly string[] = ['v4.channel.k8s.io'];

const channels = { stdin: 0, stdout: 1, stderr: 2, error: 3, resize: 4, close: 255 } as const;
const piece = 32 * 1024;

async function sendOn(connection: WebSocketConnection, channel: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.byteLength; at += piece) {
    await connection.send(Buffer.concat([Uint8Array.of(channel), bytes.subarray(at, at + piece)]));
  }
}

/** Brings what a client sends to the channels it is for; all end with the connection. */
async function distribute(connection: WebSocketConnection, incoming: ReadonlyMap<number, ByteChannel>): Promise<void> {
  for await (const message of connection.messages()) {
    const [channel = -1, which = -1] = message;
    if (channel === channels.close) incoming.get(which)?.close();
    else if (message.byteLength > 1) await incoming.get(channel)?.push(message.subarray(1));
  }
  for (const channel of incoming.values()) channel.close();
}

/** Which streams a client asked for. */
export interface WantedStreams {
  readonly stdin: boolean;
  readonly stdout: boolean;
  readonly stderr: boolean;
}

/** Runs a program over a socket to its end, and tells how it ended. */
export async function runProgram(socket: Socket, program: PodProgram, wanted: WantedStreams): Promise<void> {
  const connection = new WebSocketConnection(socket);
  const [stdin, resize] = [new ByteChannel(), new ByteChannel()];
  if (!wanted.stdin) stdin.close();
  const open = new Map([...(wanted.stdin ? [[channels.stdin, stdin] as const] : []), [channels.resize, resize]]);
  const reading = distribute(connection, open);
  const output =
    (channel: 1 | 2, isWanted: boolean): PodStreams['stdout'] =>
    async (text) =>
      isWanted ? sendOn(connection, channel, bytesOf(text)) : undefined;
  const streams: PodStreams = {
    stdin,
    sizes: sizesIn(resize),
    stdout: output(channels.stdout, wanted.stdout),
    stderr: output(channels.stderr, wanted.stderr),
  };
  const status = await program(streams).then((code) => programStatus(code ?? 0), failureStatus);
  await sendOn(connection, channels.error, bytesOf(JSON.stringify(status)));
  await connection.close(closeCodes.normal);
  // What is no longer read must not hold the reader up.
  for (const channel of open.values()) channel.close();
  await reading;
}

function announced(port: number): Uint8Array {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(port);
  return bytes;
}

export interface ForwardedPort {
  readonly port: number;
  readonly serve: NonNullable<ReturnType<PodForward>>;
}

/** Ports over one WebSocket, with two channels each: data, and what went wrong. The first message on both names the port. */
export async function runForward(socket: Socket, ports: readonly ForwardedPort[]): Promise<void> {
  const connection = new WebSocketConnection(socket);
  const open = new Map(ports.map((_, index) => [index * 2, new ByteChannel()]));
  const reading = distribute(connection, open);
  const serve = async ({ port, serve: handler }: ForwardedPort, index: number): Promise<void> => {
    const [data, error] = [index * 2, index * 2 + 1];
    await sendOn(connection, data, announced(port));
    await sendOn(connection, error, announced(port));
    const received = open.get(data) ?? new ByteChannel();
    const wire: PodPort = { received, send: (output) => sendOn(connection, data, bytesOf(output)) };
    await handler(wire).catch((failure: unknown) =>
      sendOn(connection, error, bytesOf(failure instanceof Error ? failure.message : String(failure))),
    );
  };
  await Promise.all(ports.map(serve));
  await connection.close(closeCodes.normal);
  for (const channel of open.values()) channel.close();
  await reading;
}
