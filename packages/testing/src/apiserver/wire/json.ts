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

/** Sixteen digits in a row: below that every integer is exact. */
const longNumber = /\d{16}/;

/** The first integer of a text that a JavaScript number cannot hold. */
function inexactInteger(text: string): string | undefined {
  if (!longNumber.test(text)) return undefined;
  let found: string | undefined;
  const note = (_: string, value: unknown, context?: { source?: string }): unknown => {
    const source = context?.source ?? '';
    if (typeof value === 'number' && /^-?\d+$/.test(source) && !Number.isSafeInteger(value)) found ??= source;
    return value;
  };
  JSON.parse(text, note as (key: string, value: unknown) => unknown);
  return found;
}

/** What is wrong with a text that is no JSON, in the words of Go's decoder where they are known. */
function jsonProblem(text: string, error: unknown): string {
  const trimmed = text.trimStart();
  if (trimmed === '') return 'unexpected end of JSON input';
  const first = trimmed[0] ?? '';
  if (!/[[{"\-\dtfn]/.test(first)) return `invalid character '${first}' looking for beginning of value`;
  return error instanceof Error ? error.message : String(error);
}

/** Reads JSON. Integers that would be rounded are refused: storing another number than was sent would be a lie. */
export function decodeJson(text: string): DecodedText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, problem: jsonProblem(text, error) };
  }
  const inexact = inexactInteger(text);
  if (inexact === undefined) return { ok: true, value, text, duplicates: [] };
  const problem = `the embedded API server cannot hold the integer ${inexact} exactly yet: use a string, or a number below 2^53`;
  return { ok: false, problem };
}
