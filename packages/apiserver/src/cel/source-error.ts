/** What is wrong with an expression, and where. */
export interface Flaw {
  /** Where in the text, counted in UTF-16 units from 0; undefined: it is about the whole. */
  readonly at: number | undefined;
  readonly message: string;
}

/** The expression cannot be read. */
export class SyntaxFailure extends Error {
  readonly flaws: readonly Flaw[];

  constructor(flaws: readonly Flaw[]) {
    super(flaws.map(({ message }) => message).join('\n'));
    this.flaws = flaws;
  }
}

export const syntaxFlaw = (at: number, what: string): Flaw => ({ at, message: `Syntax error: ${what}` });

interface SourcePosition {
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

function positionOf(source: string, at: number): SourcePosition {
  const before = source.slice(0, at);
  const start = before.lastIndexOf('\n') + 1;
  const end = source.indexOf('\n', at);
  return {
    line: before.split('\n').length,
    column: Array.from(before.slice(start)).length,
    text: source.slice(start, end < 0 ? undefined : end),
  };
}

// Characters that are not ASCII get a wide dot each, and a wide mark.
const isWide = (character: string | undefined): boolean => (character?.codePointAt(0) ?? 0) > 0x7f;

/** A flaw with a picture of its line, as the server shows it. */
function flawText(source: string, { at, message }: Flaw): string {
  if (at === undefined) return `ERROR: <input>:-1:0: ${message}`;
  const { line, column, text } = positionOf(source, at);
  const shown = text.replaceAll('\t', ' ');
  const characters = Array.from(shown);
  const dots = characters.slice(0, column).map((character) => (isWide(character) ? '．' : '.'));
  const mark = isWide(characters[column]) ? '＾' : '^';
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${shown}\n | ${dots.join('')}${mark}`;
}

/** All flaws of an expression, in the order of their places. */
export function flawsText(source: string, flaws: readonly Flaw[]): string {
  return flaws
    .toSorted((a, b) => (a.at ?? -1) - (b.at ?? -1))
    .map((flaw) => flawText(source, flaw))
    .join('\n');
}
