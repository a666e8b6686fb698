import type { Connection } from 'kilter/runtime';

/** A connection as it is, but for what becomes of a request. */
export function withExchange(connection: Connection, exchange: Connection['exchange']): Connection {
  const { namespace, host } = connection;
  const renewCredentials = connection.renewCredentials?.bind(connection);
  const usage = connection.usage?.bind(connection);
  return {
    namespace,
    host,
    exchange,
    close: () => connection.close(),
    ...(renewCredentials !== undefined && { renewCredentials }),
    ...(usage !== undefined && { usage }),
  };
}
