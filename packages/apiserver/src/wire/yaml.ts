import {
  defineScalarTag,
  FAILSAFE_SCHEMA,
  loadAll,
  type LoadOptions,
  mergeTag,
  NOT_RESOLVED,
  YAMLException,
} from 'js-yaml';
import { stringifyJson } from '../values/index.ts';
import { type DecodedText, decodeJson } from './json.ts';
import { numberIn, wordIn } from './yaml-scalars.ts';

const never = (): boolean => false;

/** The YAML of Kubernetes' own reader: `yes` is true and 0644 is octal, while times stay text. */
const schema = FAILSAFE_SCHEMA.withTags(
  mergeTag,
  defineScalarTag<boolean>('tag:yaml.org,2002:bool', {
    implicit: true,
    identify: never,
    resolve: (text) => wordIn(text) ?? NOT_RESOLVED,
  }),
  defineScalarTag<null>('tag:yaml.org,2002:null', {
    implicit: true,
    identify: never,
    resolve: (text) => (wordIn(text) === null ? null : NOT_RESOLVED),
  }),
  defineScalarTag<number | bigint>('tag:yaml.org,2002:float', {
    implicit: true,
    identify: never,
    resolve: (text) => numberIn(text) ?? NOT_RESOLVED,
  }),
);

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

const behind = 'end of the stream or a document separator is expected';

/** Only the first document counts; what comes after it is not looked at. */
function documents(text: string, options: LoadOptions): unknown[] {
  try {
    return loadAll(text, options);
  } catch (error) {
    const end = error instanceof YAMLException && error.reason === behind ? (error.mark?.position ?? 0) : 0;
    if (end === 0) throw error;
    return loadAll(text.slice(0, end), options);
  }
}

function read(text: string, options: { json?: true } = {}): unknown {
  const [value = null] = documents(text, { schema, ...limits, ...options });
  if (expandedSize(value, new Map()) > text.length + maxAdded)
    throw new YAMLException('document contains excessive aliasing');
  return value;
}

/** What the server's reader says of the key that stands twice, at the place the parser points to. */
function repeatedKey(text: string, error: YAMLException): string {
  const at = error.mark?.position ?? 0;
  const key = /^["']?([^"':\s]+)/.exec(text.slice(at))?.[1] ?? '';
  return `line ${(error.mark?.line ?? 0) + 1}: key ${JSON.stringify(key)} already set in map`;
}

const strict = new TextDecoder('utf-8', { fatal: true });

/** Reads the bytes of a YAML text. */
export function decodeYamlBytes(bytes: Uint8Array): DecodedText {
  try {
    return decodeYaml(strict.decode(bytes));
  } catch {
    return { ok: false, problem: 'yaml: invalid leading UTF-8 octet' };
  }
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

/** What the server's own reader says of the same fault, as far as that is known. */
const serverTexts: readonly (readonly [RegExp, string])[] = [
  [/deficient indentation|unexpected end of the stream within a flow/, 'did not find expected node content'],
  [
    /mapping entr(y|ies) (is|are) not allowed|bad indentation of a mapping entry/,
    'mapping values are not allowed in this context',
  ],
];

const unknownAlias = /unidentified alias "(.*)"/;

function refused(error: unknown): DecodedText {
  if (!(error instanceof YAMLException)) return { ok: false, problem: String(error) };
  const reason = error.reason ?? error.message;
  const [, alias] = unknownAlias.exec(reason) ?? [];
  if (alias !== undefined) return { ok: false, problem: `yaml: unknown anchor '${alias}' referenced` };
  if (reason.startsWith('tab characters')) {
    const tabbed = (error.mark?.line ?? 0) + 1;
    return { ok: false, problem: `yaml: line ${tabbed}: found character that cannot start any token` };
  }
  const text = serverTexts.find(([pattern]) => pattern.test(reason))?.[1] ?? reason;
  // The mark is behind the fault, and the server counts lines from one.
  const line = Math.max(1, error.mark?.line ?? 1);
  return { ok: false, problem: `yaml: line ${line}: ${text}` };
}

/** JSON's data model: no shared parts, no cycles, only text keys. */
function plain(value: unknown, duplicates: readonly string[]): DecodedText {
  const text = stringifyJson(value) as string | undefined;
  const decoded = decodeJson(text ?? 'null');
  return decoded.ok ? { ...decoded, text: undefined, duplicates } : decoded;
}
