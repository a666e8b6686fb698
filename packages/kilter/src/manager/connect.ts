import { type Client, createClient } from '../client/index.ts';
import type { OptionNames } from '../errors/index.ts';
import { type ForeignKubeconfig, loadConfig, loadForeign } from '../config/index.ts';
import { type Runtime, systemRuntime } from '../internal/index.ts';
import { asLogger, type Logger, type PlainLogger, silentLogger, steadyLogger } from '../telemetry/index.ts';
import { checkOptions } from './mistakes.ts';
import { checkedLogger } from './operator-logger.ts';
import { type Connection, httpsConnection, transport } from '../transport/index.ts';

type Foreign = Pick<ForeignKubeconfig, 'text' | 'allow'>;

/** Where `connect` finds the server, and as whom it logs in. */
export interface ConnectOptions {
  /**
   * A kubeconfig that somebody else wrote, as text, for example from a Secret. Programs, files, proxies and addresses
   * of this machine in it are refused. Default: none. Use it for other clusters that users tell an operator about; it
   * cannot be combined with the other sources.
   */
  foreign?: Foreign | undefined;
  /** A kubeconfig file. Default: kubectl's search, then the pod's service account. */
  kubeconfig?: string | undefined;
  /** A context of the kubeconfig. Default: its current one. */
  context?: string | undefined;
  /** The namespace used where none is given. Default: that of the context. */
  namespace?: string | undefined;
  /**
   * Gets warnings about the configuration, the connection and from the server. Default: those about the configuration
   * (requests are anonymous, certificates are not checked) are process warnings on standard error; the others are
   * dropped. `pino()`, `console`, or anything with their methods.
   */
  logger?: Logger | PlainLogger | undefined;
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
  checkOptions('connectTo', options, knownToConnection);
  const { runtime = systemRuntime, logger = silentLogger, manager = 'kilter' } = options;
  const wire = transport(connection, { runtime, logger, userAgent: `${manager}/kilter` });
  return createClient(wire, { manager, logger, clock: runtime.clock, close: () => connection.close() });
}

const knownToConnection: OptionNames<ConnectToOptions> = { runtime: true, logger: true, manager: true };
const ofForeign: OptionNames<Foreign> = { text: true, allow: true };
const known: OptionNames<ConnectOptions> = {
  foreign: true,
  kubeconfig: true,
  context: true,
  namespace: true,
  logger: true,
};

/** A misspelled option would lead to another cluster: the one kubectl talks to. */
function refuseUnknown(options: ConnectOptions): void {
  checkOptions('connect', options, known);
  if (options.foreign !== undefined) checkOptions('foreign', options.foreign, ofForeign);
}

const warn = (text: string): void => process.emitWarning(text, 'KilterWarning');

/** A client for the cluster that kubectl would use, or the one this pod runs in. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  refuseUnknown(options);
  const { logger: given, foreign, ...where } = options;
  const logger = given === undefined ? silentLogger : steadyLogger(asLogger(checkedLogger(given)), warn);
  const { context, namespace } = where;
  const config = await (foreign === undefined ? loadConfig(where) : loadForeign({ ...foreign, context, namespace }));
  for (const warning of config.warnings) {
    if (given === undefined) warn(warning);
    else logger.warn(warning);
  }
  return connectTo(httpsConnection(config, { runtime: systemRuntime, logger }), { logger });
}
