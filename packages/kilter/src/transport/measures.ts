import type { Counter, Metrics } from '../telemetry/index.ts';

export interface Measures {
  /** Every attempt; the code is `<error>` where there was no answer. */
  readonly requests: Counter;
  readonly refused: Counter;
  readonly streamErrors: Counter;
}

const unmeasured: Counter = { inc: () => undefined };

export function measures(metrics: Metrics | undefined): Measures {
  const counter = (name: string, help: string): Counter => metrics?.counter(name, help) ?? unmeasured;
  return {
    requests: counter('rest_client_requests_total', 'Number of HTTP requests, by status code, method and host.'),
    refused: counter('kilter_guarded_writes_refused_total', 'Writes not sent because the lease may be lost.'),
    streamErrors: counter('kilter_stream_errors_total', 'Watch streams that broke, by reason.'),
  };
}
