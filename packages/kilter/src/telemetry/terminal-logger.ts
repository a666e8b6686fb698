import { inWords, inWordsWithCauses } from '../errors/index.ts';
import { type Level, levels, type Logger, oneLine } from './logger.ts';

export interface TerminalLoggerOptions {
  /** Takes finished text, without the last line break. */
  write(text: string): void;
  /** Milliseconds since 1970. */
  now(): number;
  /** Lines below it are left out. Default: 'info'. */
  level?: Level | undefined;
  /** Write the stack of an error below its line. Default: false. */
  stacks?: boolean | undefined;
  /** Default: false. */
  colors?: boolean | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

const colorOf: Readonly<Record<Level, string>> = {
  debug: '\u001b[2m',
  info: '\u001b[32m',
  warn: '\u001b[33m',
  error: '\u001b[31m',
};
const dim = '\u001b[2m';
const plain = '\u001b[0m';

// A line that fills three rows of a terminal is read by nobody.
const longestValue = 200;

/** `12:03:04.120`, in the time zone of whoever sits there. */
function clockTime(ms: number): string {
  // oxlint-disable-next-line no-restricted-globals -- only shown, and of a time that was given
  const at = new Date(ms);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}.${String(at.getMilliseconds()).padStart(3, '0')}`;
}

/** As JSON writes it, but without quotes where none are needed. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' && /^[^\s"=]+$/.test(value) ? value : (json(value) ?? String(value));
  return text.length > longestValue ? `${text.slice(0, longestValue)}…` : text;
}

function json(value: unknown): string | undefined {
  try {
    return JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'bigint' ? inner.toString() : inner instanceof Error ? inWords(inner) : inner,
    );
  } catch {
    return '(cannot be written)';
  }
}

/** `webapp default/shop`: what every line of a run is about. */
function subjectOf({ controller, namespace, name, part }: Fields): string {
  if (typeof controller !== 'string') return typeof part === 'string' ? part : '';
  if (typeof name !== 'string') return controller;
  return `${controller} ${typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : ''}${name}`;
}

/** Said by the subject, or for machines. */
function isShownElsewhere(field: string, { controllerKind }: Fields): boolean {
  return [
    'controller',
    'controllerGroup',
    'controllerKind',
    'namespace',
    'name',
    'part',
    'reconcileID',
    'err',
    'error',
    'code',
    controllerKind,
  ].includes(field);
}

function errorOf({ err, error }: Fields): string {
  if (err !== undefined) return inWordsWithCauses(err);
  return typeof error === 'string' ? error : error === undefined ? '' : valueText(error);
}

/** The stack without its first line, which the message says already; and that of what caused it. */
function stackOf(error: unknown, depth = 0): string[] {
  if (!(error instanceof Error) || depth > 5) return [];
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  const cause =
    error.cause instanceof Error
      ? [`    caused by ${oneLine(error.cause.message)}`, ...stackOf(error.cause, depth + 1)]
      : [];
  return [...frames.map((line) => `    ${oneLine(line.trim())}`), ...cause];
}

/** One line per message, for people at a terminal: time, level, what it is about, what happened, what else is known. */
export function terminalLogger(options: TerminalLoggerOptions, bound: Fields = {}): Logger {
  const { level: lowest = 'info', stacks = false, colors = false } = options;
  const paint = (color: string, text: string): string => (colors ? `${color}${text}${plain}` : text);
  const emit =
    (level: Level) =>
    (given: object | string, message?: string): void => {
      if (levels[level] < levels[lowest]) return;
      const fields: Fields = typeof given === 'string' ? bound : { ...bound, ...given };
      const text = typeof given === 'string' ? given : (message ?? '');
      const error = errorOf(fields);
      const rest = Object.entries(fields)
        .filter(([field, value]) => value !== undefined && !isShownElsewhere(field, fields))
        .map(([field, value]) => `${field}=${valueText(value)}`);
      const parts = [
        paint(dim, clockTime(options.now())),
        paint(colorOf[level], level.toUpperCase().padEnd(5)),
        oneLine(subjectOf(fields)),
        oneLine([text, error].filter((words) => words !== '').join(': ')),
        rest.length === 0 ? '' : paint(dim, oneLine(rest.join(' '))),
      ];
      const line = parts.filter((words) => words !== '').join('  ');
      options.write(stacks ? [line, ...stackOf(fields['err'])].join('\n') : line);
    };
  return {
    debug: emit('debug'),
    info: emit('info'),
    warn: emit('warn'),
    error: emit('error'),
    child: (fields) => terminalLogger(options, { ...bound, ...fields }),
    isLevelEnabled: (level) => levels[level as Level] >= levels[lowest],
  };
}
