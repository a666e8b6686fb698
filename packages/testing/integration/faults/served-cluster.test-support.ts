// An operator over real sockets: the embedded server behind TLS, a proxy in front of it, the transport as users have it.
import { apiServer, type ApiServer, type RecordedRequest } from '@kilter/apiserver';
import { createAuthority, issue } from 'kilter/certificates';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { type Connection, connectTo, inMemory, systemRuntime } from 'kilter/runtime';
import type { Client, Manager, Operator } from 'kilter';
import { httpsConnection, type HttpsConnectionOptions } from '../../../kilter/src/transport/index.ts';
import type { ConnectionConfig } from '../../../kilter/src/config/index.ts';
import { Thing } from '../thing.test-support.ts';
import { type FastRuntime, fastRuntime } from './fast-runtime.test-support.ts';

export type Authority = ReturnType<typeof createAuthority>;

const { clock } = systemRuntime;
const day = { now: clock.now(), days: 1 };

export const newAuthority = (name = 'cluster'): Authority => createAuthority({ name, ...day });

export function servingPair(authority: Authority): { cert: string; key: string } {
  const leaf = issue(authority, { name: 'apiserver', ipAddresses: ['127.0.0.1'], ...day, usage: 'server' });
  return { cert: leaf.certificate, key: leaf.key };
}

/** The server with Things installed, asked from inside by `client`, from outside by the operator under test. */
export class ServedCluster implements AsyncDisposable {
  readonly authority: Authority = newAuthority();
  readonly runtime: FastRuntime;
  readonly tokens: Record<string, { name: string; groups: string[] }> = {
    operator: { name: 'operator', groups: ['system:masters'] },
    user: { name: 'user', groups: ['system:masters'] },
  };
  /** What came from the operator, oldest first. */
  readonly requests: RecordedRequest[] = [];
  readonly api: ApiServer;
  /** Not over sockets: what is broken is the operator's way to the server. */
  readonly client: Client;
  readonly #closing: (() => Promise<unknown>)[] = [];

  private constructor(speed: number | undefined) {
    this.runtime = fastRuntime(speed);
    this.api = apiServer({
      runtime: this.runtime,
      users: this.tokens,
      onRequest: (request) => void (request.user === 'user' ? 0 : this.requests.push(request)),
    });
    this.client = connectTo(
      inMemory((request) => this.api.handle(request), { token: 'user' }),
      { runtime: this.runtime },
    );
  }

  static async start(options: { speed?: number } = {}): Promise<ServedCluster> {
    const cluster = new ServedCluster(options.speed);
    await cluster.client.create(Thing.manifest());
    await cluster.until(async () => {
      const crd = await cluster.client.get(CustomResourceDefinition, Thing.manifest().metadata.name);
      return crd.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') ?? false;
    });
    return cluster;
  }

  /** Starts an operator that reaches the server at this port; stopped at the end. */
  async operate(operator: Operator, port: number, config: Partial<ConnectionConfig> = {}): Promise<Manager> {
    const connection = this.connection(port, config);
    const manager = await operator.start({ connection, runtime: this.runtime, accessReview: false });
    this.#closing.unshift(() => manager.stop().catch(() => undefined));
    await manager.ready;
    return manager;
  }

  connection(port: number, config: Partial<ConnectionConfig> = {}, options: HttpsConnectionOptions = {}): Connection {
    const connection = httpsConnection(
      {
        server: `https://127.0.0.1:${port}`,
        namespace: 'default',
        ...(Object.keys(config).length === 0 ? { ca: this.authority.certificate, token: 'operator' } : config),
      },
      { runtime: this.runtime, ...options },
    );
    this.#closing.push(() => connection.close());
    return connection;
  }

  /** The lists among the operator's requests: those that are not a watch, name no object and do not only ask for a version (RF-31). */
  get lists(): string[] {
    return this.requests
      .filter(({ method, path }) => method === 'GET' && /\/(things|configmaps|secrets)(\?|$)/.test(path))
      .map(({ path }) => path)
      .filter((path) => !path.includes('watch=') && !path.includes('limit=1&'));
  }

  /** Reads of a whole state by watching: one per kind at the start, and no more unless something was lost. */
  get initialReads(): number {
    return this.watches.filter((query) => query.has('sendInitialEvents')).length;
  }

  get watches(): URLSearchParams[] {
    return this.requests
      .filter(({ path }) => path.includes('watch='))
      .map(({ path }) => new URL(path, 'https://server').searchParams);
  }

  /** Waits for what must come; how long it takes is not what is tested. */
  async until(holds: () => boolean | Promise<boolean>, what = 'what was expected'): Promise<void> {
    const deadline = clock.monotonic() + 20_000;
    while (!(await holds())) {
      if (clock.monotonic() > deadline) throw new Error(`waited 20 s in vain for ${what}`);
      await clock.sleep(10);
    }
  }

  /** Lets this much time of the operator pass. */
  pass(ms: number): Promise<void> {
    return this.runtime.clock.sleep(ms);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const close of this.#closing) await close();
    await this.api.close();
  }
}
