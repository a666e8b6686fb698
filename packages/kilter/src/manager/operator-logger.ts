import type { Runtime } from '../internal/index.ts';
import { jsonLogger, type Level, type Logger, steadyLogger } from '../telemetry/index.ts';

/** The user's logger, or JSON lines on stderr; either way one that harms nobody. */
export function operatorLogger(
  given: Logger | undefined,
  { runtime, level = 'info' }: { runtime: Runtime; level?: Level | undefined },
): Logger {
  const write = (line: string): void => void process.stderr.write(`${line}\n`);
  const own = jsonLogger({ write, now: () => runtime.clock.now(), level });
  return given === undefined ? own : steadyLogger(given, (problem) => own.warn(problem));
}
