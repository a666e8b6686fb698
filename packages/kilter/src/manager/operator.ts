import type { Kind } from '../api/index.ts';
import type { Controller } from '../controller/index.ts';
import {
  type Flags,
  helpText,
  loadConfig,
  parseFlags,
  type ResolvedSettings,
  resolveSettings,
} from '../config/index.ts';
import { type Runtime, systemRuntime } from '../internal/index.ts';
import { jsonLogger, type Logger } from '../telemetry/index.ts';
import { type Connection, httpsConnection } from '../transport/index.ts';
import { type Manager, startManager } from './manager.ts';
import { type OperatorOptions, type ResolvedOperatorOptions, resolveOperatorOptions } from './options.ts';
import { stopOnSignals } from './signals.ts';

export interface StartOptions {
  /** Stops the operator gracefully when it aborts. */
  signal?: AbortSignal | undefined;
  /** Where to: kubeconfig or in-cluster unless given. One that is given stays open after the stop. */
  connection?: Connection | undefined;
  /** Time and chance: the simulator's own, or a test's. */
  runtime?: Runtime | undefined;
  /** Serve metrics and probes. Default: false. */
  serve?: boolean | undefined;
}

export interface RunOptions {
  /** The program's arguments, with kubebuilder's flags; `--help` lists them. */
  args?: readonly string[] | undefined;
}

/** An inert definition: it can be started many times, each time with a fresh manager. */
export interface Operator {
  readonly name: string;
  readonly controllers: readonly Controller[];
  /** Every kind the controllers reconcile, own, watch, read or write; what a test server has to know. */
  readonly kinds: readonly Kind[];
  /** Resolves after a graceful stop on SIGTERM or SIGINT; rejects with the first failure. */
  run(options?: RunOptions): Promise<void>;
  /** Starts without waiting for readiness: see `ready` and `done` of the manager. */
  start(options?: StartOptions): Promise<Manager>;
}

function kindsOf(controllers: readonly Controller[]): Kind[] {
  const all = controllers.flatMap(({ spec }) => [
    spec.kind,
    ...[...spec.owns, ...spec.watches, ...spec.references].map(({ kind }) => kind),
    ...spec.writes,
    ...spec.reads,
  ]);
  return [...new Set(all)];
}

function defaultLogger(runtime: Runtime, level: ResolvedSettings['logLevel']): Logger {
  return jsonLogger({ write: (line) => process.stderr.write(`${line}\n`), now: () => runtime.clock.now(), level });
}

async function start(options: ResolvedOperatorOptions, given: StartOptions): Promise<Manager> {
  const runtime = given.runtime ?? systemRuntime;
  const logger = options.logger ?? defaultLogger(runtime, 'info');
  const own = given.connection === undefined ? await openConnection(runtime, logger) : undefined;
  const connection = given.connection ?? (own as Connection);
  return startManager(options, { connection, runtime, logger, signal: given.signal, serve: given.serve ?? false, own });
}

async function openConnection(runtime: Runtime, logger: Logger, settings: Partial<Flags> = {}): Promise<Connection> {
  const { kubeconfig, context, namespace } = settings;
  const config = await loadConfig({ kubeconfig, context, namespace });
  for (const warning of config.warnings) logger.warn(warning);
  return httpsConnection(config, { runtime, logger });
}

/** Flags and environment over what the code says. */
function configured(options: OperatorOptions, settings: ResolvedSettings): ResolvedOperatorOptions {
  const elected = typeof options.leaderElection === 'object' ? options.leaderElection : {};
  const { leaderElectionId: lease, leaderElectionNamespace: namespace } = settings;
  const election = {
    ...elected,
    ...(lease !== undefined && { lease }),
    ...(namespace !== undefined && { namespace }),
  };
  return resolveOperatorOptions({
    ...options,
    leaderElection: settings.leaderElect ? election : false,
    metricsAddress: settings.metricsBindAddress,
    probeAddress: settings.healthProbeBindAddress,
  });
}

async function run(options: OperatorOptions, args: readonly string[]): Promise<void> {
  const flags = parseFlags(args);
  if (flags.help === true) {
    process.stdout.write(helpText(options.name));
    return;
  }
  const settings = resolveSettings({
    flags,
    code: {
      leaderElect: options.leaderElection !== undefined && options.leaderElection !== false,
      metricsBindAddress: options.metricsAddress,
      healthProbeBindAddress: options.probeAddress,
    },
  });
  using signals = stopOnSignals();
  const logger = options.logger ?? defaultLogger(systemRuntime, settings.logLevel);
  const own = await openConnection(systemRuntime, logger, settings);
  const { signal } = signals;
  const environment = { connection: own, own, runtime: systemRuntime, logger, signal, serve: true };
  const manager = await startManager(configured(options, settings), environment);
  await manager.done;
}

/** Defines an operator: controllers that share a cache, a connection and a lease. */
export function operator(options: OperatorOptions): Operator {
  const resolved = resolveOperatorOptions(options);
  return {
    name: resolved.name,
    controllers: resolved.controllers,
    kinds: kindsOf(resolved.controllers),
    run: ({ args = [] } = {}) => run(options, args),
    start: (given = {}) => start(resolved, given),
  };
}
