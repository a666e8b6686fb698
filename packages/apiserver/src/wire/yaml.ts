import { Buffer } from 'node:buffer';
import { stringifyJson } from '../values/index.ts';
import { type DecodedText, decodeJson } from './json.ts';
import { charactersIn, textOf } from './yaml-characters.ts';
import { jsonOf, unwritable } from './yaml-json.ts';
import { readYamlNodes } from './yaml-nodes.ts';
import { YamlProblem } from './yaml-reader.ts';
import { valueOfNode } from './yaml-values.ts';

const star = '*'.charCodeAt(0);
/** What aliases may add to a document, in characters: a few lines could otherwise ask for gigabytes. */
const maxAdded = 1_000_000;

/** The size of a value with all its aliases written out. */
function expandedSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const isList = Array.isArray(value);
  return Object.entries(value).reduce((sum, [key, item]) => sum + (isList ? 0 : key.length) + expandedSize(item), 1);
}

interface Read {
  /** JSON. */
  readonly value: unknown;
  readonly duplicates: readonly string[];
}

function read(bytes: Uint8Array): Read {
  const node = readYamlNodes(charactersIn(bytes));
  if (node === undefined) return { value: null, duplicates: [] };
  const { value, duplicates } = valueOfNode(node);
  const made = jsonOf(value);
  if (bytes.includes(star) && expandedSize(made) > bytes.length + maxAdded) {
    throw new YamlProblem('yaml: document contains excessive aliasing');
  }
  const missing = unwritable(value);
  if (missing !== undefined) throw new YamlProblem(`json: unsupported value: ${missing}`);
  return { value: made, duplicates };
}

/** Text in quotes that means the same to both, or what stands between two of them. Breaks within are folded by one and kept by the other. */
const jsonPart =
  // oxlint-disable-next-line no-control-regex -- a reader of YAML refuses them
  /"(?:[^"\\\0-\u001f\u007f-\u009f\u2028\u2029\ufffe\uffff]|\\(?:[^/u]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}))*"|[^"]+/y;
const longestKey = 1000;

/** A text of JSON with an `s` in the place of each text; undefined where one of them is long or something else. */
function withoutTexts(text: string): string | undefined {
  const parts: string[] = [];
  let end = 0;
  jsonPart.lastIndex = 0;
  for (let found = jsonPart.exec(text); found !== null; found = jsonPart.exec(text)) {
    const [part] = found;
    const isText = part.startsWith('"');
    if (isText && part.length > longestKey) return undefined;
    parts.push(isText ? 's' : part);
    end = jsonPart.lastIndex;
  }
  return end === text.length ? parts.join('') : undefined;
}

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  return items.reduce<number>((sum, item) => sum + keysIn(item), Array.isArray(value) ? 0 : items.length);
}

/** JSON that says the same to a reader of YAML, which most clients send in its place: recognized by its signs, which is quick. */
function sameAsYaml(text: string): DecodedText | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  const bare = withoutTexts(text);
  // Blanks and numbers mean something of their own, and so do keys that are long or stand twice.
  if (bare === undefined || !/^[\]\w{}[,:\s-]*$/.test(bare) || /[\t\r]|\d[.eE]|-0|:\s*\n|s\s+:/.test(bare))
    return undefined;
  const json = decodeJson(text);
  return json.ok && keysIn(json.value) === countOf(bare, /s:/g) ? json : undefined;
}

/** Reads the bytes of a YAML text, or JSON, which most clients send in its place. */
export function decodeYamlBytes(bytes: Uint8Array): DecodedText {
  const json = sameAsYaml(textOf(bytes) ?? '');
  if (json !== undefined) return json;
  try {
    const { value, duplicates } = read(bytes);
    return plain(value, duplicates);
  } catch (error) {
    if (error instanceof YamlProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

export const decodeYaml = (text: string): DecodedText => decodeYamlBytes(Buffer.from(text));

/** JSON's data model: no shared parts, only text keys. */
function plain(value: unknown, duplicates: readonly string[]): DecodedText {
  const decoded = decodeJson(stringifyJson(value));
  return decoded.ok ? { ...decoded, text: undefined, duplicates } : decoded;
}
