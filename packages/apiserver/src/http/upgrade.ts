// A request that asks to go on in another protocol: its socket is handed over where the answer says so, else it is answered as any other.
import type { Buffer } from 'node:buffer';
import { type IncomingMessage, ServerResponse as Http1Response, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { ServerResponse } from './message.ts';
import { defaultStalledMs, type Handle, requestOf, send } from './socket-exchange.ts';

// Of streams that stand still: both sides of kubectl send a ping every few seconds.
const silentMs = 600_000;

/** What may become a stream; other upgrades that clients offer (h2c) are theirs to do without. */
export const isStreamUpgrade = ({ headers }: IncomingMessage): boolean =>
  ['websocket', 'spdy/3.1'].includes((headers.upgrade ?? '').toLowerCase());

function switched({ headers, warnings }: ServerResponse): string {
  const lines = [
    ...Object.entries(headers)
      .filter(([name]) => name !== 'warning')
      .map(([name, value]) => `${name}: ${value}`),
    ...warnings.map((text) => `warning: ${text}`),
  ];
  return `HTTP/1.1 101 ${STATUS_CODES[101] ?? ''}\r\n${lines.join('\r\n')}\r\n\r\n`;
}

async function refuse(incoming: IncomingMessage, socket: Socket, response: ServerResponse): Promise<void> {
  const outgoing = new Http1Response(incoming);
  outgoing.shouldKeepAlive = false;
  outgoing.assignSocket(socket);
  outgoing.once('finish', () => socket.end());
  await send(outgoing, response, { signal: new AbortController().signal, stalledMs: defaultStalledMs });
}

/** One upgrade from its request to the end of the stream. */
export async function upgrade(
  handle: Handle,
  incoming: IncomingMessage,
  { socket, head }: { socket: Socket; head: Buffer },
): Promise<void> {
  const gone = new AbortController();
  socket.once('close', () => gone.abort());
  // Whoever reads or writes learns it; without a listener it would end the process.
  socket.on('error', () => gone.abort());
  try {
    const response = await handle({ ...requestOf(incoming, undefined, gone.signal), upgradable: true });
    if (response.takeOver === undefined) return await refuse(incoming, socket, response);
    socket.setTimeout(silentMs, () => socket.destroy());
    socket.write(switched(response));
    if (head.byteLength > 0) socket.unshift(head);
    await response.takeOver(socket);
  } catch (error) {
    socket.destroy(error instanceof Error ? error : undefined);
  }
}
