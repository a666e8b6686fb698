import { type LogFormat, processEnvironment } from '../config/index.ts';
import { KilterError } from '../errors/index.ts';
import type { Runtime } from '../internal/index.ts';
import {
  asLogger,
  jsonLogger,
  type Level,
  type Logger,
  missingMethod,
  type PlainLogger,
  steadyLogger,
  terminalLogger,
} from '../telemetry/index.ts';

export interface OwnLogger {
  readonly runtime: Runtime;
  /** Default: 'info'. */
  readonly level?: Level | undefined;
  /** Default: 'auto', text at a terminal and JSON elsewhere. */
  readonly format?: LogFormat | undefined;
  /** Stacks of errors in text. Default: false. */
  readonly stacks?: boolean | undefined;
}

function ownLogger({ runtime, level = 'info', format = 'auto', stacks }: OwnLogger): Logger {
  const { stderr } = process;
  const write = (line: string): void => void stderr.write(`${line}\n`);
  const now = (): number => runtime.clock.now();
  const isTerminal = stderr.isTTY === true;
  if (format === 'json' || (format === 'auto' && !isTerminal)) return jsonLogger({ write, now, level });
  // https://no-color.org: set to anything, it means no.
  const colors = isTerminal && (processEnvironment()['NO_COLOR'] ?? '') === '';
  return terminalLogger({ write, now, level, stacks, colors });
}

/** Refuses what cannot be logged to, before the first line would be. */
export function checkedLogger<L extends Logger | PlainLogger | undefined>(logger: L): L {
  const missing = logger === undefined ? undefined : missingMethod(logger);
  if (missing === undefined) return logger;
  const what = `logger has no method ${missing}: give pino(), console, or an object with the same methods`;
  throw new KilterError('MANAGER_OPTION_INVALID', what);
}

/** The user's logger, or lines on stderr; either way one that harms nobody. */
export function operatorLogger(given: Logger | PlainLogger | undefined, how: OwnLogger): Logger {
  const own = ownLogger(how);
  return given === undefined ? own : steadyLogger(asLogger(given), (problem) => own.warn(problem));
}
