import { CORE_SCHEMA, defineScalarTag, load, mergeTag, NOT_RESOLVED, YAMLException } from 'js-yaml';
import { KilterError } from '../errors/index.ts';

/** A mapping read from a file, that knows its place for messages. Values are secrets until proven otherwise: never shown. */
export interface Mapping {
  /** Where it stands: `the file: clusters[0].cluster`. */
  readonly where: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

// A kubeconfig needs no aliases; those of a careful hand are few. A count alone stops no bomb: see `tooLarge`.
const aliasesAllowed = 100;
// The limit of an object of the API, for what aliases make of a file too.
const largest = 3 * 1024 * 1024;

const oldTrue = /^(?:y|Y|yes|Yes|YES|on|On|ON)$/;
const oldFalse = /^(?:n|N|no|No|NO|off|Off|OFF)$/;
// No text of YAML can begin so. A text and not an object, because such a word may be the key of a mapping, too.
const oldMark = '\0old:';

/** A word that YAML 1.1, and so kubectl, takes for a boolean, and YAML 1.2 for text: marked, so that it can be distinguished from both. */
const oldBooleanTag = defineScalarTag('tag:kilter.dev,2026:old-boolean', {
  implicit: true,
  implicitFirstChars: [...'yYnNoO'],
  resolve: (source) => (oldTrue.test(source) || oldFalse.test(source) ? `${oldMark}${source}` : NOT_RESOLVED),
  identify: () => false,
});
const isOldBoolean = (value: unknown): value is string => typeof value === 'string' && value.startsWith(oldMark);

/** What is handed on as it was found, read as kubectl would have read it. */
export function asYaml11(value: unknown): unknown {
  if (isOldBoolean(value)) return oldTrue.test(value.slice(oldMark.length));
  if (Array.isArray(value)) return value.map(asYaml11);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [String(asYaml11(key)), asYaml11(one)]));
}
// kubectl takes `<<`, so does this.
const schema = CORE_SCHEMA.withTags(mergeTag, oldBooleanTag);

export function malformed(message: string, cure?: string): KilterError {
  return new KilterError('CONFIG_MALFORMED', message, { cure });
}

/** Reasons of the parser quote what they found, which may be a secret: the quotes are blanked. */
function reasonOf(error: YAMLException): string {
  return error.reason.replace(/"[^"]*"|<[^>]*>/g, '…');
}

const cures: readonly (readonly [RegExp, string])[] = [
  [/^tab characters/, 'indent with spaces'],
  [/^duplicated mapping key/, 'remove one of the two; kubectl silently uses the last one'],
  [/^aliases exceeded/, 'write the values out in place of the aliases'],
];

/** No `cause`: the parser's own error carries the text of the file, secrets included. */
function describe(error: unknown, file: string): KilterError {
  if (!(error instanceof YAMLException)) return malformed(`${file} is not YAML`);
  const line = error.mark === undefined ? '' : `, line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
  const cure = cures.find(([reason]) => reason.test(error.reason))?.[1] ?? 'correct the YAML at this place';
  return malformed(`${file}${line}: ${reasonOf(error)}`, cure);
}

/** The values one level below. */
function inside(value: object): unknown[] {
  return Array.isArray(value) ? value : [...Object.keys(value), ...Object.values(value)];
}

/** Whether a value is larger than the limit when every alias is written out; looks no further than the limit. */
function tooLarge(value: unknown): boolean {
  const open: unknown[] = [value];
  let size = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    size += typeof next === 'string' ? next.length + 1 : 1;
    if (size > largest) return true;
    if (typeof next === 'object' && next !== null) for (const part of inside(next)) open.push(part ?? null);
  }
  return false;
}

export function mapping(value: unknown, where: string): Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(`${where} must be a mapping`);
  }
  return { where, fields: new Map(Object.entries(value)) };
}

/** Decoded as UTF-8, a mark of UTF-16 becomes two signs of replacement. */
const otherEncoding = /^\ufffd\ufffd|^.\0/;

function loaded(text: string, file: string): unknown {
  if (text.length > largest) throw malformed(`${file} is larger than 3 MiB`, 'is it the right file?');
  if (otherEncoding.test(text)) throw malformed(`${file} is not UTF-8`, 'save it as UTF-8; `>` of PowerShell does not');
  try {
    return load(text, { schema, maxAliases: aliasesAllowed });
  } catch (error) {
    throw describe(error, file);
  }
}

const blankLine = /^\ufeff?\s*(#.*|---\s*|\.\.\.\s*)?$/;

/** Whether a file holds nothing but blanks, comments and marks of documents. */
export function isBlank(text: string): boolean {
  return text.split('\n').every((line) => blankLine.test(line));
}

const documentMark = /^(?:---|\.\.\.)(?:\s|$)/;

/** The first document of a text, and whether others follow. Such a mark at the start of a line is one wherever it stands. */
export function firstDocument(text: string): { readonly first: string; readonly more: boolean } {
  const lines = text.split('\n');
  // Comments, directives and the mark itself may stand before it.
  const start = lines.findIndex((line) => !/^\ufeff?\s*(?:#.*)?$|^%/.test(line));
  const opened = documentMark.test(lines[start] ?? '') ? start + 1 : start;
  const end = lines.findIndex((line, i) => i >= opened && documentMark.test(line));
  if (start === -1 || end === -1) return { first: text, more: false };
  return { first: lines.slice(0, end).join('\n'), more: !isBlank(lines.slice(end).join('\n')) };
}

/** Any text of YAML, within the limits of a kubeconfig. Throws what quotes the text: not to be shown. */
export function parseYaml(text: string): unknown {
  const value = load(text, { schema, maxAliases: aliasesAllowed });
  if (tooLarge(value)) throw malformed('too large');
  return value;
}

/** The one mapping a file holds. */
export function parseMapping(text: string, file: string): Mapping {
  const value = loaded(text, file);
  if (tooLarge(value)) throw malformed(`${file} grows beyond 3 MiB`, 'write the values out in place of the aliases');
  const { fields } = mapping(value, file);
  return { where: `${file}:`, fields };
}

/** The name of a field with the place it stands in. */
export function place(parent: Mapping, key: string): string {
  return parent.where.endsWith(':') ? `${parent.where} ${key}` : `${parent.where}.${key}`;
}

/** A field's mapping; an absent one is empty. */
export function child(parent: Mapping, key: string): Mapping {
  return mapping(parent.fields.get(key) ?? {}, place(parent, key));
}

function list(parent: Mapping, key: string): readonly unknown[] {
  const value = parent.fields.get(key) ?? [];
  if (!Array.isArray(value)) throw malformed(`${place(parent, key)} must be a list`);
  return value;
}

/** A field's list of mappings; an absent one is empty. */
export function children(parent: Mapping, key: string): Mapping[] {
  return list(parent, key).map((item, i) => mapping(item, `${place(parent, key)}[${i}]`));
}

function asText(value: unknown, where: string): string {
  if (isOldBoolean(value)) {
    throw malformed(`${where} is a word that YAML 1.1, and so kubectl, reads as a boolean`, 'put it in quotes');
  }
  if (typeof value !== 'string') throw malformed(`${where} must be text`, 'put the value in quotes');
  // Neither a header nor an environment can hold one, and whoever takes it would quote it in an error.
  if (value.includes('\0')) throw malformed(`${where} contains a NUL`);
  return value;
}

/** A field's text; undefined where it is absent or empty. */
export function text(parent: Mapping, key: string): string | undefined {
  const value = asText(parent.fields.get(key) ?? '', place(parent, key));
  return value === '' ? undefined : value;
}

/** A field's text, which must be there. */
export function required(parent: Mapping, key: string): string {
  const value = text(parent, key);
  if (value === undefined) throw malformed(`${place(parent, key)} is missing`);
  return value;
}

/** A field's list of texts; an absent one is empty. */
export function texts(parent: Mapping, key: string): string[] {
  return list(parent, key).map((item, i) => asText(item, `${place(parent, key)}[${i}]`));
}

export function flag(parent: Mapping, key: string): boolean {
  const value = parent.fields.get(key) ?? false;
  if (typeof value === 'boolean') return value;
  const old = isOldBoolean(value);
  const cure = 'kubectl reads yes, no, on and off as YAML 1.1 does; spell it out: true or false';
  throw malformed(`${place(parent, key)} must be true or false`, old ? cure : 'write it without quotes');
}

/** Whether a field is there and says anything. */
export function says(parent: Mapping, key: string): boolean {
  const value = parent.fields.get(key) ?? '';
  return value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
}

/** What to say of the fields that are none of these. A slip of the pen may make a key of a secret: not every key is shown. */
export function unknownFields(part: Mapping, known: readonly string[]): string[] {
  return [...part.fields]
    .filter(([key]) => !known.includes(key))
    .map(([key, value]) =>
      value !== null && /^[A-Za-z][A-Za-z-]{0,40}$/.test(key) ? place(part, key) : `a field of ${part.where}`,
    )
    .map((field) => `${field} is unknown and not used`);
}
