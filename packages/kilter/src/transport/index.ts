// Bytes to and from a server: connections, retries with the gate before each attempt, the JSON line stream.
export { noObject, statusOf } from './answer-error.ts';
export type { Connection, ConnectionUsage, Departure, ExchangeRequest, ExchangeResponse, Session } from './exchange.ts';
export { httpsConnection, type HttpsConnectionOptions } from './https-connection.ts';
export { inMemory, type InMemoryHandler, type InMemoryOptions, type InMemoryRequest } from './in-memory.ts';
export { type ByteLines, webPageInstead } from './line-splitter.ts';
export type { PingTimes } from './ping-watchdog.ts';
export { transport, type TransportOptions } from './send.ts';
export type { RateLimit } from './token-bucket.ts';
export { tracedTransport } from './traced-transport.ts';
export type { ApiRequest, ApiResponse, BytesResponse, Gate, Transport } from './transport.ts';
