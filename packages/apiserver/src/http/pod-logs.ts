// Logs of Pods, by whoever stands in for their kubelet.
import { Buffer } from 'node:buffer';
import { type ServerResponse, textResponse } from './message.ts';

/** A request for a log. */
export interface PodLogRequest {
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  /** The stream goes on while the container runs. */
  readonly follow: boolean;
  /** The log of the container before its last restart. */
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly sinceSeconds: number | undefined;
  readonly limitBytes: number | undefined;
  /** Aborted when the client goes away. */
  readonly signal: AbortSignal;
}

/** Returns the log, whole or as it is written; undefined: answer like a server that reaches no kubelet. */
export type PodLogs = (request: PodLogRequest) => string | AsyncIterable<string | Uint8Array> | undefined;

const numberIn = (query: URLSearchParams, name: string): number | undefined =>
  query.has(name) ? Number(query.get(name)) : undefined;
const isSet = (query: URLSearchParams, name: string): boolean => ['', '1', 'true'].includes(query.get(name) ?? 'false');

export type LogPlace = Pick<PodLogRequest, 'namespace' | 'pod' | 'container' | 'signal'>;

export const logRequest = (query: URLSearchParams, place: LogPlace): PodLogRequest => ({
  ...place,
  follow: isSet(query, 'follow'),
  previous: isSet(query, 'previous'),
  timestamps: isSet(query, 'timestamps'),
  tailLines: numberIn(query, 'tailLines'),
  sinceSeconds: numberIn(query, 'sinceSeconds'),
  limitBytes: numberIn(query, 'limitBytes'),
});

async function* bytesOf(log: AsyncIterable<string | Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const chunk of log) {
    if (signal.aborted) return;
    yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
  }
}

export function logResponse(log: string | AsyncIterable<string | Uint8Array>, signal: AbortSignal): ServerResponse {
  const headers = { 'content-type': 'text/plain' };
  if (typeof log === 'string') return textResponse(log, { status: 200, headers });
  const { whole: _, ...open } = textResponse('', { status: 200, headers });
  return { ...open, body: bytesOf(log, signal) };
}
