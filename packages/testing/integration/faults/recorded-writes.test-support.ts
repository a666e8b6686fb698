// A connection that remembers what was written through it, and whether the server took it.
import type { Connection } from 'kilter/runtime';
import { withExchange } from '../../src/cluster/index.ts';

export interface RecordedWrite {
  /** Who wrote it: the name its connection was given. */
  readonly by: string;
  readonly method: string;
  /** Without its query. */
  readonly path: string;
  readonly status: number;
  readonly body: unknown;
}

/** In the order of the answers. */
export function recordingWrites(connection: Connection, by: string, writes: RecordedWrite[]): Connection {
  return withExchange(connection, async (request) => {
    const response = await connection.exchange(request);
    const { method } = request;
    const path = request.path.split('?')[0] ?? '';
    if (method !== 'GET' && !path.endsWith('reviews')) {
      const text = request.body === undefined ? '' : new TextDecoder().decode(request.body);
      writes.push({ by, method, path, status: response.status, body: text === '' ? undefined : JSON.parse(text) });
    }
    return response;
  });
}
