/** A body that was read, or why it could not be. */
export type DecodedText =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The JSON text, where it is one. */
      readonly text: string | undefined;
      /** Keys that stood twice in a text that is no JSON. */
      readonly duplicates: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** Sixteen digits in a row, or an exponent of three: below that every integer is exact and every number finite. */
const longNumber = /\d{16}|[eE]\+?\d{3}/;

/** The first number of a text that a JavaScript number cannot hold, fractions aside. */
function inexactNumber(text: string): string | undefined {
  if (!longNumber.test(text)) return undefined;
  let found: string | undefined;
  const note = (_: string, value: unknown, context?: { source?: string }): unknown => {
    const source = context?.source ?? '';
    const fits =
      typeof value !== 'number' || (/^-?\d+$/.test(source) ? Number.isSafeInteger(value) : Number.isFinite(value));
    if (!fits) found ??= source;
    return value;
  };
  JSON.parse(text, note as (key: string, value: unknown) => unknown);
  return found;
}

/** A tenth of the real server's: its stack grows, that of JavaScript ends. */
const maxDepth = 1000;

/** Whether lists and objects lie deeper in each other than the server reads; text in quotes does not count. */
function isTooDeep(text: string): boolean {
  if (text.length <= maxDepth) return false;
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length && depth <= maxDepth; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') depth += 1;
    else if (character === ']' || character === '}') depth -= 1;
  }
  return depth > maxDepth;
}

const tooDeep = `exceeded max depth: the embedded API server reads ${maxDepth} lists and objects in each other, the real one 10000`;

/** What is wrong with a text that is no JSON, in the words of Go's decoder where they are known. */
function jsonProblem(text: string, error: unknown): string {
  const trimmed = text.trimStart();
  if (trimmed === '') return 'unexpected end of JSON input';
  const first = trimmed[0] ?? '';
  if (!/[[{"\-\dtfn]/.test(first)) return `invalid character '${first}' looking for beginning of value`;
  return error instanceof Error ? error.message : String(error);
}

/** Reads JSON. Numbers that would become others are refused: storing another number than was sent would be a lie. */
export function decodeJson(text: string): DecodedText {
  if (isTooDeep(text)) return { ok: false, problem: tooDeep };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: jsonProblem(text, error) };
  }
  const inexact = inexactNumber(text);
  if (inexact === undefined) return { ok: true, value, text, duplicates: [] };
  const problem = `the embedded API server cannot hold the number ${inexact} exactly yet: use a string, or a number below 2^53`;
  return { ok: false, problem };
}
