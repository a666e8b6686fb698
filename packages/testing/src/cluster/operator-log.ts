// What operators log in a test: kept, compact, and shown where something fails, because a test that passes has nothing to say.
import type { Logger } from 'kilter';

/** The variable that has every line printed at once. */
export const logVariable = 'KILTER_TEST_LOG';

type Level = 'debug' | 'info' | 'warn' | 'error';

const most = 500;
const longestValue = 300;

export interface OperatorLogOptions {
  /** Hears each line as it is kept. Default: nobody. */
  readonly print?: ((line: string) => void) | undefined;
}

export class OperatorLog {
  /** The newest, oldest first; at most `most`. */
  readonly #lines: string[] = [];
  readonly #print: ((line: string) => void) | undefined;

  constructor({ print }: OperatorLogOptions = {}) {
    this.#print = print;
  }

  get lines(): readonly string[] {
    return [...this.#lines];
  }

  /** For one operator. */
  logger(operator: string, bound: object = {}): Logger {
    const emit =
      (level: Level) =>
      (given: object | string, message?: string): void => {
        if (level === 'debug') return;
        const [fields, text] = typeof given === 'string' ? [{}, given] : [given, message];
        this.#keep(`${operator} ${level}: ${[text, ...words({ ...bound, ...fields })].join(' ')}`);
      };
    return {
      debug: emit('debug'),
      info: emit('info'),
      warn: emit('warn'),
      error: emit('error'),
      child: (fields) => this.logger(operator, { ...bound, ...fields }),
    };
  }

  #keep(line: string): void {
    this.#lines.push(line);
    if (this.#lines.length > most) this.#lines.shift();
    this.#print?.(line);
  }
}

/** What a line about a run says twice: for queries over the logs of many operators, not for a person with one. */
const repeated = /^([A-Z].*|controllerGroup|controllerKind|reconcileID)$/;

/** `key=default/a error="it broke" at=/app/main.ts:7:11`; of an error its message and where it was thrown, not its stack. */
function words(fields: object): string[] {
  return Object.entries(fields)
    .filter(([name, value]) => value !== undefined && !repeated.test(name))
    .flatMap(([name, value]) => [`${name}=${wordOf(value)}`, ...placeOf(value)]);
}

// Frames of Node and of packages say where an error passed, not whose line it was.
const foreignFrame = /node:|[\\/]node_modules[\\/]/;

/** The line of the user's code that the first cause of an error came from, where its stack shows one. */
function placeOf(value: unknown): string[] {
  const places: string[] = [];
  try {
    const seen = new Set<unknown>();
    for (let error = value; error instanceof Error && !seen.has(error); error = error.cause) {
      seen.add(error);
      const frames = String(error.stack).split('\n');
      const frame = frames.find((line) => /^ +at /.test(line) && !foreignFrame.test(line));
      const place = frame?.match(/(?:file:\/\/)?([^\s()]+:\d+:\d+)\)?$/)?.[1];
      if (place !== undefined) places.push(`at=${place}`);
    }
  } catch {
    // A proxy may refuse to be looked at: the line matters more than the place.
  }
  return places.slice(-1);
}

function wordOf(value: unknown): string {
  if (typeof value === 'string' && /^[\w./:-]+$/.test(value)) return value;
  const text = value instanceof Error ? JSON.stringify(value.message) : jsonOf(value);
  return text.length <= longestValue ? text : `${text.slice(0, longestValue)}…`;
}

function jsonOf(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    // Circular, or a bigint: the line matters more than the field.
    return typeof value;
  }
}
