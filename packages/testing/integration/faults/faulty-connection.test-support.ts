// A connection in memory with faults on the way: answers that come late, answers that are failures.
import { Buffer } from 'node:buffer';
import type { Connection } from 'kilter/runtime';

export type ExchangeRequest = Parameters<Connection['exchange']>[0];
export type ExchangeResponse = Awaited<ReturnType<Connection['exchange']>>;

/** What happens to one exchange; `pass` carries it out. */
export type Fault = (request: ExchangeRequest, pass: () => Promise<ExchangeResponse>) => Promise<ExchangeResponse>;

export function faulty(connection: Connection, fault: Fault): Connection {
  return {
    ...connection,
    namespace: connection.namespace,
    host: connection.host,
    exchange: (request) => fault(request, () => connection.exchange(request)),
    close: () => connection.close(),
  };
}

/** The answer of a server that fails, as kube-apiserver words it. */
export function failure(code: number, headers: Record<string, string> = {}): ExchangeResponse {
  const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, message: 'injected' };
  const bytes = Buffer.from(JSON.stringify(status));
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytes);
  }
  return { status: code, headers: { 'content-type': 'application/json', ...headers }, body: body() };
}
