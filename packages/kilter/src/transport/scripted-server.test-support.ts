// Test support: a transport to a server that answers from a script, on a virtual clock.
import { type VirtualClock, virtualRuntime } from '../internal/index.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import type { Connection, ExchangeResponse } from './exchange.ts';
import { inMemory, type InMemoryRequest } from './in-memory.ts';
import { transport } from './send.ts';
import type { RateLimit } from './token-bucket.ts';
import type { ApiRequest, Gate, Transport } from './transport.ts';

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

export async function* chunks(...parts: readonly (string | Uint8Array | Error)[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part;
    yield typeof part === 'string' ? bytes(part) : part;
  }
}

export const ok = (...parts: readonly (string | Uint8Array | Error)[]): ExchangeResponse => ({
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: chunks(...parts),
});
export const refusal = (status: number, headers: Record<string, string> = {}, reason = ''): ExchangeResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: chunks(JSON.stringify({ kind: 'Status', code: status, reason, message: `said ${status}` })),
});
export const reset = (): Error => Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
export const never: Promise<never> = new Promise<never>(() => undefined);

export type Answer = (request: InMemoryRequest) => ExchangeResponse | Promise<ExchangeResponse>;

export interface World {
  readonly clock: VirtualClock;
  readonly transport: Transport;
  readonly seen: { readonly at: number; readonly request: InMemoryRequest }[];
  readonly logged: string[];
  readonly metric: (line: string) => string | undefined;
  /** All of them, as text. */
  readonly metrics: () => string;
}

/** A transport to a server that gives these answers in turn, the last one again and again. */
export function world(
  answers: readonly Answer[],
  options: {
    gate?: Gate;
    renew?: () => Promise<boolean>;
    deadline?: number;
    rateLimit?: RateLimit;
    requestMetrics?: boolean;
  } = {},
): World {
  const runtime = virtualRuntime();
  const seen: World['seen'] = [];
  const logged: string[] = [];
  const metrics = new MetricsRegistry();
  const handle = async (request: InMemoryRequest): Promise<ExchangeResponse> => {
    seen.push({ at: runtime.clock.monotonic(), request });
    const answer = answers[Math.min(seen.length, answers.length) - 1] as Answer;
    return answer(request);
  };
  const connection: Connection = {
    ...inMemory(handle, { token: 'canary-token' }),
    ...(options.renew !== undefined && { renewCredentials: options.renew }),
  };
  return {
    clock: runtime.clock,
    seen,
    logged,
    transport: transport(connection, {
      runtime,
      metrics,
      logger: jsonLogger({ write: (line) => logged.push(line), now: () => 0, level: 'debug' }),
      userAgent: 'test/1',
      gate: options.gate,
      deadline: options.deadline,
      rateLimit: options.rateLimit,
      requestMetrics: options.requestMetrics,
    }),
    metrics: () => metrics.text(),
    metric: (line) =>
      metrics
        .text()
        .split('\n')
        .find((found) => found.startsWith(line)),
  };
}

export const get: ApiRequest = { method: 'GET', path: '/api/v1/pods' };
export const post: ApiRequest = { method: 'POST', path: '/api/v1/pods', body: '{}' };

/** How a promise stands: undefined while it is pending. */
export function watchOutcome<T>(promise: Promise<T>): { value?: T; error?: unknown; settled: boolean } {
  const outcome: { value?: T; error?: unknown; settled: boolean } = { settled: false };
  promise.then(
    (value) => Object.assign(outcome, { value, settled: true }),
    (error: unknown) => Object.assign(outcome, { error, settled: true }),
  );
  return outcome;
}

export async function collect(lines: AsyncIterable<string>, into: string[] = []): Promise<string[]> {
  for await (const line of lines) into.push(line);
  return into;
}
