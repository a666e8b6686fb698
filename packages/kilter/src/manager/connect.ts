import { type Client, createClient } from '../client/index.ts';
import { type ForeignKubeconfig, loadConfig, loadForeign } from '../config/index.ts';
import { type Runtime, systemRuntime } from '../internal/index.ts';
import { type Logger, silentLogger } from '../telemetry/index.ts';
import { Mistakes } from './mistakes.ts';
import { type Connection, httpsConnection, transport } from '../transport/index.ts';

/** Where `connect` finds the server, and as whom it logs in. */
export interface ConnectOptions {
  /**
   * A kubeconfig that somebody else wrote, as text, for example from a Secret. Programs, files, proxies and addresses
   * of this machine in it are refused. Default: none. Use it for other clusters that users tell an operator about; it
   * cannot be combined with the other sources.
   */
  foreign?: Pick<ForeignKubeconfig, 'text' | 'allow'> | undefined;
  /** A kubeconfig file. Default: kubectl's search, then the pod's service account. */
  kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current one. */
  context?: string | undefined;
  /** The namespace used where none is given. Default: that of the context. */
  namespace?: string | undefined;
  /**
   * Gets warnings about the configuration, the connection and from the server. Default: those about the configuration
   * (requests are anonymous, certificates are not checked) are process warnings on standard error; the others are
   * dropped.
   */
  logger?: Logger | undefined;
}

/** The options of a client over an existing connection. */
export interface ConnectToOptions {
  runtime?: Runtime | undefined;
  logger?: Logger | undefined;
  /** The field manager of writes that name none. Default: 'kilter'. */
  manager?: string | undefined;
}

/** A client over an existing connection. Closing the client closes the connection. */
export function connectTo(connection: Connection, options: ConnectToOptions = {}): Client {
  const { runtime = systemRuntime, logger = silentLogger, manager = 'kilter' } = options;
  const wire = transport(connection, { runtime, logger, userAgent: `${manager}/kilter` });
  return createClient(wire, { manager, logger, clock: runtime.clock, close: () => connection.close() });
}

const known: Readonly<Record<keyof ConnectOptions, true>> = {
  foreign: true,
  kubeconfig: true,
  context: true,
  namespace: true,
  logger: true,
};

/** A misspelled option would lead to another cluster: the one kubectl talks to. */
function refuseUnknown(options: ConnectOptions): void {
  const mistakes = new Mistakes();
  mistakes.form('connect', options, known);
  mistakes.report();
}

/** A client for the cluster that kubectl would use, or the one this pod runs in. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  refuseUnknown(options);
  const { logger = silentLogger, foreign, ...where } = options;
  const { context, namespace } = where;
  const config = await (foreign === undefined ? loadConfig(where) : loadForeign({ ...foreign, context, namespace }));
  for (const warning of config.warnings) {
    if (options.logger === undefined) process.emitWarning(warning, 'KilterWarning');
    else logger.warn(warning);
  }
  return connectTo(httpsConnection(config, { runtime: systemRuntime, logger }), { logger });
}
