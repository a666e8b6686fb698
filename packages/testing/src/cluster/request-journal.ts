import type { RequestJournal } from '@kilter/apiserver';
import type { Connection } from 'kilter/runtime';
import { withExchange } from './with-exchange.ts';

export { type RecordedRequest, RequestJournal } from '@kilter/apiserver';

const decoder = new TextDecoder();

/** The same connection; each request that is answered goes into the journal, in the order of the answers. */
export function recorded(connection: Connection, journal: RequestJournal, user: string): Connection {
  return withExchange(connection, async (request) => {
    const response = await connection.exchange(request);
    const { method, path, headers, body } = request;
    journal.add({
      method,
      path,
      status: response.status,
      user,
      userAgent: headers['user-agent'] ?? '',
      ...(body !== undefined && { body: decoder.decode(body) }),
    });
    return response;
  });
}
