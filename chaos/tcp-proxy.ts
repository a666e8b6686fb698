// A TCP proxy that breaks connections in the ways networks do.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/** `stalled`: accepts and carries nothing, as when the peer is gone without a word. */
type Mode = 'open' | 'refusing' | 'stalled';

interface Pair {
  readonly client: Socket;
  readonly server: Socket | undefined;
  stalled: boolean;
}

const ignore = (): void => undefined;
/** Takes what comes and answers nothing: a socket that is not read would not be seen to close either. */
const swallow = (socket: Socket): void => void socket.resume();

export class TcpProxy implements AsyncDisposable {
  readonly #listener: Server;
  readonly #pairs = new Set<Pair>();
  #mode: Mode = 'open';
  /** Where connections lead. */
  target: { readonly host: string; readonly port: number };
  /** Connection attempts, refused ones included. */
  attempts = 0;

  private constructor(target: { host: string; port: number }) {
    this.target = target;
    this.#listener = createServer((client) => this.#take(client));
  }

  static async before(target: { host: string; port: number }): Promise<TcpProxy> {
    const proxy = new TcpProxy(target);
    proxy.#listener.listen(0, '127.0.0.1');
    await once(proxy.#listener, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#listener.address() as AddressInfo).port;
  }

  get open(): number {
    return this.#pairs.size;
  }

  /** Connections that carry nothing and that the client still holds open. */
  get stalled(): number {
    return [...this.#pairs].filter(({ stalled }) => stalled).length;
  }

  /** Resets every connection and, until `heal`, every new one. */
  refuse(): void {
    this.#mode = 'refusing';
    this.cut();
  }

  /** Resets every connection; new ones are welcome. */
  cut(): void {
    for (const { client, server } of this.#pairs) {
      client.resetAndDestroy();
      server?.resetAndDestroy();
    }
  }

  /** From now on nothing passes, in either direction, on old connections and new ones; nothing is closed. */
  stall(): void {
    this.#mode = 'stalled';
    for (const pair of this.#pairs) {
      pair.client.unpipe();
      pair.server?.unpipe();
      pair.stalled = true;
      swallow(pair.client);
    }
  }

  /** New connections work again. Stalled ones stay as they are: their peer is gone for ever. */
  heal(): void {
    this.#mode = 'open';
  }

  #take(client: Socket): void {
    this.attempts += 1;
    client.on('error', ignore);
    if (this.#mode === 'refusing') {
      client.resetAndDestroy();
      return;
    }
    const server = this.#mode === 'open' ? connect(this.target) : undefined;
    const pair = { client, server, stalled: server === undefined };
    this.#pairs.add(pair);
    client.once('close', () => {
      this.#pairs.delete(pair);
      server?.destroy();
    });
    if (server === undefined) {
      swallow(client);
      return;
    }
    server.on('error', ignore).once('close', () => client.destroy());
    client.pipe(server).pipe(client);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#listener, 'close');
    this.#listener.close();
    for (const { client, server } of this.#pairs) {
      client.destroy();
      server?.destroy();
    }
    await closed;
  }
}
