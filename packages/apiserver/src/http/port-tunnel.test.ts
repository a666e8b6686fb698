import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { apiServer } from '../api-server.ts';
import type { ServedAddress } from '../server-interface.ts';
import type { PodForward } from './pod-streams.ts';
import { dataFrame, SpdyReader } from './spdy-frames.ts';
import { headerDictionary, HeaderReader, HeaderWriter } from './spdy-headers.ts';

async function served(podForward: PodForward | undefined): Promise<ServedAddress> {
  const server = apiServer({ ...(podForward && { podForward }), controllers: { workloads: false } });
  onTestFinished(() => server.close());
  const address = await server.listen({ plain: true });
  const containers = [{ name: 'c', image: 'i' }];
  const { status } = await fetch(`${address.url}/api/v1/namespaces/default/pods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } }),
  });
  expect(status).toBe(201);
  return address;
}

const path = '/api/v1/namespaces/default/pods/p/portforward';
const spdyHeaders = 'connection: Upgrade\r\nupgrade: SPDY/3.1\r\nx-stream-protocol-version: portforward.k8s.io\r\n';

function control(type: number, body: Uint8Array, flags = 0): Buffer {
  const head = Buffer.from([0x80, 3, 0, type, flags, 0, 0, 0]);
  head.writeUIntBE(body.byteLength, 5, 3);
  return Buffer.concat([head, body]);
}

function numbers(...values: readonly number[]): Buffer {
  return Buffer.concat(
    values.map((value) => {
      const bytes = Buffer.alloc(4);
      bytes.writeUInt32BE(value);
      return bytes;
    }),
  );
}

/** A client of its own: what it opens, sends and hears, by number of the stream. */
class Client {
  readonly heard: Record<number, string> = {};
  readonly ended = new Set<number>();
  readonly pings: number[] = [];
  readonly replies: number[] = [];
  readonly #writer = new HeaderWriter();
  readonly #frames = new SpdyReader();
  readonly #send: (bytes: Buffer) => void;
  #wake: () => void = () => undefined;

  constructor(send: (bytes: Buffer) => void) {
    this.#send = send;
  }

  /** The frames of a server are read by hand where the reader of the server has no word for them. */
  take(chunk: Uint8Array): void {
    for (const frame of this.#frames.push(chunk)) {
      if (frame.type === 'data') {
        this.heard[frame.stream] = `${this.heard[frame.stream] ?? ''}${frame.data.toString()}`;
        if (frame.fin) this.ended.add(frame.stream);
      } else if (frame.type === 'ping') this.pings.push(frame.whole.readUInt32BE(8));
      else if (frame.type === 'other') this.replies.push(1);
    }
    this.#wake();
  }

  async until(isTrue: () => boolean): Promise<void> {
    while (!isTrue()) await new Promise<void>((resolve) => (this.#wake = resolve));
  }

  async open(stream: number, headers: Record<string, string>, fin = false): Promise<void> {
    const block = await this.#writer.write(new Map(Object.entries(headers)));
    this.#send(control(1, Buffer.concat([numbers(stream, 0), Buffer.alloc(2), block]), fin ? 1 : 0));
  }

  /** As client-go opens them: what went wrong first, whose own side it closes at once. */
  async forward(port: number, request: number, [error, data]: readonly [number, number]): Promise<void> {
    const headers = { port: String(port), requestid: String(request) };
    await this.open(error, { streamtype: 'error', ...headers }, true);
    await this.open(data, { streamtype: 'data', ...headers });
  }

  send(stream: number, text: string, fin = false): void {
    this.#send(dataFrame(stream, Buffer.from(text), fin));
  }

  ping(id: number): void {
    this.#send(control(6, numbers(id)));
  }
}

async function asking(
  { port, host }: ServedAddress,
  request: string,
): Promise<{ socket: Socket; head: string; rest: Buffer }> {
  const socket = connect(port, host);
  onTestFinished(() => void socket.destroy());
  socket.write(request);
  const [first] = (await once(socket, 'data')) as [Buffer];
  const end = first.indexOf('\r\n\r\n') + 4;
  return { socket, head: first.toString('latin1', 0, end), rest: first.subarray(end) };
}

async function onSocket(address: ServedAddress): Promise<{ client: Client; socket: Socket; head: string }> {
  const asked = `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n${spdyHeaders}\r\n`;
  const { socket, head, rest } = await asking(address, asked);
  const client = new Client((bytes) => socket.write(bytes));
  client.take(rest);
  socket.on('data', (chunk: Buffer) => client.take(chunk));
  return { client, socket, head };
}

/** A frame with a mask that changes nothing. */
function masked(bytes: Buffer): Buffer {
  const head = Buffer.from([0x82, 0xfe, 0, 0, 0, 0, 0, 0]);
  head.writeUInt16BE(bytes.byteLength, 2);
  return Buffer.concat([head, bytes]);
}

function* unframed(chunk: Buffer): Generator<Buffer> {
  for (let at = 0; at < chunk.byteLength;) {
    const short = chunk.readUInt8(at + 1);
    const begins = at + (short === 126 ? 4 : 2);
    const ends = begins + (short === 126 ? chunk.readUInt16BE(at + 2) : short);
    yield chunk.subarray(begins, ends);
    at = ends;
  }
}

/** The WebSocket of Node takes no protocol with a slash. */
async function inWebSocket(address: ServedAddress): Promise<{ client: Client; head: string }> {
  const asked =
    `GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n` +
    'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\nsec-websocket-protocol: SPDY/3.1+portforward.k8s.io\r\n\r\n';
  const { socket, head, rest } = await asking(address, asked);
  const client = new Client((bytes) => socket.write(masked(bytes)));
  const take = (chunk: Buffer): void => [...unframed(chunk)].forEach((part) => client.take(part));
  take(rest);
  socket.on('data', take);
  return { client, head };
}

const echo: PodForward = ({ port }) =>
  port === 81
    ? undefined
    : async ({ received, send }) => {
        for await (const chunk of received) await send(`${port}:${Buffer.from(chunk).toString()}`);
        if (port === 82) throw new Error('connection refused');
      };

test('the dictionary is that of the protocol', () => {
  expect(createHash('sha256').update(headerDictionary).digest('hex')).toBe(
    '51d27341373f923f3cd88e1eb7162aeaa3723d7585ff2399201dc06498407f02',
  );
});

test('API-R7: kubectl port-forward speaks SPDY in a WebSocket: each connection has its two streams', async () => {
  const { client, head } = await inWebSocket(await served(echo));
  expect(head).toContain('\r\nsec-websocket-protocol: SPDY/3.1+portforward.k8s.io\r\n');
  await client.forward(80, 0, [1, 3]);
  await client.forward(80, 1, [5, 7]);
  client.send(3, 'one');
  client.send(7, 'two', true);
  client.ping(9);
  await client.until(() => client.heard[3] === '80:one' && client.ended.has(7) && client.pings.length === 1);
  expect(client.heard[7]).toBe('80:two');
  expect(client.ended.has(3)).toBe(false);
  expect(client.replies).toHaveLength(4);
  client.send(3, '', true);
  await client.until(() => client.ended.has(1));
  expect([client.heard[1], client.heard[5]]).toEqual(['', '']);
});

test('API-R7: port-forward over SPDY alone; a port nobody serves and a handler that fails are reported on the error stream', async () => {
  const { client, head } = await onSocket(await served(echo));
  expect(head).toMatch(
    /^HTTP\/1\.1 101 [^]*upgrade: SPDY\/3\.1\r\n[^]*x-stream-protocol-version: portforward\.k8s\.io/i,
  );
  await client.forward(81, 0, [1, 3]);
  await client.until(() => client.ended.has(1) && client.ended.has(3));
  expect(client.heard[1]).toBe('error forwarding port 81 to pod: nobody listens on port 81');
  await client.forward(82, 1, [5, 7]);
  client.send(7, 'x'.repeat(100_000), true);
  await client.until(() => client.ended.has(5));
  expect(client.heard[7]).toMatch(/^82:x+$/);
  expect(client.heard[5]).toBe('error forwarding port 82 to pod: connection refused');
});

test('API-R7: whoever breaks SPDY is cut off, and headers that swell are not swallowed', async () => {
  const address = await served(echo);
  const broken: Record<string, Buffer> = {
    'another version': Buffer.from([0x80, 2, 0, 6, 0, 0, 0, 4, 0, 0, 0, 1]),
    'a frame without end': Buffer.from([0x80, 3, 0, 1, 0, 0xff, 0xff, 0xff]),
    'headers that are not deflated': control(1, Buffer.concat([numbers(1, 0), Buffer.alloc(2), Buffer.from('text')])),
    'a short control frame': control(1, numbers(1)),
    "a stream of the server's": control(
      1,
      Buffer.concat([numbers(2, 0), Buffer.alloc(2), await new HeaderWriter().write(new Map())]),
    ),
  };
  for (const [what, bytes] of Object.entries(broken)) {
    const { socket } = await onSocket(address);
    socket.write(bytes);
    await once(socket, 'close');
    expect(socket.destroyed, what).toBe(true);
  }
  const { createDeflate, constants } = await import('node:zlib');
  const swelling = createDeflate({ dictionary: headerDictionary, flush: constants.Z_SYNC_FLUSH });
  const parts: Buffer[] = [];
  swelling.on('data', (part: Buffer) => parts.push(part));
  await new Promise((resolve) => swelling.write(Buffer.alloc(10_000_000), resolve));
  await expect(new HeaderReader().read(Buffer.concat(parts))).rejects.toThrow('headers: more than 65536 bytes');
});

test('API-R7: without a handler a SPDY upgrade is answered as by a server that reaches no kubelet', async () => {
  const { head } = await asking(await served(undefined), `POST ${path} HTTP/1.1\r\nhost: x\r\n${spdyHeaders}\r\n`);
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
});
