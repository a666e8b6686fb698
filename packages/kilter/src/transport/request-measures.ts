import { buckets, type LabelValues, type Metrics } from '../telemetry/index.ts';
import type { ApiRequest } from './transport.ts';

type Verb = ApiRequest['method'];

/** What client-go measures of each request where it is asked to, under its names. */
export interface RequestMeasures {
  /** Over all attempts and waits, in milliseconds. Never of a stream, which ends when its reader wants. */
  took(verb: Verb, ms: number): void;
  /** For a turn of the rate limit, in milliseconds. */
  waited(verb: Verb, ms: number): void;
  /** The body of one attempt, in bytes. */
  sent(verb: Verb, bytes: number): void;
  /** The body of one answer that was read as a whole, in bytes, decompressed. */
  received(verb: Verb, bytes: number): void;
  /** An attempt after the first, and what became of it. */
  retried(verb: Verb, code: string): void;
  /** A name that was looked up for a connection, in milliseconds. */
  lookedUp(host: string, ms: number): void;
}

export function requestMeasures(metrics: Metrics, host: string): RequestMeasures {
  const seconds = (name: string, help: string) => metrics.histogram(name, help, buckets.requests);
  const bytes = (name: string, help: string) => metrics.histogram(name, help, buckets.sizes);
  // Made once: frozen labels are rendered once.
  const of = (verb: Verb): LabelValues => Object.freeze({ verb, host });
  const labels: Readonly<Record<Verb, LabelValues>> = {
    GET: of('GET'),
    POST: of('POST'),
    PUT: of('PUT'),
    PATCH: of('PATCH'),
    DELETE: of('DELETE'),
  };
  const duration = seconds(
    'rest_client_request_duration_seconds',
    'Duration of requests over all attempts, by verb and host.',
  );
  const limited = seconds(
    'rest_client_rate_limiter_duration_seconds',
    'Time requests waited for their turn in the rate limit, by verb and host.',
  );
  const lookups = seconds('rest_client_dns_resolution_duration_seconds', 'Time to resolve a host name.');
  const sent = bytes('rest_client_request_size_bytes', 'Size of the bodies of requests, by verb and host.');
  const received = bytes('rest_client_response_size_bytes', 'Size of the bodies of answers, by verb and host.');
  const retries = metrics.counter(
    'rest_client_request_retries_total',
    'Attempts of requests after the first, by status code, verb and host.',
  );
  return {
    took: (verb, ms) => duration.observe(ms / 1000, labels[verb]),
    waited: (verb, ms) => limited.observe(ms / 1000, labels[verb]),
    sent: (verb, size) => sent.observe(size, labels[verb]),
    received: (verb, size) => received.observe(size, labels[verb]),
    retried: (verb, code) => retries.inc({ code, verb, host }),
    lookedUp: (name, ms) => lookups.observe(ms / 1000, { host: name }),
  };
}
