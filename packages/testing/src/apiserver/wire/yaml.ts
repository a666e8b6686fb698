import { boolYaml11Tag, CORE_SCHEMA, dump, intYaml11Tag, load, mergeTag, YAMLException } from 'js-yaml';
import { type DecodedText, decodeJson } from './json.ts';

/** The YAML of Kubernetes' own reader: `yes` is true and 0644 is octal, while times stay text. */
const schema = CORE_SCHEMA.withTags(mergeTag, boolYaml11Tag, intYaml11Tag);

/** Aliases multiply: a few lines could otherwise ask for gigabytes. */
const limits = { maxAliases: 100, maxDepth: 100 };

/** What aliases may add to a document, in characters. */
const maxAdded = 1_000_000;

/** The size of a value with all its aliases written out; each shared part is measured once, so that this is quick. */
function expandedSize(value: unknown, known: Map<object, number>): number {
  if (typeof value === 'string') return value.length + 1;
  if (typeof value !== 'object' || value === null) return 1;
  const measured = known.get(value);
  if (measured !== undefined) return measured;
  // A cycle comes back to here before its sum is known.
  known.set(value, Infinity);
  const sizes = Object.entries(value).map(
    ([key, item]) => (Array.isArray(value) ? 0 : key.length) + expandedSize(item, known),
  );
  const size = sizes.reduce((sum, one) => sum + one, 1);
  known.set(value, size);
  return size;
}

function read(text: string, options: { json?: true } = {}): unknown {
  const value = load(text, { schema, ...limits, ...options });
  if (expandedSize(value, new Map()) > text.length + maxAdded)
    throw new YAMLException('document contains excessive aliasing');
  return value;
}

/** The key that stands twice, from the place the parser points to. */
function repeatedKey(text: string, error: YAMLException): string {
  const at = error.mark?.position ?? 0;
  return /^["']?([^"':\s]+)/.exec(text.slice(at))?.[1] ?? '';
}

/** Reads YAML, or JSON, which most clients send in its place. */
export function decodeYaml(text: string): DecodedText {
  if (/^\s*[{[]/.test(text)) {
    const json = decodeJson(text);
    if (json.ok) return json;
  }
  try {
    return plain(read(text), []);
  } catch (error) {
    const repeated = error instanceof YAMLException && error.reason?.includes('duplicate') === true;
    return repeated ? decodeRepeated(text, repeatedKey(text, error)) : refused(error);
  }
}

function decodeRepeated(text: string, key: string): DecodedText {
  try {
    return plain(read(text, { json: true }), [key]);
  } catch (error) {
    return refused(error);
  }
}

function refused(error: unknown): DecodedText {
  return { ok: false, problem: error instanceof Error ? error.message : String(error) };
}

/** JSON's data model: no shared parts, no cycles, only text keys. */
function plain(value: unknown, duplicates: readonly string[]): DecodedText {
  const text = JSON.stringify(value) as string | undefined;
  const decoded = decodeJson(text ?? 'null');
  return decoded.ok ? { ...decoded, text: undefined, duplicates } : decoded;
}

export function encodeYaml(value: unknown): string {
  return dump(value, { sortKeys: true, noRefs: true });
}
