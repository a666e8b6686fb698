import { type Code, cureOf } from './table.ts';

// Registered, so that two copies of this package in one process recognise each other's errors.
const mark = Symbol.for('kilter.error');

export interface KilterErrorOptions extends ErrorOptions {
  /** What to do about it, where the table's general cure can be said more exactly. */
  cure?: string | undefined;
  /** The code the message names. Default: the error's own. A wrapper names that of what it wraps, which is the one to look up. */
  shownCode?: Code | undefined;
}

/** Every error Kilter throws: a code to switch on, a message that says what happened, a cure. */
export class KilterError extends Error {
  readonly code: Code;
  readonly cure: string;
  /** The message without code and cure. Another error quotes this, so that the cure appears only once. */
  declare readonly summary: string;

  constructor(code: Code, message: string, options: KilterErrorOptions = {}) {
    const cure = options.cure ?? cureOf(code);
    super(
      `${message} (${options.shownCode ?? code}: ${cure})`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.name = 'KilterError';
    this.code = code;
    this.cure = cure;
    Object.defineProperty(this, mark, { value: true });
    Object.defineProperty(this, 'summary', { value: message });
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (this !== KilterError) return Function.prototype[Symbol.hasInstance].call(this, value);
    return typeof value === 'object' && value !== null && safely(() => mark in value);
  }
}

/** Anything can be thrown, a proxy that throws at every look included. */
function safely(look: () => boolean): boolean {
  try {
    return look();
  } catch {
    return false;
  }
}

function causeOf(error: unknown): unknown {
  try {
    return error instanceof Error ? error.cause : undefined;
  } catch {
    return undefined;
  }
}

/** Walks an error and its causes, outermost first; a cycle ends the walk. */
export function* causeChain(error: unknown): Generator<unknown> {
  const seen = new Set<unknown>();
  for (let current = error; current !== undefined && !seen.has(current);) {
    seen.add(current);
    yield current;
    current = causeOf(current);
  }
}

/** The first error of the chain that is an instance of `type`. */
export function findCause<T>(error: unknown, type: abstract new (...args: never[]) => T): T | undefined {
  for (const link of causeChain(error)) if (safely(() => link instanceof type)) return link as T;
  return undefined;
}

export function hasCode(error: unknown, code: Code): boolean {
  for (const link of causeChain(error)) if (link instanceof KilterError && link.code === code) return true;
  return false;
}
