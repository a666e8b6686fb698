// Clients that mean no good, or are gone: on sockets, where they can be.
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiServer, apiServer } from './index.ts';
import { configMap, paths, ServerUnderTest } from './server-under-test.test-support.ts';

let server: ApiServer;
let address: { readonly host: string; readonly port: number };

beforeAll(async () => {
  const users = { admin: { name: 'admin', groups: ['system:masters'] } };
  server = apiServer({ users, controllers: { gc: false, workloads: false } });
  address = await server.listen({ plain: true });
});
afterAll(() => server.close());

const head = (method: string, path: string, rest = ''): string =>
  `${method} ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer admin\r\ncontent-type: application/json\r\n${rest}\r\n`;

/** A connection with what it has received so far. */
function opened(): {
  socket: Socket;
  received: () => string;
  until: (text: string) => Promise<void>;
  closed: Promise<void>;
} {
  const socket = connect(address.port, address.host);
  let text = '';
  let tell = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
    tell();
  });
  // What goes on after the server has had enough breaks off: that is looked at by `closed`.
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  const until = (wanted: string): Promise<void> =>
    new Promise((resolve) => {
      tell = () => {
        if (text.includes(wanted)) resolve();
      };
      tell();
    });
  return { socket, received: () => text, until, closed };
}

const revision = (): number => server.registry.usage().revision;

describe('C-09: clients on sockets', () => {
  test('who hangs up in the middle of a body has written nothing, and others are served', async () => {
    const before = revision();
    const body = JSON.stringify(configMap('half'));
    const { socket, closed } = opened();
    socket.write(`${head('POST', paths.configMaps, `content-length: ${body.length}\r\n`)}${body.slice(0, -1)}`);
    socket.end();
    socket.destroy();
    await closed;
    const other = opened();
    other.socket.write(head('GET', `${paths.configMaps}/half`));
    await other.until('"code":404');
    other.socket.destroy();
    expect(revision()).toBe(before);
  });

  test('API-E8: a body without an end is refused once it is too long, and is not kept', async () => {
    const before = revision();
    const { socket, until, closed } = opened();
    socket.write(head('POST', paths.configMaps, 'transfer-encoding: chunked\r\n'));
    const part = `100000\r\n${' '.repeat(0x100000)}\r\n`;
    let sent = 0;
    const more = (): void => {
      while (!socket.destroyed && socket.writable) {
        sent += 1;
        if (!socket.write(part)) break;
      }
    };
    socket.on('drain', more);
    more();
    await until('HTTP/1.1 413 ');
    await closed;
    expect(sent).toBeLessThan(200);
    expect(revision()).toBe(before);
  });

  test('a watcher that never reads costs the others nothing', async () => {
    const { socket, until, closed } = opened();
    socket.write(head('GET', `${paths.configMaps}?watch=1`));
    await until('HTTP/1.1 200 ');
    socket.pause();
    const text = 'x'.repeat(200_000);
    const write = (name: string): Promise<unknown> =>
      server.handle({
        method: 'POST',
        path: paths.configMaps,
        headers: { authorization: 'Bearer admin', 'content-type': 'application/json' },
        body: Buffer.from(JSON.stringify(configMap(name, { data: { text } }))),
        signal: new AbortController().signal,
      });
    for (let at = 0; at < 40; at += 1) await write(`big-${at}`);
    expect(server.registry.usage().watches).toBe(1);
    socket.destroy();
    await closed;
    await expect.poll(() => server.registry.usage().watches).toBe(0);
  });
});

test('API-T6: a warning may hold any text: it goes out in UTF-8', async () => {
  const { socket, received, until } = opened();
  const ask = async (field: string): Promise<string> => {
    const body = Buffer.from(`{"metadata":{"name":"x"},"${field}":1}`);
    socket.write(head('POST', `${paths.configMaps}?dryRun=All`, `content-length: ${body.byteLength}\r\n`));
    const before = received().length;
    socket.write(body);
    await until('"kind":"ConfigMap"');
    await expect.poll(() => received().slice(before)).toContain('"kind":"ConfigMap"');
    return Buffer.from(received().slice(before), 'latin1').toString('utf8');
  };
  expect(await ask('naïve € 😀')).toContain(
    String.raw`Warning: 299 - "unknown field \"naïve € 😀\""`.replace('Warning', 'warning'),
  );
  socket.destroy();
});

describe('C-17: patterns that others wrote', () => {
  test('J-06: a pattern that would take exponential time refuses a value at once, in a schema and in a rule', async () => {
    await using api = new ServerUnderTest();
    const spec = {
      type: 'object',
      properties: {
        a: { type: 'string', pattern: '^(a+)+$' },
        b: { type: 'string', maxLength: 100, 'x-kubernetes-validations': [{ rule: "self.matches('^(a|aa)+$')" }] },
      },
    };
    await api.ok(`POST ${paths.definitions}`, {
      metadata: { name: 'evils.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Cluster',
        names: { plural: 'evils', kind: 'Evil' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec } } },
          },
        ],
      },
    });
    const { user } = process.threadCpuUsage();
    const evil = `${'a'.repeat(60)}!`;
    const create = (value: object) =>
      api.send('POST /apis/example.com/v1/evils', {
        apiVersion: 'example.com/v1',
        kind: 'Evil',
        metadata: { name: 'x' },
        spec: value,
      });
    expect((await create({ a: evil })).code).toBe(422);
    expect((await create({ b: evil })).code).toBe(422);
    expect(process.threadCpuUsage().user - user).toBeLessThan(1_000_000);
  });

  test.each([
    ['timeout', `${'1'.repeat(60)}..`],
    ['timeout', `${'1h'.repeat(30)}!`],
    ['labelSelector', `a in (${'b,'.repeat(3000)}`],
    ['fieldSelector', `metadata.name=${'\\\\,'.repeat(3000)}`],
    ['continue', 'A'.repeat(6000)],
  ])('%s=%.20s… is read in linear time', async (name, value) => {
    await using api = new ServerUnderTest();
    const { user } = process.threadCpuUsage();
    await api.send(`GET ${paths.configMaps}?${name}=${encodeURIComponent(value)}`);
    await api.send(`POST ${paths.configMaps}`, configMap('x'), { type: `application/json;${'a="b;";'.repeat(2000)}` });
    expect(process.threadCpuUsage().user - user).toBeLessThan(1_000_000);
  });
});
