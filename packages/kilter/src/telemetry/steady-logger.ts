import { isPromise } from '../internal/index.ts';
import type { Level, Logger } from './logger.ts';

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error'];

/** Marks loggers that are steady already, so that none is wrapped twice. */
const steady = new WeakSet<Logger>();

function words(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error);
  } catch {
    // An object without a prototype cannot be turned into text.
    return typeof error;
  }
}

/**
 * As the logger given, but whatever it throws or rejects with harms nobody: a run must not fail because of a line about it. The first
 * failure is reported through `tell`, with the line that was lost; a child that cannot be made is its parent.
 */
export function steadyLogger(logger: Logger, tell: (problem: string) => void): Logger {
  if (steady.has(logger)) return logger;
  let told = false;
  const failed = (error: unknown, message: unknown): void => {
    if (told) return;
    told = true;
    tell(
      `the logger threw ${JSON.stringify(words(error))} at the line ${JSON.stringify(message)}; further failures are not reported`,
    );
  };
  const wrap = (given: Logger): Logger => {
    const emit =
      (level: Level) =>
      (fields: object | string, message?: string): void => {
        const lost = (error: unknown): void => failed(error, typeof fields === 'string' ? fields : message);
        try {
          const answer: unknown = typeof fields === 'string' ? given[level](fields) : given[level](fields, message);
          // A logger that sends its lines somewhere may do so without waiting; nobody else would hear that it failed.
          if (isPromise(answer)) (answer as Promise<unknown>).then(undefined, lost);
        } catch (error) {
          lost(error);
        }
      };
    const [debug, info, warn, error] = levels.map(emit) as [
      Logger['debug'],
      Logger['debug'],
      Logger['debug'],
      Logger['debug'],
    ];
    const child: Logger['child'] = (fields) => {
      try {
        const inner = given.child(fields);
        if (isPromise(inner)) throw new TypeError('child() returned a promise');
        return wrap(inner);
      } catch (thrown) {
        failed(thrown, 'child');
        return made;
      }
    };
    const isLevelEnabled = (level: string): boolean => {
      try {
        const answer: unknown = given.isLevelEnabled?.(level) ?? true;
        return isPromise(answer) || Boolean(answer);
      } catch (thrown) {
        failed(thrown, 'isLevelEnabled');
        return true;
      }
    };
    const made: Logger = { debug, info, warn, error, child, isLevelEnabled };
    steady.add(made);
    return made;
  };
  return wrap(logger);
}
