// Webhooks as data: an HTTPS server on loopback that answers as the case says and remembers what it was asked.
import { createServer, type Server as HttpsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createAuthority, issue } from 'kilter/certificates';
import type { Answer, HookScript, Json } from './case.ts';
import { parsedOrText } from './exact-json.ts';
import { bytesOf } from './template.ts';

interface Certified {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

function certify(): Certified {
  const now = Date.now();
  const authority = createAuthority({ name: 'conformance-hooks', now, days: 2 });
  const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const leaf = issue(authority, { name: 'localhost', ...names, now, days: 2, usage: 'server' });
  return { ca: authority.certificate, cert: leaf.certificate, key: leaf.key };
}

let certified: Certified | undefined;

type Review = { request?: { uid?: string; desiredAPIVersion?: string; objects?: Record<string, Json>[] } };

function merged(base: Json, patch: Json): Json {
  if (typeof base !== 'object' || base === null || typeof patch !== 'object' || patch === null) return patch;
  const fields = Object.entries(patch).map(([key, value]) => [
    key,
    merged((base as Record<string, Json>)[key] ?? null, value),
  ]);
  return { ...base, ...Object.fromEntries(fields) } as Json;
}

function converted({ request = {} }: Review, merge: Json): Json {
  const { uid = '', desiredAPIVersion = '', objects = [] } = request;
  const convertedObjects = objects.map((object) => merged({ ...object, apiVersion: desiredAPIVersion }, merge));
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'ConversionReview',
    response: { uid, result: { status: 'Success' }, convertedObjects },
  };
}

function responseTo(script: HookScript, review: Json): Buffer {
  const asked = (typeof review === 'object' && review !== null ? review : {}) as Review;
  if (script.convert !== undefined) return Buffer.from(JSON.stringify(converted(asked, script.convert.merge ?? {})));
  const uid = asked.request?.uid ?? '';
  return script.respond === undefined
    ? Buffer.alloc(0)
    : bytesOf(script.respond, (text) => text.replaceAll('{{uid}}', uid));
}

export class Hooks implements AsyncDisposable {
  readonly #server: HttpsServer;
  readonly #log: { readonly hook: string; readonly path: string; readonly body: Json }[] = [];

  /** Every connection not closed yet, those still shaking hands among them, which closeAllConnections leaves open. */
  readonly #sockets = new Set<Socket>();

  private constructor(server: HttpsServer) {
    this.#server = server;
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
  }

  static async start(scripts: Readonly<Record<string, HookScript>>): Promise<Hooks> {
    certified ??= certify();
    const server = createServer({ cert: certified.cert, key: certified.key });
    const hooks = new Hooks(server);
    // Longer than a server keeps an idle connection: else a call may meet one that is being closed here.
    server.keepAliveTimeout = 120_000;
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.once('end', () => {
        const [, hook = ''] = new URL(request.url ?? '/', 'https://localhost').pathname.split('/');
        const body = parsedOrText(Buffer.concat(chunks).toString());
        hooks.#log.push({ hook, path: request.url ?? '', body });
        const script = scripts[hook] ?? { status: 404 };
        const answer = (): void => {
          const headers = Object.entries(script.headers ?? {}).map(([name, value]): [string, string] => [
            name,
            value.replaceAll('{{hooks}}', hooks.names.hooks),
          ]);
          response.writeHead(script.status ?? 200, {
            'content-type': 'application/json',
            ...Object.fromEntries(headers),
          });
          response.write(' '.repeat(script.padding ?? 0));
          response.end(responseTo(script, body));
        };
        if (script.delayMs === undefined) answer();
        else setTimeout(answer, script.delayMs).unref();
      });
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    return hooks;
  }

  get names(): { readonly hooks: string; readonly hooksCA: string } {
    const { port } = this.#server.address() as AddressInfo;
    return { hooks: `https://127.0.0.1:${port}`, hooksCA: Buffer.from(certified?.ca ?? '').toString('base64') };
  }

  asked(hook: string): Answer {
    return { requests: this.#log.filter((entry) => entry.hook === hook).map(({ path, body }) => ({ path, body })) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = new Promise((done) => this.#server.close(done));
    // A server keeps an idle connection for 90 s.
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
