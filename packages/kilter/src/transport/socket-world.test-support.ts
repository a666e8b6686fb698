// Test support: certificates, and a transport over real sockets to a server in its own process.
import type { ConnectionConfig } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import { systemRuntime } from '../internal/index.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import { FaultServer, type FaultServerOptions } from './fault-server.test-support.ts';
import type { Connection } from './exchange.ts';
import { httpsConnection, type HttpsConnectionOptions } from './https-connection.ts';
import { transport, type TransportOptions } from './send.ts';
import type { Transport } from './transport.ts';

/** The certificates room, handed in: only test files may enter it from here. */
interface CertificateRoom<Authority> {
  createAuthority(options: { name: string; now: number; days: number }): Authority;
  issue(
    authority: Authority,
    options: {
      name: string;
      dnsNames?: readonly string[];
      organizations?: readonly string[];
      usage: 'server' | 'client';
      now: number;
      days: number;
    },
  ): Leaf;
}

interface Leaf {
  readonly certificate: string;
  readonly key: string;
  readonly authority: string;
}

export interface Pki {
  readonly ca: string;
  readonly otherCa: string;
  readonly server: Leaf;
  readonly otherServer: Leaf;
  readonly expired: Leaf;
  readonly client: Leaf;
}

export function makePki<Authority extends { readonly certificate: string }>(room: CertificateRoom<Authority>): Pki {
  const now = systemRuntime.clock.now();
  const ago = now - 8 * 86_400_000;
  const authority = room.createAuthority({ name: 'loopback', now, days: 2 });
  const other = room.createAuthority({ name: 'other', now, days: 2 });
  const old = room.createAuthority({ name: 'loopback', now: ago, days: 90 });
  const server = { name: 'server', dnsNames: ['localhost'], usage: 'server', days: 1 } as const;
  return {
    ca: authority.certificate,
    otherCa: other.certificate,
    server: room.issue(authority, { ...server, now }),
    otherServer: room.issue(other, { ...server, now }),
    expired: room.issue(old, { ...server, now: ago }),
    client: room.issue(authority, { name: 'alice', organizations: ['dev'], usage: 'client', now, days: 1 }),
  };
}

export type WorldOptions = Partial<FaultServerOptions> & {
  readonly config?: Partial<ConnectionConfig> | undefined;
  readonly connection?: HttpsConnectionOptions | undefined;
  readonly transport?: Partial<TransportOptions> | undefined;
};

/** A server, a connection to it and a transport over that; closed together. */
export interface SocketWorld extends AsyncDisposable {
  readonly server: FaultServer;
  readonly connection: Connection;
  readonly api: Transport;
  readonly logged: string[];
  readonly metrics: MetricsRegistry;
}

function serverOptions(pki: Pki, options: WorldOptions): FaultServerOptions {
  const { ca, protocols, maxConcurrentStreams, script } = options;
  const { certificate, key } = pki.server;
  return { cert: options.cert ?? certificate, key: options.key ?? key, ca, protocols, maxConcurrentStreams, script };
}

/** Makes worlds that trust these certificates. */
export const socketWorlds =
  (pki: Pki) =>
  (options: WorldOptions = {}): Promise<SocketWorld> =>
    openWorld(pki, options);

async function openWorld(pki: Pki, options: WorldOptions): Promise<SocketWorld> {
  const faulty = await FaultServer.start(serverOptions(pki, options));
  const config = { server: `https://localhost:${faulty.port}`, namespace: 'default', ca: pki.ca, ...options.config };
  const logged: string[] = [];
  const logger = jsonLogger({ write: (line) => logged.push(line), now: () => 0, level: 'debug' });
  const metrics = new MetricsRegistry();
  const connection = httpsConnection(config, { logger, ...options.connection });
  const api = transport(connection, {
    runtime: systemRuntime,
    logger,
    metrics,
    userAgent: 'test/1',
    ...options.transport,
  });
  return {
    server: faulty,
    connection,
    api,
    logged,
    metrics,
    [Symbol.asyncDispose]: async () => {
      await connection.close();
      await faulty[Symbol.asyncDispose]();
    },
  };
}

export async function failure(work: Promise<unknown>): Promise<KilterError> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KilterError)) throw new Error(`no coded error: ${String(error)}`);
  return error;
}

export const base64 = (text: string | Uint8Array): string => encodeURIComponent(Buffer.from(text).toString('base64'));
