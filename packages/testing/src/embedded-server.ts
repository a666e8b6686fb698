import { KilterError } from 'kilter';
import { createAuthority, issue } from 'kilter/certificates';
import { type Connection, inMemory, type InMemoryRequest, type Runtime, systemRuntime } from 'kilter/runtime';
import { apiServer, type ApiServer, type ControllerOptions } from './apiserver/server.ts';
import { type RecordedRequest, RequestJournal } from './cluster/request-journal.ts';

export interface EmbeddedServerOptions {
  /** Time and chance. Default: the system's. */
  runtime?: Runtime | undefined;
  /** What runs beside the API. Default: everything; a test that writes such status by hand switches it off. */
  controllers?: ControllerOptions | undefined;
  /** Users by their bearer tokens, beside those that `connection` and `listen` make. Default: none. */
  users?: Readonly<Record<string, { readonly name: string; readonly groups: readonly string[] }>> | undefined;
  /** Called for every answered request. */
  onRequest?: ((request: RecordedRequest) => void) | undefined;
}

export interface ServedAddress {
  readonly url: string;
  /** The authority of its certificate, as PEM. */
  readonly ca: string;
  /** For kubectl: CA and token inside. */
  readonly kubeconfig: string;
  close(): Promise<void>;
}

/** The API server of this process, with ways to reach it from inside and outside. */
export interface EmbeddedServer extends AsyncDisposable {
  readonly api: ApiServer;
  /** The last requests, oldest first; bounded. */
  readonly requests: readonly RecordedRequest[];
  /** Set once an operator asked for more than can be meant without time passing: it wakes itself for ever. */
  readonly hotLoop: KilterError | undefined;
  /** A connection without sockets, as this user. */
  connection(user: string): Connection;
  /** Serves HTTPS on loopback with a certificate of its own. */
  listen(options?: { port?: number | undefined }): Promise<ServedAddress>;
  close(): Promise<void>;
}

/** Tokens are names with a secret part, so that a token says whose it is and nobody else can guess it. */
class Tokens {
  readonly #runtime: Runtime;
  readonly #byUser = new Map<string, string>();
  /** Grows with every user asked for; the server looks a token up at each request. */
  readonly table: Record<string, { name: string; groups: string[] }> = Object.create(null) as Record<string, never>;

  constructor(runtime: Runtime, users: EmbeddedServerOptions['users'] = {}) {
    this.#runtime = runtime;
    for (const [token, { name, groups }] of Object.entries(users)) {
      this.table[token] = { name, groups: [...groups, 'system:authenticated'] };
    }
  }

  of(user: string): string {
    const found = this.#byUser.get(user);
    if (found !== undefined) return found;
    const token = `${user}-${this.#runtime.uuid()}`;
    this.#byUser.set(user, token);
    this.table[token] = { name: user, groups: ['system:masters', 'system:authenticated'] };
    return token;
  }
}

function kubeconfigText(url: string, ca: string, token: string): string {
  const named = (name: string, key: string, value: object): object => ({ name, [key]: value });
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'kilter',
    clusters: [
      named('kilter', 'cluster', { server: url, 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
    ],
    users: [named('admin', 'user', { token })],
    contexts: [named('kilter', 'context', { cluster: 'kilter', user: 'admin', namespace: 'default' })],
  };
  // JSON is YAML, and needs no writer.
  return `${JSON.stringify(config, undefined, 2)}\n`;
}

// A reconciler at rest asks for nothing, a busy one for some hundred things; without time passing nobody needs so many.
const mostAtOnce = 10_000;

/**
 * On a virtual clock a controller that wakes itself for ever never lets time pass: the test would hang, and no time-out
 * could end it. Its requests fail instead, which makes the controller back off, and the test can say what happened.
 */
class HotLoopGuard {
  readonly #clock: Runtime['clock'];
  #at = -1;
  #count = 0;
  /** The first loop found; undefined while there is none. */
  found: KilterError | undefined;

  constructor(clock: Runtime['clock']) {
    this.#clock = clock;
  }

  check(method: string, path: string): void {
    const now = this.#clock.monotonic();
    this.#count = now === this.#at ? this.#count + 1 : 0;
    this.#at = now;
    if (this.#count < mostAtOnce) return;
    const message = `${mostAtOnce} requests without time passing; the last one: ${method} ${path}`;
    this.found ??= new KilterError('TESTING_HOT_LOOP', message);
    throw this.found;
  }
}

export function embeddedServer(options: EmbeddedServerOptions = {}): EmbeddedServer {
  const runtime = options.runtime ?? systemRuntime;
  const tokens = new Tokens(runtime, options.users);
  const journal = new RequestJournal();
  const onRequest = (request: RecordedRequest): void => {
    journal.add(request);
    options.onRequest?.(request);
  };
  const api = apiServer({
    clock: runtime.clock,
    random: () => runtime.random(),
    tokens: tokens.table,
    controllers: options.controllers,
    onRequest,
  });
  const guard = new HotLoopGuard(runtime.clock);
  const listen = async ({ port = 0 }: { port?: number | undefined } = {}): Promise<ServedAddress> => {
    const now = runtime.clock.now();
    const authority = createAuthority({ name: 'kilter-demo', now, days: 30 });
    const leaf = issue(authority, {
      name: 'localhost',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1'],
      now,
      days: 30,
      usage: 'server',
    });
    const served = await api.listen({ port, cert: leaf.certificate, key: leaf.key });
    return {
      url: served.url,
      ca: authority.certificate,
      kubeconfig: kubeconfigText(served.url, authority.certificate, tokens.of('admin')),
      close: () => served.close(),
    };
  };
  const close = (): Promise<void> => api.close();
  return {
    api,
    requests: journal.requests,
    connection: (user) => {
      const handle = async (request: InMemoryRequest): ReturnType<typeof api.handle> => {
        guard.check(request.method, request.path);
        return api.handle(request);
      };
      return inMemory(handle, { token: tokens.of(user) });
    },
    get hotLoop() {
      return guard.found;
    },
    listen,
    close,
    [Symbol.asyncDispose]: close,
  };
}
