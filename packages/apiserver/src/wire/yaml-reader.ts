// The characters of a YAML text, one after the other, with the place of each.

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

// oxlint-disable-next-line no-control-regex -- these are what it is about
const forbidden = /[^\t\n\r\u0020-\u007e\u0085\u00a0-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;

/** So many bytes are read at once: a character that may not be there is found with the first of its neighbours. */
const blockSize = 512;

const sizeOf = (character: string): number => {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x1_00_00 ? 3 : 4;
};

/** Where the block begins in which the first character stands that may not be there; never, if all may. */
function endOf(characters: readonly string[], text: string): number {
  if (!forbidden.test(text)) return Infinity;
  let [bytes, start] = [0, 0];
  for (const [index, character] of characters.entries()) {
    if (forbidden.test(character)) return start;
    const before = Math.floor(bytes / blockSize);
    bytes += sizeOf(character);
    if (Math.floor(bytes / blockSize) > before) start = index + 1;
  }
  return Infinity;
}

const breaks = new Set(['\n', '\r', '\u0085', '\u2028', '\u2029']);

export const isBreak = (character: string): boolean => breaks.has(character);
export const isBlank = (character: string): boolean => character === ' ' || character === '\t';
/** A blank, a line break, or the end. */
export const isGap = (character: string): boolean => character === '' || isBlank(character) || isBreak(character);
export const isWord = (character: string): boolean => /^[0-9A-Za-z_-]$/.test(character);

export class YamlReader {
  readonly #characters: readonly string[];
  readonly #readable: number;
  #index = 0;
  #line = 0;
  #column = 0;

  constructor(text: string) {
    // What tells the order of bytes counts at the beginning alone.
    this.#characters = Array.from(text.replace(/^\ufeff/, ''));
    this.#readable = endOf(this.#characters, text);
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
    const index = this.#index + ahead;
    if (index >= this.#readable) throw new YamlProblem('yaml: control characters are not allowed');
    return this.#characters[index] ?? '';
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
