import { connect, createServer, type Server, type Socket } from 'node:net';

/** One address in front of several ports of this machine: what a Service is in a cluster. */
export class LoopbackDoor {
  readonly #server: Server;
  readonly #ports: number[] = [];
  readonly #sockets = new Set<Socket>();
  #turn = 0;

  private constructor() {
    this.#server = createServer((socket) => this.#pass(socket, this.#ports.length));
  }

  static async open(): Promise<LoopbackDoor> {
    const door = new LoopbackDoor();
    await new Promise<void>((resolve, reject) => {
      door.#server.once('error', reject);
      door.#server.listen(0, '127.0.0.1', resolve);
    });
    return door;
  }

  get url(): string {
    const address = this.#server.address();
    return `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
  }

  /** One more port behind it. What does not answer is passed over, so that none has to be taken out. */
  add(port: number): void {
    this.#ports.push(port);
  }

  close(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(incoming: Socket, tries: number): void {
    this.#sockets.add(incoming);
    incoming.on('error', () => incoming.destroy()).once('close', () => this.#sockets.delete(incoming));
    const port = this.#ports[this.#turn % this.#ports.length];
    this.#turn += 1;
    if (tries <= 0 || port === undefined) {
      incoming.destroy();
      return;
    }
    const onward = connect(port, '127.0.0.1');
    onward.once('error', () => this.#pass(incoming, tries - 1));
    onward.once('connect', () => {
      onward.removeAllListeners('error').on('error', () => incoming.destroy());
      incoming.once('close', () => onward.destroy());
      incoming.pipe(onward).pipe(incoming);
    });
  }
}
