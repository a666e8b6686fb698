import type { Counter, LabelValues, Metrics } from '../telemetry/index.ts';
import type { Connection } from './exchange.ts';

export interface Measures {
  /** Counts an attempt; the code is `<error>` where there was no answer. */
  attempted(code: string, method: string): void;
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
  const refused = counter('kilter_guarded_writes_refused_total', 'Writes not sent because the Lease may be lost.');
  // There before the first time, so that a rate over it is right from the start.
  refused.inc({}, 0);
  // client-go's, as controller-runtime registers it.
  const requests = counter(
    'rest_client_requests_total',
    'Number of HTTP requests, partitioned by status code, method, and host.',
  );
  /** By code and method, of which there are few: frozen labels are rendered once, and not for every request. */
  const labels = new Map<string, LabelValues>();
  return {
    attempted: (code, method) => {
      const name = `${code} ${method}`;
      const known = labels.get(name) ?? Object.freeze({ code, method, host });
      labels.set(name, known);
      requests.inc(known);
    },
    refused,
    streamErrors: counter('kilter_stream_errors_total', 'Watch streams that broke, by reason.'),
  };
}
