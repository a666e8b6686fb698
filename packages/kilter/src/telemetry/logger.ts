import { inWords } from '../errors/index.ts';

/** The part of pino's interface Kilter uses: `logger: pino()` just works. */
export interface Logger {
  debug(fields: object, message?: string): void;
  debug(message: string): void;
  info(fields: object, message?: string): void;
  info(message: string): void;
  warn(fields: object, message?: string): void;
  warn(message: string): void;
  error(fields: object, message?: string): void;
  error(message: string): void;
  /** A logger that adds these fields to every line. */
  child(fields: object): Logger;
  /** False where lines of this level are left out: then they need not be made. Default: all are written. */
  isLevelEnabled?(level: string): boolean;
}

// pino's numeric levels, so that its tools read our lines.
export const levels = { debug: 20, info: 30, warn: 40, error: 50 } as const;
export type Level = keyof typeof levels;

export interface LoggerOptions {
  /** Takes one finished line, without the line break. */
  write(line: string): void;
  /** Milliseconds since 1970. */
  now(): number;
  /** Lines below it are left out. Default: 'info'. */
  level?: Level;
}

// An error may be its own cause: what lies deeper says no more.
const deepestCause = 5;

/** What JSON.stringify would lose of an error. */
function describe(value: unknown, depth = 0): unknown {
  if (!(value instanceof Error)) return value;
  const { name, message, stack, cause } = value;
  const code = 'code' in value ? { code: value.code } : {};
  if (depth === deepestCause) return { type: name, message, ...code };
  const errors = value instanceof AggregateError && { errors: value.errors.map((each) => describe(each, depth + 1)) };
  return {
    type: name,
    message,
    ...code,
    stack,
    ...errors,
    ...(cause !== undefined && { cause: describe(cause, depth + 1) }),
  };
}

function replaceErrors(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : describe(value);
}

/** Fields that cannot be written, as circular ones, cost themselves and not the line. */
function lineOf(base: object, fields: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify({ ...base, ...fields }, replaceErrors);
  } catch (error) {
    const writable = Object.entries(fields).filter(([, value]) => canBeWritten(value));
    const unwritable = error instanceof Error ? error.message : typeof error;
    return JSON.stringify({ ...base, ...Object.fromEntries(writable), unwritable }, replaceErrors);
  }
}

function canBeWritten(value: unknown): boolean {
  try {
    JSON.stringify(value, replaceErrors);
    return true;
  } catch {
    return false;
  }
}

/** An error without its stack, for what happens in every outage: the code says where to look. */
export function inBrief(error: unknown): { readonly error: string; readonly code?: unknown } {
  if (typeof error === 'string') return { error };
  try {
    if (error instanceof Error) return { error: error.message, ...('code' in error && { code: error.code }) };
  } catch {
    // It cannot be read: its general form is used instead.
  }
  return { error: inWords(error) };
}

// JSON has escaped what is below a space already; terminals act on the rest too, and some readers end a line at the last two.
// oxlint-disable-next-line no-control-regex -- they are what is looked for
const unescaped = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** What a terminal or a reader of lines would act on, escaped. */
export function oneLine(json: string): string {
  return json.replaceAll(unescaped, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** One JSON line per message, `{ time, level, msg, … }`. */
export function jsonLogger(options: LoggerOptions, bound: object = {}): Logger {
  const threshold = levels[options.level ?? 'info'];
  const emit =
    (level: Level) =>
    (fields: object | string, message?: string): void => {
      if (levels[level] < threshold) return;
      const [given, msg] = typeof fields === 'string' ? [{}, fields] : [fields, message];
      const base = { time: options.now(), level: levels[level], msg };
      options.write(oneLine(lineOf(base, { ...bound, ...given })));
    };
  return {
    debug: emit('debug'),
    info: emit('info'),
    warn: emit('warn'),
    error: emit('error'),
    child: (fields) => jsonLogger(options, { ...bound, ...fields }),
    isLevelEnabled: (level) => levels[level as Level] >= threshold,
  };
}

const ignore = (): void => undefined;
/** Says nothing: the default where nobody asked for logs. */
export const silentLogger: Logger = {
  debug: ignore,
  info: ignore,
  warn: ignore,
  error: ignore,
  child: () => silentLogger,
  isLevelEnabled: () => false,
};
