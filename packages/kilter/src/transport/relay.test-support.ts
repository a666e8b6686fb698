// Test support: a relay between client and server that can swallow what it carries, as a network does whose peer is gone.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay extends AsyncDisposable {
  readonly port: number;
  /** From now on what is open carries nothing, in neither direction, and nobody is told. */
  swallow(): void;
  /** Connections ever made through it. */
  readonly connections: number;
}

export async function relayTo(port: number): Promise<Relay> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let connections = 0;
  const server = createServer((near) => {
    const far = connect({ port, host: '127.0.0.1' });
    const pair = [near, far] as const;
    connections += 1;
    pairs.add(pair);
    for (const [one, other] of [pair, [far, near] as const]) {
      one.on('error', () => undefined);
      one.on('data', (chunk) => void (other.destroyed || other.write(chunk)));
      one.once('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    swallow: () => {
      for (const socket of [...pairs].flat()) {
        socket.removeAllListeners('data');
        socket.removeAllListeners('close');
        socket.resume();
      }
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of [...pairs].flat()) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
