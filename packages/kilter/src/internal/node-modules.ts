/**
 * `node:http` without its import: as a module it evaluates every export, the bundled WebSocket among them, which costs
 * 35 ms and 16 MiB in every process that only ever opens HTTP/2 connections. Taken this way it costs a tenth.
 */
export const http: typeof import('node:http') = process.getBuiltinModule('node:http');

// The others by their first use: together they cost 20 ms and 10 MiB, which a test on a server in memory never needs.
export const http2 = (): typeof import('node:http2') => process.getBuiltinModule('node:http2');
export const https = (): typeof import('node:https') => process.getBuiltinModule('node:https');
export const tls = (): typeof import('node:tls') => process.getBuiltinModule('node:tls');
