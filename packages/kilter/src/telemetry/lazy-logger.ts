import type { Logger } from './logger.ts';

type Line = [fields: object, message?: string | undefined];

/** A logger that is made with the first line: most runs write none. A class: six functions for each run would be six objects. */
class LazyLogger implements Logger {
  readonly #make: () => Logger;
  #made: Logger | undefined = undefined;

  constructor(make: () => Logger) {
    this.#make = make;
  }

  get #logger(): Logger {
    return (this.#made ??= this.#make());
  }

  debug(...line: Line | [string]): void {
    this.#logger.debug(...(line as Line));
  }

  info(...line: Line | [string]): void {
    this.#logger.info(...(line as Line));
  }

  warn(...line: Line | [string]): void {
    this.#logger.warn(...(line as Line));
  }

  error(...line: Line | [string]): void {
    this.#logger.error(...(line as Line));
  }

  child(fields: object): Logger {
    return this.#logger.child(fields);
  }

  isLevelEnabled(level: string): boolean {
    return this.#logger.isLevelEnabled?.(level) ?? true;
  }
}

export function lazyLogger(make: () => Logger): Logger {
  return new LazyLogger(make);
}
