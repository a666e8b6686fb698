// The characters of a YAML text, one after the other, with the place of each.
import type { Characters } from './yaml-characters.ts';

export interface Mark {
  readonly index: number;
  /** From 0 on, as columns are. */
  readonly line: number;
  readonly column: number;
}

/** What is wrong with a text, in the words of the server's own reader. */
export class YamlProblem extends Error {
  override readonly name = 'YamlProblem';
}

/** The reader counts lines from 1 where characters are at fault, from 0 where their order is; the first line is never named. */
export function problemAt(problem: string, lines: readonly number[]): YamlProblem {
  const line = lines.find((one) => one !== 0);
  return new YamlProblem(line === undefined ? `yaml: ${problem}` : `yaml: line ${line}: ${problem}`);
}

const breaks = new Set(['\n', '\r', '\u0085', '\u2028', '\u2029']);

export const isBreak = (character: string): boolean => breaks.has(character);
export const isBlank = (character: string): boolean => character === ' ' || character === '\t';
/** A blank, a line break, or the end. */
export const isGap = (character: string): boolean => character === '' || isBlank(character) || isBreak(character);
export const isWord = (character: string): boolean => /^[0-9A-Za-z_-]$/.test(character);

export class YamlReader {
  readonly #characters: readonly string[];
  readonly #problem: string | undefined;
  #index = 0;
  #line = 0;
  #column = 0;

  constructor({ all, problem }: Characters) {
    this.#characters = all;
    this.#problem = problem;
  }

  get mark(): Mark {
    return { index: this.#index, line: this.#line, column: this.#column };
  }

  get line(): number {
    return this.#line;
  }

  get column(): number {
    return this.#column;
  }

  get index(): number {
    return this.#index;
  }

  /** The character here, or so many further on; the empty text behind the end. */
  peek(ahead = 0): string {
    const character = this.#characters[this.#index + ahead];
    if (character === undefined && this.#problem !== undefined) throw new YamlProblem(`yaml: ${this.#problem}`);
    return character ?? '';
  }

  get isEnd(): boolean {
    return this.peek() === '';
  }

  starts(text: string): boolean {
    return Array.from(text).every((character, ahead) => this.peek(ahead) === character);
  }

  /** `---` or `...` at the beginning of a line. */
  get isAtDocument(): boolean {
    return this.#column === 0 && (this.starts('---') || this.starts('...')) && isGap(this.peek(3));
  }

  skip(count = 1): void {
    this.#index += count;
    this.#column += count;
  }

  /** The character here, which is passed. */
  take(): string {
    const character = this.peek();
    this.skip();
    return character;
  }

  /** What is passed as long as it holds. */
  takeWhile(holds: (character: string) => boolean): string {
    let taken = '';
    while (!this.isEnd && holds(this.peek())) taken += this.take();
    return taken;
  }

  /** Passes a line break, and says what it is in a text. */
  takeBreak(): string {
    const first = this.peek();
    if (!isBreak(first)) return '';
    this.#index += first === '\r' && this.peek(1) === '\n' ? 2 : 1;
    this.#line += 1;
    this.#column = 0;
    return first === '\u2028' || first === '\u2029' ? first : '\n';
  }

  skipComment(): void {
    if (this.peek() === '#') while (!this.isEnd && !isBreak(this.peek())) this.skip();
  }

  /** The end counts as a line of its own. */
  finish(): void {
    if (this.#column === 0) return;
    this.#column = 0;
    this.#line += 1;
  }

  problem(text: string, context?: Mark): YamlProblem {
    return problemAt(text, [this.#line === 0 ? 0 : this.#line + 1, context?.line ?? 0]);
  }
}
