import type { Kind, Permission } from '../api/index.ts';
import type { Controller } from '../controller/index.ts';
import type { OptionNames } from '../errors/index.ts';
import { type Runtime, systemRuntime } from '../internal/index.ts';
import type { PlainLogger, Logger } from '../telemetry/index.ts';
import type { Connection } from '../transport/index.ts';
import type { WebhookGround, WebhookPlace } from '../webhook/index.ts';
import { describeOperator, descriptionText, type OperatorDescription } from './describe.ts';
import type { Manager } from './manager.ts';
import { checkOptions } from './mistakes.ts';
import { startManager } from './start-manager.ts';
import { operatorLogger } from './operator-logger.ts';
import type { OperatorOptions, ResolvedOperatorOptions } from './options.ts';
import { operatorPermissions, permissionRules, type Permissions, type PermissionsOptions } from './permissions.ts';
import { resolveOperatorOptions } from './resolve-options.ts';
import { openConnection, type RunOptions, runProgram } from './run.ts';

/** The options of `start()`: the connection, and replacements for what comes from outside. */
export interface StartOptions {
  /** Stops the operator gracefully when it aborts. */
  signal?: AbortSignal | undefined;
  /** The connection to use. Default: kubeconfig or in-cluster. A given connection stays open after the stop. */
  connection?: Connection | undefined;
  /** Clock and randomness, for tests and simulators. Default: the system's. */
  runtime?: Runtime | undefined;
  /** The logger, if the operator has none of its own. Default: stderr, as text at a terminal and as JSON elsewhere. */
  logger?: Logger | PlainLogger | undefined;
  /** Serve metrics and probes. Default: false. */
  serve?: boolean | undefined;
  /**
   * Where webhooks are served, instead of what `webhookServer` of the operator says; or a server of the same process that calls them.
   * Default: `webhookServer`. For tests and for programs that embed an operator.
   */
  webhooks?: WebhookPlace | WebhookGround | undefined;
  /**
   * Ask the server at the start whether the operator may do what it declares: missing rules are reported as YAML within 5 s. Default:
   * true. Set it to false if nothing is refused anyway, as in most tests, or if every request is counted.
   */
  accessReview?: boolean | undefined;
}

/** A definition that does nothing by itself: it can be started many times, each time with a new manager. */
export interface Operator {
  readonly name: string;
  readonly controllers: readonly Controller[];
  /** Every kind that the controllers reconcile, own, watch, read or write, or that webhooks handle: what a test server has to serve. */
  readonly kinds: readonly Kind[];
  /** The RBAC rules it needs, derived from what is declared: for a ClusterRole, and for Roles by namespace. */
  permissions(options?: PermissionsOptions): Permissions;
  /** The same one by one, each with the declaration that needs it: one entry for each verb of a resource. */
  needs(options?: PermissionsOptions): readonly Permission[];
  /** What it watches, owns, reads, writes, indexes and serves: as data, or as text for people. */
  describe(): OperatorDescription;
  describe(form: 'text'): string;
  /**
   * Runs the operator as a program. Resolves after a graceful stop on SIGTERM or SIGINT. In all other cases it ends the process, with
   * exit code 1 after a failure, which is logged; 2 for bad flags; 0 after `--help`. To handle failures in code, use `start`.
   */
  run(options?: RunOptions): Promise<void>;
  /** Starts the operator without waiting until it is ready: see `ready` and `done` of the manager. */
  start(options?: StartOptions): Promise<Manager>;
}

const permissionsOptions: OptionNames<PermissionsOptions> = { namespace: true };
const startOptions: OptionNames<StartOptions> = {
  signal: true,
  connection: true,
  runtime: true,
  logger: true,
  serve: true,
  webhooks: true,
  accessReview: true,
};

async function start(options: ResolvedOperatorOptions, given: StartOptions): Promise<Manager> {
  const runtime = given.runtime ?? systemRuntime;
  const logger = operatorLogger(options.logger ?? given.logger, { runtime });
  const own = given.connection === undefined ? await openConnection(runtime, logger) : undefined;
  const connection = given.connection ?? (own as Connection);
  const { signal, serve = false, webhooks, accessReview = true } = given;
  return startManager(options, { connection, runtime, logger, signal, serve, webhooks, accessReview, own });
}

/** Defines an operator: controllers that share a cache, a connection and a lease. */
export function operator(options: OperatorOptions): Operator {
  const resolved = resolveOperatorOptions(options);
  return {
    name: resolved.name,
    controllers: resolved.controllers,
    kinds: resolved.allKinds,
    permissions: (given = {}) => {
      checkOptions('permissions', given, permissionsOptions);
      return permissionRules(operatorPermissions(resolved, given));
    },
    needs: (given = {}) => {
      checkOptions('needs', given, permissionsOptions);
      return operatorPermissions(resolved, given);
    },
    describe: ((form?: 'text') => {
      const description = describeOperator(resolved);
      return form === 'text' ? descriptionText(description) : description;
    }) as Operator['describe'],
    run: (given = {}) => runProgram(options, given),
    start: async (given = {}) => {
      checkOptions('start', given, startOptions);
      return start(resolved, given);
    },
  };
}
