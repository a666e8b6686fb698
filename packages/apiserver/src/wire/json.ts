import { parseJson } from '../values/index.ts';

/** A body that was read, or why it could not be. */
export type DecodedText =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The JSON text, where it is one. */
      readonly text: string | undefined;
      /** What is to be said of keys that stood twice in a text that is not JSON. */
      readonly duplicates: readonly string[];
    }
  | { readonly ok: false; readonly problem: string };

/** A tenth of the real server's: its stack grows, that of JavaScript ends. */
export const maxDepth = 1000;
const realDepth = 10_000;
export const tooDeepHere: string = `exceeded max depth: the embedded API server reads ${maxDepth} lists and objects in each other, the real one ${realDepth}`;

/** The brackets that open the list or object one too deep for this server and for the real one; text in quotes does not count. */
function tooDeepAt(text: string): { here: string | undefined; real: string | undefined } {
  const found: { here: string | undefined; real: string | undefined } = { here: undefined, real: undefined };
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length && found.real === undefined; at += 1) {
    const character = text[at];
    if (character === '"') quoted = !quoted;
    else if (quoted) at += character === '\\' ? 1 : 0;
    else if (character === '[' || character === '{') {
      depth += 1;
      if (depth === maxDepth + 1) found.here ??= character;
      if (depth === realDepth + 1) found.real = character;
    } else if (character === ']' || character === '}') depth -= 1;
  }
  return found;
}

/** Go's words for what no server reads, and our own for what only this one does not. */
export function depthProblem(text: string): string | undefined {
  if (text.length <= maxDepth) return undefined;
  const { here, real } = tooDeepAt(text);
  if (real !== undefined) return `invalid character '${real}' exceeded max depth`;
  return here === undefined ? undefined : tooDeepHere;
}

/** What is wrong with a text that is not JSON, in the words of Go's decoder where they are known. */
function jsonProblem(text: string, error: unknown): string {
  const trimmed = text.trimStart();
  if (trimmed === '') return 'unexpected end of JSON input';
  const first = trimmed[0] ?? '';
  if (!/[[{"\-\dtfn]/.test(first)) return `invalid character '${first}' looking for beginning of value`;
  const problem = error instanceof Error ? error.message : String(error);
  return /^(Unexpected end|Unterminated string)/.test(problem) ? 'unexpected end of JSON input' : problem;
}

/** The first number that is none: Go's floats end where those of JavaScript do. */
const endlessNumber = /-?(?:\d+(?:\.\d+)?[eE]\+?\d{3,}|\d{309,}(?:\.\d+)?(?:[eE][-+]?\d+)?)/;

/** Reads JSON; integers that a JavaScript number cannot hold become bigint. */
export function decodeJson(text: string): DecodedText {
  const tooDeep = depthProblem(text);
  if (tooDeep !== undefined) return { ok: false, problem: tooDeep };
  try {
    const value = parseJson(text);
    const endless = endlessNumber.exec(text);
    if (endless !== null && infinite(value))
      return { ok: false, problem: `json: cannot unmarshal number ${endless[0]} into Go value of type float64` };
    return { ok: true, value, text, duplicates: [] };
  } catch (error) {
    return { ok: false, problem: jsonProblem(text, error) };
  }
}

/** Whether a number became infinite, which JSON cannot say. */
function infinite(value: unknown): boolean {
  if (typeof value === 'number') return !Number.isFinite(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(infinite);
}
