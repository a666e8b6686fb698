import {
  type Flags,
  helpText,
  loadConfig,
  parseFlags,
  type ResolvedSettings,
  resolveSettings,
} from '../config/index.ts';
import type { OptionNames } from '../errors/index.ts';
import { nextTurn, type Runtime, systemRuntime, tls } from '../internal/index.ts';
import { inBrief, type Logger } from '../telemetry/index.ts';
import { type Connection, httpsConnection } from '../transport/index.ts';
import { checkOptions } from './mistakes.ts';
import { operatorLogger } from './operator-logger.ts';
import { startManager } from './start-manager.ts';
import type { OperatorOptions } from './options.ts';
import { configured, settingsOf } from './outside-settings.ts';
import { outliveReaders, stopOnSignals, uncaughtErrors } from './signals.ts';

/** The process around an operator, as far as `run()` touches it. */
export interface Program {
  out(text: string): void;
  error(text: string): void;
  exit(code: number): never;
}

const thisProcess: Program = {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  exit: (code) => process.exit(code),
};

export async function openConnection(
  runtime: Runtime,
  logger: Logger,
  settings: Partial<Flags> = {},
): Promise<Connection> {
  const { kubeconfig, context, namespace } = settings;
  // Loading modules, reading the configuration and what is made of certificates take a few milliseconds each.
  await nextTurn();
  tls();
  await nextTurn();
  const config = await loadConfig({ kubeconfig, context, namespace });
  for (const warning of config.warnings) logger.warn(warning);
  await nextTurn();
  return httpsConnection(config, { runtime, logger });
}

/** The options of `run()`. */
export interface RunOptions {
  /** The program's arguments, with kubebuilder's flags; `--help` lists them. */
  args?: readonly string[] | undefined;
}
const runOptions: OptionNames<RunOptions> = { args: true };

/** Ends the program where there is nothing to run. */
function resolvedSettings(options: OperatorOptions, given: RunOptions, program: Program): ResolvedSettings {
  const code = settingsOf(options);
  try {
    checkOptions('run', given, runOptions);
    const flags = parseFlags(given.args ?? []);
    if (flags.help !== true) return resolveSettings({ flags, code });
  } catch (error) {
    // For the person at the terminal, as every other command line tool: what is wrong, not where in our code.
    program.error(`${options.name}: ${inBrief(error).error}\n`);
    return program.exit(2);
  }
  program.out(helpText(options.name, code));
  return program.exit(0);
}

/** The operator as a program: resolves after a graceful stop; every other end is an end of the process. */
export async function runProgram(
  options: OperatorOptions,
  given: RunOptions = {},
  program: Program = thisProcess,
): Promise<void> {
  outliveReaders();
  const settings = resolvedSettings(options, given, program);
  const logger = operatorLogger(options.logger, {
    runtime: systemRuntime,
    level: settings.logLevel,
    format: settings.logFormat,
    stacks: settings.logStacks,
  });
  const told = { byManager: false };
  try {
    await operate(options, { settings, logger, told });
  } catch (error) {
    const { code, ...words } = inBrief(error);
    // One line, in the form of all others: an uncaught error would be a stack between them. What the manager has logged is only named.
    const failure = { ...(!told.byManager && words), ...(code !== undefined && { code }), exitCode: 1 };
    logger.error(failure, 'the operator has ended with a failure');
    program.exit(1);
  }
}

interface Operation {
  readonly settings: ResolvedSettings;
  readonly logger: Logger;
  /** Set once there is a manager, which tells its failures itself. */
  readonly told: { byManager: boolean };
}

async function operate(options: OperatorOptions, { settings, logger, told }: Operation): Promise<void> {
  using signals = stopOnSignals(logger, systemRuntime.clock);
  using errors = uncaughtErrors(logger);
  const own = await openConnection(systemRuntime, logger, settings);
  const { signal } = signals;
  const { uncaught } = errors;
  const asked = { serve: true, accessReview: true, watchdog: true };
  const environment = { connection: own, own, runtime: systemRuntime, logger, signal, uncaught, ...asked };
  const manager = await startManager(configured(options, settings), environment);
  told.byManager = true;
  await manager.done;
}
