import { stringifyJson } from '../values/index.ts';
import { type DecodedText, decodeJson } from './json.ts';
import { readYamlNodes } from './yaml-nodes.ts';
import { YamlProblem } from './yaml-reader.ts';
import { unwritable, valueOfNode, type YamlValue } from './yaml-values.ts';

/** What aliases may add to a document, in characters: a few lines could otherwise ask for gigabytes. */
const maxAdded = 1_000_000;

/** The size of a value with all its aliases written out. */
function expandedSize(value: unknown): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const isList = Array.isArray(value);
  return Object.entries(value).reduce((sum, [key, item]) => sum + (isList ? 0 : key.length) + expandedSize(item), 1);
}

function read(text: string): YamlValue {
  const node = readYamlNodes(text);
  if (node === undefined) return { value: null, duplicates: [] };
  const made = valueOfNode(node);
  if (text.includes('*') && expandedSize(made.value) > text.length + maxAdded) {
    throw new YamlProblem('yaml: document contains excessive aliasing');
  }
  return made;
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Reads the bytes of a YAML text. */
export function decodeYamlBytes(bytes: Uint8Array): DecodedText {
  let text: string;
  try {
    text = strict.decode(bytes);
  } catch {
    return { ok: false, problem: 'yaml: invalid leading UTF-8 octet' };
  }
  return decodeYaml(text);
}

const jsonText = /"(?:[^"\\]|\\(?:[^/u]|u(?![dD][89a-fA-F])[0-9a-fA-F]{4}))*"/g;
const longestKey = 1000;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const items = Object.values(value);
  return items.reduce<number>((sum, item) => sum + keysIn(item), Array.isArray(value) ? 0 : items.length);
}

/** JSON that says the same to a reader of YAML, which most clients send in its place: told by its signs, which is quick. */
function sameAsYaml(text: string): DecodedText | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined;
  let long = false;
  const bare = text.replaceAll(jsonText, (found) => {
    long ||= found.length > longestKey;
    return 's';
  });
  // Blanks and numbers mean something of their own, and so do keys that are long or stand twice.
  if (long || !/^[\]\w{}[,:\s-]*$/.test(bare) || /[\t\r]|\d[.eE]|-0|:\s*\n/.test(bare)) return undefined;
  const json = decodeJson(text);
  return json.ok && keysIn(json.value) === countOf(bare, /s\s*:/g) ? json : undefined;
}

/** Reads YAML, or JSON, which most clients send in its place. */
export function decodeYaml(text: string): DecodedText {
  const json = sameAsYaml(text);
  if (json !== undefined) return json;
  try {
    const { value, duplicates } = read(text);
    const missing = unwritable(value);
    if (missing !== undefined) return { ok: false, problem: `json: unsupported value: ${missing}` };
    return plain(value, duplicates);
  } catch (error) {
    if (error instanceof YamlProblem) return { ok: false, problem: error.message };
    throw error;
  }
}

/** JSON's data model: no shared parts, only text keys. */
function plain(value: unknown, duplicates: readonly string[]): DecodedText {
  const decoded = decodeJson(stringifyJson(value));
  return decoded.ok ? { ...decoded, text: undefined, duplicates } : decoded;
}
