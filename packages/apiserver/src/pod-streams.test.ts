import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { apiServer } from './api-server.ts';
import type { ApiServerOptions, ServedAddress } from './server-interface.ts';

const encoded = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text) as Uint8Array<ArrayBuffer>;
const decoded = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

async function textOf(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += decoded(chunk);
  return text;
}

/** A server on a socket with one Pod that nobody runs. */
async function withPod(options: ApiServerOptions): Promise<ServedAddress> {
  const server = apiServer({ ...options, controllers: { workloads: false } });
  onTestFinished(() => server.close());
  const address = await server.listen({ plain: true });
  const containers = ['c', 'd'].map((name) => ({ name, image: 'i' }));
  const answer = await fetch(`${address.url}/api/v1/namespaces/default/pods`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p' }, spec: { containers } }),
  });
  expect(answer.status).toBe(201);
  return address;
}

interface Talk {
  readonly socket: WebSocket;
  /** What came on each channel, as one text. */
  readonly heard: Record<number, string>;
  readonly closed: Promise<unknown>;
}

async function talkTo({ url }: ServedAddress, path: string, protocol = 'v5.channel.k8s.io'): Promise<Talk> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/namespaces/default/pods/p/${path}`, protocol);
  socket.binaryType = 'arraybuffer';
  const heard: Record<number, string> = {};
  socket.addEventListener('message', ({ data }) => {
    const bytes = new Uint8Array(data as ArrayBuffer);
    const channel = bytes[0] ?? -1;
    heard[channel] = `${heard[channel] ?? ''}${decoded(bytes.subarray(1))}`;
  });
  const closed = once(socket, 'close');
  await once(socket, 'open');
  expect(socket.protocol).toBe(protocol);
  return { socket, heard, closed };
}

const message = (channel: number, text: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array([channel, ...encoded(text)]) as Uint8Array<ArrayBuffer>;

const statusIn = (talk: Talk): unknown => JSON.parse(talk.heard[3] ?? 'null');

test('API-R7: exec runs what the handler has for the command, with its streams, terminal and exit code', async () => {
  const asked: unknown[] = [];
  const address = await withPod({
    podExec: ({ signal: _, ...request }) => {
      asked.push(request);
      return async ({ stdin, stdout, stderr, sizes }) => {
        for await (const size of sizes) {
          await stderr(JSON.stringify(size));
          break;
        }
        await stdout((await textOf(stdin)).toUpperCase());
        return 3;
      };
    },
  });
  const talk = await talkTo(
    address,
    'exec?container=c&command=tr&command=a b&stdin=true&stdout=true&stderr=true&tty=true',
  );
  talk.socket.send(message(4, '{"Width":80,"Height":24}\n'));
  for (const text of ['one ', 'two']) talk.socket.send(message(0, text));
  talk.socket.send(Uint8Array.of(255, 0));
  await talk.closed;
  expect(asked).toEqual([{ namespace: 'default', pod: 'p', container: 'c', tty: true, command: ['tr', 'a b'] }]);
  expect(talk.heard[1]).toBe('ONE TWO');
  expect(talk.heard[2]).toBe('{"width":80,"height":24}');
  expect(statusIn(talk)).toMatchObject({
    status: 'Failure',
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: '3' }] },
  });
});

test('API-R7: a program that ends well says so, one that throws is reported, and streams nobody asked for carry nothing', async () => {
  const address = await withPod({
    podExec: ({ command: [name] }) =>
      name === 'fail'
        ? () => Promise.reject(new Error('no such program'))
        : async ({ stdin, stdout, stderr }) => {
            await stdout(`${await textOf(stdin)}out`);
            await stderr('err');
          },
  });
  const well = await talkTo(address, 'exec?container=c&command=x&stdout=true', 'v4.channel.k8s.io');
  await well.closed;
  expect([well.heard[1], well.heard[2], statusIn(well)]).toEqual([
    'out',
    undefined,
    { metadata: {}, status: 'Success' },
  ]);
  const failed = await talkTo(address, 'exec?container=c&command=fail&stdout=true');
  await failed.closed;
  expect(statusIn(failed)).toMatchObject({
    reason: 'InternalError',
    message: 'Internal error occurred: no such program',
  });
});

test('API-R7: attach reaches its own handler; large output arrives whole and in order', async () => {
  const large = Array.from({ length: 50_000 }, (_, index) => `${index}\n`).join('');
  const address = await withPod({
    podAttach:
      () =>
      ({ stdout }) =>
        stdout(large),
  });
  const talk = await talkTo(address, 'attach?container=d&stdout=true');
  await talk.closed;
  expect(talk.heard[1]).toBe(large);
});

test('API-R7: a client that goes away ends the input and the signal of the program', async () => {
  const ended = Promise.withResolvers<string>();
  const address = await withPod({
    podAttach:
      ({ signal }) =>
      async ({ stdin }) => {
        const input = await textOf(stdin);
        if (!signal.aborted) await once(signal, 'abort');
        ended.resolve(input);
      },
  });
  const talk = await talkTo(address, 'attach?container=c&stdin=true');
  talk.socket.send(message(0, 'half'));
  talk.socket.close();
  expect(await ended.promise).toBe('half');
});

test('API-R7: ports are served by the handler, each on channels of its own that begin with its number', async () => {
  const address = await withPod({
    podForward: ({ port }) =>
      port === 81
        ? () => Promise.reject(new Error('connection refused'))
        : async ({ received, send }) => {
            for await (const chunk of received) {
              await send(`${port}:${decoded(chunk)}`);
              if (decoded(chunk) === 'bye') return;
            }
          },
  });
  const talk = await talkTo(address, 'portforward?ports=80&ports=81', 'v4.channel.k8s.io');
  talk.socket.send(message(0, 'bye'));
  await talk.closed;
  expect(talk.heard).toEqual({ 0: 'P\0' + '80:bye', 1: 'P\0', 2: 'Q\0', 3: 'Q\0connection refused' });
});

test('API-R7: without a handler, or without an upgrade, the answers are those of a server that reaches no kubelet', async () => {
  const address = await withPod({
    podExec: ({ container }) => (container === 'd' ? undefined : () => Promise.resolve()),
  });
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<[number, string]> => {
    const answer = await fetch(`${address.url}/api/v1/namespaces/default/pods/p/${path}`, { headers });
    return [answer.status, ((await answer.json()) as { message: string }).message];
  };
  expect(await ask('exec?container=c')).toEqual([400, 'Upgrade request required']);
  expect(await ask('exec?container=d')).toEqual([400, 'pod p does not have a host assigned']);
  expect(await ask('attach?container=c')).toEqual([400, 'pod p does not have a host assigned']);
  expect(await ask('exec?container=x')).toEqual([400, 'container x is not valid for pod p']);
  expect(await ask('portforward?ports=80')).toEqual([400, 'pod p does not have a host assigned']);
});

test('API-R7: an upgrade that is refused gets the Status, and a client that breaks the protocol is closed', async () => {
  const address = await withPod({
    podAttach:
      () =>
      async ({ stdin }) =>
        void (await textOf(stdin)),
  });
  const { connect } = await import('node:net');
  const say = async (path: string, more: string, after?: Uint8Array): Promise<string> => {
    const socket = connect(address.port, address.host);
    socket.write(
      `GET /api/v1/namespaces/default/pods/p/${path} HTTP/1.1\r\nhost: x\r\nconnection: keep-alive, Upgrade\r\n` +
        `upgrade: WebSocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n${more}\r\n`,
    );
    if (after !== undefined) socket.write(after);
    let heard = '';
    for await (const chunk of socket as AsyncIterable<Buffer>) heard += chunk.toString('latin1');
    return heard;
  };
  const foreign = await say('attach?container=c&stdin=true', 'sec-websocket-protocol: channel.k8s.io\r\n');
  expect(foreign).toMatch(/^HTTP\/1\.1 400 [^]*"reason":"BadRequest"/);
  expect(await say('attach?container=nope', '')).toMatch(/^HTTP\/1\.1 400 [^]*container nope is not valid for pod p/);
  const protocol = 'sec-websocket-protocol: v5.channel.k8s.io\r\n';
  const unmasked = await say('attach?container=c&stdin=true', protocol, Uint8Array.of(0x82, 1, 0));
  // The key and its answer are those of RFC 6455.
  expect(unmasked).toMatch(/^HTTP\/1\.1 101 [^]*sec-websocket-accept: s3pPLMBiTxaQ9kYGzzhZRbK\+xOo=/i);
  expect(unmasked).toContain('\x03\xeaa client masks its frames');
  const tooLarge = await say(
    'attach?container=c&stdin=true',
    protocol,
    Uint8Array.of(0x82, 0xff, 0, 0, 0, 1, 0, 0, 0, 0),
  );
  expect(tooLarge).toContain('\x03\xf1');
});
