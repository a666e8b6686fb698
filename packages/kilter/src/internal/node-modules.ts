import type * as NodeCrypto from 'node:crypto';
import type * as NodeDns from 'node:dns';
import type * as NodeHttp from 'node:http';
import type * as NodeHttp2 from 'node:http2';
import type * as NodeHttps from 'node:https';
import type * as NodeInspector from 'node:inspector';
import type * as NodePerfHooks from 'node:perf_hooks';
import type * as NodeTls from 'node:tls';
import type * as NodeUtil from 'node:util';
import type * as NodeWorkerThreads from 'node:worker_threads';
import type * as NodeZlib from 'node:zlib';

/**
 * `node:http` without its import: as a module it evaluates every export, the bundled WebSocket among them, which costs
 * 35 ms and 16 MiB in every process that only ever opens HTTP/2 connections. Taken this way it costs a tenth.
 */
export const http: typeof NodeHttp = process.getBuiltinModule('node:http');

// The others by their first use: together they cost 20 ms and 10 MiB, which a test on a server in memory never needs.
export const http2 = (): typeof NodeHttp2 => process.getBuiltinModule('node:http2');
export const https = (): typeof NodeHttps => process.getBuiltinModule('node:https');
export const tls = (): typeof NodeTls => process.getBuiltinModule('node:tls');

// As imports these evaluate what is behind every export of theirs (of crypto the Web Crypto API, of util the text decoders): 5 ms and 4 MiB.
export const crypto = (): typeof NodeCrypto => process.getBuiltinModule('node:crypto');
export const dns = (): typeof NodeDns => process.getBuiltinModule('node:dns');
export const inspector = (): typeof NodeInspector => process.getBuiltinModule('node:inspector');
export const perfHooks = (): typeof NodePerfHooks => process.getBuiltinModule('node:perf_hooks');
export const util = (): typeof NodeUtil => process.getBuiltinModule('node:util');
export const workerThreads = (): typeof NodeWorkerThreads => process.getBuiltinModule('node:worker_threads');
export const zlib = (): typeof NodeZlib => process.getBuiltinModule('node:zlib');

export const x509 = (certificate: string | Uint8Array): NodeCrypto.X509Certificate =>
  new (crypto().X509Certificate)(certificate);
