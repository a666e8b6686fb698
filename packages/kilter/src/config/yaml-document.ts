import { load, YAMLException } from 'js-yaml';
import { KilterError } from '../errors/index.ts';

/** A mapping read from a file, that knows its place for messages. Values are secrets until proven otherwise: never shown. */
export interface Mapping {
  /** Where it stands: `the file: clusters[0].cluster`. */
  readonly where: string;
  readonly fields: ReadonlyMap<string, unknown>;
}

// A kubeconfig needs no aliases; a few are harmless, a bomb of them is not.
const aliasesAllowed = 100;

export function malformed(message: string, cure?: string): KilterError {
  return new KilterError('CONFIG_MALFORMED', message, { cure });
}

/** Reasons of the parser quote what they found, which may be a secret: the quotes are blanked. */
function reasonOf(error: YAMLException): string {
  return error.reason.replace(/"[^"]*"|<[^>]*>/g, '…');
}

/** No `cause`: the parser's own error carries the text of the file, secrets included. */
function describe(error: unknown, file: string): KilterError {
  if (!(error instanceof YAMLException)) return malformed(`${file} is no YAML`);
  const line = error.mark === undefined ? '' : `, line ${error.mark.line + 1}, column ${error.mark.column + 1}`;
  return malformed(`${file}${line}: ${reasonOf(error)}`, 'correct the YAML at this place');
}

export function mapping(value: unknown, where: string): Mapping {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw malformed(`${where} must be a mapping`);
  }
  return { where, fields: new Map(Object.entries(value)) };
}

/** The one mapping a file holds. */
export function parseMapping(text: string, file: string): Mapping {
  let value: unknown;
  try {
    value = load(text, { maxAliases: aliasesAllowed });
  } catch (error) {
    throw describe(error, file);
  }
  const { fields } = mapping(value, file);
  return { where: `${file}:`, fields };
}

const place = (parent: Mapping, key: string): string =>
  parent.where.endsWith(':') ? `${parent.where} ${key}` : `${parent.where}.${key}`;

/** A field's mapping; an absent one is empty. */
export function child(parent: Mapping, key: string): Mapping {
  return mapping(parent.fields.get(key) ?? {}, place(parent, key));
}

/** A field's list of mappings; an absent one is empty. */
export function children(parent: Mapping, key: string): Mapping[] {
  const value = parent.fields.get(key) ?? [];
  if (!Array.isArray(value)) throw malformed(`${place(parent, key)} must be a list`);
  return value.map((item, i) => mapping(item, `${place(parent, key)}[${i}]`));
}

/** A field's text; undefined where it is absent or empty. */
export function text(parent: Mapping, key: string): string | undefined {
  const value = parent.fields.get(key) ?? '';
  if (typeof value !== 'string') throw malformed(`${place(parent, key)} must be text`, 'put the value in quotes');
  return value === '' ? undefined : value;
}

export function flag(parent: Mapping, key: string): boolean {
  const value = parent.fields.get(key) ?? false;
  if (typeof value !== 'boolean') throw malformed(`${place(parent, key)} must be true or false`);
  return value;
}

/** Whether a field is there and says anything. */
export function says(parent: Mapping, key: string): boolean {
  const value = parent.fields.get(key) ?? '';
  return value !== '' && value !== false && !(Array.isArray(value) && value.length === 0);
}
