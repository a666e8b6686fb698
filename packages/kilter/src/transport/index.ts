// Bytes to and from a server: connections, retries with the gate before each attempt, the JSON line stream.
export type { Connection, ExchangeRequest, ExchangeResponse, Session } from './exchange.ts';
export type { ApiRequest, ApiResponse, Gate, Transport } from './transport.ts';
