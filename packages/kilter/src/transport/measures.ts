import type { Counter, Metrics } from '../telemetry/index.ts';
import type { Connection } from './exchange.ts';

export interface Measures {
  /** Every attempt; the code is `<error>` where there was no answer. */
  readonly requests: Counter;
  readonly refused: Counter;
  readonly streamErrors: Counter;
}

const unmeasured: Counter = { inc: () => undefined };

export function measures(metrics: Metrics | undefined, connection: Connection): Measures {
  const counter = (name: string, help: string): Counter => metrics?.counter(name, help) ?? unmeasured;
  const { host } = connection;
  if (connection.usage !== undefined) {
    metrics?.observed('kilter_connections', 'Open connections, by session, protocol and host.', () =>
      (connection.usage?.() ?? []).map(({ session, protocol, connections }) => [
        { session, protocol, host },
        connections,
      ]),
    );
  }
  return {
    // client-go's, as controller-runtime registers it.
    requests: counter(
      'rest_client_requests_total',
      'Number of HTTP requests, partitioned by status code, method, and host.',
    ),
    refused: counter('kilter_guarded_writes_refused_total', 'Writes not sent because the lease may be lost.'),
    streamErrors: counter('kilter_stream_errors_total', 'Watch streams that broke, by reason.'),
  };
}
