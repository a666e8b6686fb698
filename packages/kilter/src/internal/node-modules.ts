import type * as NodeHttp from 'node:http';
import type * as NodeHttp2 from 'node:http2';
import type * as NodeHttps from 'node:https';
import type * as NodeTls from 'node:tls';

/**
 * `node:http` without its import: as a module it evaluates every export, the bundled WebSocket among them, which costs
 * 35 ms and 16 MiB in every process that only ever opens HTTP/2 connections. Taken this way it costs a tenth.
 */
export const http: typeof NodeHttp = process.getBuiltinModule('node:http');

// The others by their first use: together they cost 20 ms and 10 MiB, which a test on a server in memory never needs.
export const http2 = (): typeof NodeHttp2 => process.getBuiltinModule('node:http2');
export const https = (): typeof NodeHttps => process.getBuiltinModule('node:https');
export const tls = (): typeof NodeTls => process.getBuiltinModule('node:tls');
