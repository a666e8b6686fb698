// An HTTP proxy that understands CONNECT and knows the way to names that exist nowhere else.
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

const ignore = (): void => undefined;

export class ConnectProxy implements AsyncDisposable {
  readonly #server: Server = createServer();
  readonly #sockets = new Set<Socket>();
  /** `host:port` of every tunnel asked for. */
  readonly asked: string[] = [];

  private constructor(hosts: Readonly<Record<string, { host: string; port: number }>>) {
    this.#server.on('connect', (request, client: Socket) => {
      this.asked.push(request.url ?? '');
      const target = hosts[request.url ?? ''];
      if (target === undefined) {
        client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
        return;
      }
      const server = connect(target, () => {
        client.write('HTTP/1.1 200 Connection established\r\n\r\n');
        client.pipe(server).pipe(client);
      });
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', ignore).once('close', () => this.#sockets.delete(socket));
      }
    });
  }

  static async to(hosts: Readonly<Record<string, { host: string; port: number }>>): Promise<ConnectProxy> {
    const proxy = new ConnectProxy(hosts);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}
