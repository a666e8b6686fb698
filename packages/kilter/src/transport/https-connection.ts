import {
  type ConnectionConfig,
  type Credentials,
  credentials,
  type HeldCredentials,
  parseServer,
  type ReadFile,
  type TlsMaterial,
} from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import { type Runtime, type Signal, systemRuntime, type Timer } from '../internal/index.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import { checkMaterial, type Destination } from './dial.ts';
import type { Connection, ConnectionUsage, ExchangeRequest, ExchangeResponse, Session } from './exchange.ts';
import { uncompressed } from './gunzip.ts';
import { Lane } from './lane.ts';
import { checkFields, checkPath } from './request-check.ts';
import type { Fields } from './request-head.ts';
import { defaultPingTimes, type PingTimes } from './ping-watchdog.ts';

/** Limits and timeouts of a connection over sockets. */
export interface HttpsConnectionOptions {
  /** Its clock decides when files are read again and when a silent server is pinged. Default: the system's. */
  readonly runtime?: Pick<Runtime, 'clock' | 'random'> | undefined;
  /** Reports dead connections and changed certificates. Default: none. */
  readonly logger?: Logger | undefined;
  /** How token files are read. */
  readonly readFile?: ReadFile | undefined;
  /**
   * The maximum number of HTTP/2 connections per session. Default: 8 for watches (an API server accepts 100 to 1000
   * streams on each), 2 for requests, 2 for guarded writes, 1 for the Lease. Watches beyond that are refused, other
   * requests wait.
   */
  readonly sessions?: Partial<Record<Session, number>> | undefined;
  /**
   * The maximum number of sockets per session if the server only speaks HTTP/1.1. Default: 256 for watches (each holds
   * one as long as it lives, so more watches than this are refused), 16 each for requests and guarded writes, which
   * wait for a free one, and 2 for the Lease.
   */
  readonly sockets?: Partial<Record<Session, number>> | undefined;
  /**
   * After how much silence a server is pinged, and how long the answer may take, in milliseconds. Default: 30 s and 15
   * s.
   */
  readonly ping?: Partial<PingTimes> | undefined;
  /** An unused connection is closed after this time, in milliseconds. Default: 30 s. */
  readonly idle?: number | undefined;
  /** Watches leave a connection that is to be closed within this time, in milliseconds. Default: 10 s. */
  readonly drain?: number | undefined;
  /** The timeout of one attempt to connect, in milliseconds. Default: 10 s. */
  readonly connectTimeout?: number | undefined;
  /** How often certificate files are compared while watches are open, in milliseconds. Default: 10 s. */
  readonly materialCheck?: number | undefined;
}

const defaultSockets: Readonly<Record<Session, number>> = { watch: 256, default: 16, guarded: 16, lease: 2 };
const defaultSessions: Readonly<Record<Session, number>> = { watch: 8, default: 2, guarded: 2, lease: 1 };
// Closed from this side, well before an API server or a balancer does it in the moment of a write.
const defaultIdle = 30_000;
const defaultDrain = 10_000;
const defaultConnectTimeout = 10_000;
const defaultMaterialCheck = 10_000;

function destinationOf(config: ConnectionConfig): Destination {
  const { tlsServerName, insecure, proxyUrl, guardAddress } = config;
  return {
    server: parseServer(config.server),
    tlsServerName,
    insecure: insecure === true,
    proxy: proxyUrl === undefined ? undefined : new URL(proxyUrl),
    guardAddress,
  };
}

type LookupListener = (host: string, ms: number) => void;

interface SentFields {
  readonly authorization: string | undefined;
  readonly compressed: boolean;
  readonly fields: Fields;
}

class SocketConnection implements Connection {
  readonly namespace: string;
  readonly host: string;
  readonly #destination: Destination;
  readonly #config: ConnectionConfig;
  readonly #options: HttpsConnectionOptions;
  readonly #runtime: Pick<Runtime, 'clock' | 'random'>;
  readonly #credentials: Credentials;
  /** Made by the first request, when the certificates are known. */
  #lanes: Readonly<Record<Session, Lane>> | undefined;
  /** What the lanes use since the last change. */
  #material: TlsMaterial | undefined;
  /** What the path of the server's address adds to every path. */
  readonly #prefix: string;
  /** What was last sent with these headers, and as whom; complete and checked. */
  readonly #fields = new WeakMap<ExchangeRequest['headers'], SentFields>();
  /** Watches that are open: while there are any, certificates are looked at without being asked for. */
  #watches = 0;
  #check: Timer | undefined;
  /** Who each request that was refused said it was: of many refused together, one has the credentials read again. */
  readonly #sentWith = new WeakMap<ExchangeRequest, string>();
  #closed = false;
  /** Undefined: lookups are not timed. */
  #lookup: LookupListener | undefined;

  constructor(config: ConnectionConfig, options: HttpsConnectionOptions) {
    this.#destination = { ...destinationOf(config), timeLookup: (host) => this.#timeLookup(host) };
    this.#config = config;
    this.#options = options;
    this.#runtime = options.runtime ?? systemRuntime;
    this.namespace = config.namespace;
    this.host = this.#destination.server.host;
    this.#prefix = this.#destination.server.pathname.replace(/\/$/, '');
    this.#credentials = credentials(config, {
      clock: this.#runtime.clock,
      readFile: options.readFile,
      warn: (message) => options.logger?.warn(message),
    });
    const { ca, clientCertificate: cert, clientKey: key } = config;
    // What is at hand is looked at now: rather an error here than one with the first request.
    if (this.#destination.server.protocol === 'https:') checkMaterial({ ca, cert, key });
  }

  async exchange(request: ExchangeRequest): Promise<ExchangeResponse> {
    const { authorization, material } = this.#credentials.now() ?? (await this.#askedCredentials(request));
    request.departure?.pending('a connection');
    request.signal.throwIfAborted();
    if (this.#closed) throw new KilterError('TRANSPORT_CLOSED', `${this.host}: connection closed`);
    const lanes = this.#use(material);
    const fields = this.#fieldsOf(request, authorization);
    const path = this.#prefix === '' ? request.path : `${this.#prefix}${request.path}`;
    checkPath(request.method, path);
    const response = await lanes[request.session].exchange(request, { path, fields });
    if (response.status === 401 && authorization !== undefined) this.#sentWith.set(request, authorization);
    if (request.resumable === true) this.#watching(request.signal);
    return uncompressed(response);
  }

  renewCredentials(refused: ExchangeRequest): Promise<boolean> {
    return this.#credentials.renew(this.#sentWith.get(refused));
  }

  onLookup(tell: LookupListener): void {
    this.#lookup = tell;
  }

  #timeLookup(host: string): (() => void) | undefined {
    const tell = this.#lookup;
    if (tell === undefined) return undefined;
    const { clock } = this.#runtime;
    const begun = clock.monotonic();
    return () => tell(host, clock.monotonic() - begun);
  }

  usage(): readonly ConnectionUsage[] {
    return this.#lanes === undefined ? [] : Object.values(this.#lanes).flatMap(({ usage }) => usage);
  }

  close(): Promise<void> {
    this.#closed = true;
    this.#check?.cancel();
    for (const lane of Object.values(this.#lanes ?? {})) lane.close();
    this.#credentials.close();
    return Promise.resolve();
  }

  async #askedCredentials({ departure }: ExchangeRequest): Promise<HeldCredentials> {
    const { exec } = this.#config;
    departure?.pending(exec === undefined ? 'credentials' : `the exec plugin ${exec.command} of the kubeconfig`);
    const [authorization, material] = await Promise.all([this.#credentials.authorization(), this.#credentials.tls()]);
    return { authorization, material };
  }

  /** Built and checked once for all requests of one form, which saves each of them about 5 µs. */
  #fieldsOf(request: ExchangeRequest, authorization: string | undefined): Fields {
    // It pays even over loopback: a list of 840 KB took less time and no more CPU here, because there is less to decrypt.
    // An API server compresses only what is larger than 128 KiB, so single objects never are; watches would be delayed.
    const compressed = request.whole === true && request.method === 'GET' && this.#config.disableCompression !== true;
    const known = this.#fields.get(request.headers);
    if (known !== undefined && known.authorization === authorization && known.compressed === compressed) {
      return known.fields;
    }
    const fields: Fields = {
      ...request.headers,
      ...(compressed && { 'accept-encoding': 'gzip' }),
      ...this.#credentials.impersonation,
      ...(authorization !== undefined && { authorization }),
    };
    checkFields(request.method, fields);
    this.#fields.set(request.headers, { authorization, compressed, fields });
    return fields;
  }

  #use(material: TlsMaterial): Readonly<Record<Session, Lane>> {
    if (this.#lanes !== undefined && material === this.#material) return this.#lanes;
    this.#material = material;
    this.#lanes ??= {
      watch: this.#lane('watch', material),
      default: this.#lane('default', material),
      guarded: this.#lane('guarded', material),
      lease: this.#lane('lease', material),
    };
    for (const lane of Object.values(this.#lanes)) lane.use(material);
    return this.#lanes;
  }

  #lane(session: Session, material: TlsMaterial): Lane {
    const { logger = silentLogger, idle = defaultIdle, drain = defaultDrain } = this.#options;
    const options = {
      session,
      destination: this.#destination,
      runtime: this.#runtime,
      logger,
      ping: { ...defaultPingTimes, ...this.#options.ping },
      idle,
      drain,
      connectTimeout: this.#options.connectTimeout ?? defaultConnectTimeout,
      sockets: this.#options.sockets?.[session] ?? defaultSockets[session],
      sessions: this.#options.sessions?.[session] ?? defaultSessions[session],
    };
    return new Lane(options, material);
  }

  /** A watch was opened; its signal aborts when it ends, whatever ends it. */
  #watching(signal: Signal): void {
    if (signal.aborted) return;
    this.#watches += 1;
    signal.addEventListener('abort', () => this.#watchEnded(), { once: true });
    this.#check ??= this.#nextCheck();
  }

  #watchEnded(): void {
    this.#watches -= 1;
    if (this.#watches > 0) return;
    this.#check?.cancel();
    this.#check = undefined;
  }

  #nextCheck(): Timer {
    return this.#runtime.clock.timer(this.#options.materialCheck ?? defaultMaterialCheck, () => {
      this.#check = undefined;
      void this.#compare();
    });
  }

  /** A connection whose watches are silent asks for nothing: it learns here that the certificates have changed. */
  async #compare(): Promise<void> {
    try {
      const material = await this.#credentials.tls();
      if (!this.#closed) this.#use(material);
    } catch (error) {
      this.#options.logger?.warn({ err: error, host: this.host }, 'certificates could not be reloaded');
    }
    if (this.#watches > 0 && !this.#closed) this.#check ??= this.#nextCheck();
  }
}

/**
 * A connection over HTTPS (or plain HTTP, if the address says so): HTTP/2 if the server speaks it, otherwise HTTP/1.1.
 */
export function httpsConnection(config: ConnectionConfig, options: HttpsConnectionOptions = {}): Connection {
  return new SocketConnection(config, options);
}
