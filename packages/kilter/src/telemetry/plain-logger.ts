import type { Level, Logger } from './logger.ts';

/** A logger without children that takes a message and then anything: `console`. */
export type PlainLogger = Readonly<Record<Level, (...data: unknown[]) => void>>;

const isPlain = (given: Logger | PlainLogger): given is PlainLogger =>
  !('child' in given) || typeof given.child !== 'function';

function withFields(plain: PlainLogger, bound: object): Logger {
  const emit =
    (level: Level) =>
    // What the logger returns is handed on: one that sends its lines somewhere returns a promise, which somebody has to look after.
    (fields: object | string, message?: string): void => {
      const all = typeof fields === 'string' ? bound : { ...bound, ...fields };
      const text = typeof fields === 'string' ? fields : (message ?? '');
      // As a method: some loggers look at what they are called on.
      return Object.keys(all).length === 0 ? plain[level](text) : plain[level](text, all);
    };
  return {
    debug: emit('debug'),
    info: emit('info'),
    warn: emit('warn'),
    error: emit('error'),
    child: (fields) => withFields(plain, { ...bound, ...fields }),
  };
}

/** Loggers as they are: pino's interface, or the console's. */
export function asLogger(given: Logger | PlainLogger): Logger {
  return isPlain(given) ? withFields(given, {}) : given;
}

/** What a logger lacks; undefined where it can be used. */
export function missingMethod(given: unknown): string | undefined {
  const methods: readonly Level[] = ['debug', 'info', 'warn', 'error'];
  if (typeof given !== 'object' && typeof given !== 'function') return 'debug';
  return methods.find((method) => typeof (given as Record<string, unknown> | null)?.[method] !== 'function');
}
