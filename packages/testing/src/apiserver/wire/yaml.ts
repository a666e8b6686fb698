import { boolYaml11Tag, CORE_SCHEMA, dump, intYaml11Tag, load, mergeTag, YAMLException } from 'js-yaml';
import { type DecodedText, decodeJson } from './json.ts';

/** The YAML of Kubernetes' own reader: `yes` is true and 0644 is octal, while times stay text. */
const schema = CORE_SCHEMA.withTags(mergeTag, boolYaml11Tag, intYaml11Tag);

/** Aliases multiply: a few lines could otherwise ask for gigabytes. */
const limits = { maxAliases: 100, maxDepth: 100 };

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
    return plain(load(text, { schema, ...limits }), []);
  } catch (error) {
    const repeated = error instanceof YAMLException && error.reason?.includes('duplicate') === true;
    if (!repeated) return { ok: false, problem: error instanceof Error ? error.message : String(error) };
    return plain(load(text, { schema, json: true, ...limits }), [repeatedKey(text, error)]);
  }
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
