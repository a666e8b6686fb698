import type { ServerResponse } from 'node:http';
import type { Encoding } from './prepared.ts';
import type { TappedConnection } from './tapped-connection.ts';

/** One open watch, whatever HTTP it came by. */
export interface OpenWatch {
  readonly path: string;
  readonly encoding: Encoding;
  send(events: readonly Buffer[]): void;
}

export function overHttp2(connection: TappedConnection, stream: number): OpenWatch['send'] {
  return (events) => connection.send(stream, events);
}

/** Until it takes more, or is gone. */
export function drained(stream: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}

const lineEnd = Buffer.from('\r\n');

/** One chunk for each event, written past Node's response, which would take longer for it than a client. */
export function overHttp1(response: ServerResponse): OpenWatch['send'] {
  const waiting: Buffer[][] = [];
  let busy = false;
  const pump = async (): Promise<void> => {
    busy = true;
    for (let events = waiting.shift(); events !== undefined; events = waiting.shift()) {
      for (let at = 0; at < events.length; at += 64) {
        const { socket } = response;
        if (socket === null || socket.destroyed) return;
        const chunks = events
          .slice(at, at + 64)
          .flatMap((event) => [Buffer.from(`${event.length.toString(16)}\r\n`), event, lineEnd]);
        if (!socket.write(Buffer.concat(chunks))) await drained(socket);
      }
    }
    busy = false;
  };
  return (events) => {
    waiting.push([...events]);
    if (!busy) void pump();
  };
}
