import { type Json, type JsonObject, matchesLabels, parseLabelSelector } from 'kilter/api';
import { stringifyJson } from '../schema/index.ts';
import { isObject, objectIfIn } from './builtin-fields.ts';
import type { Call } from './call.ts';
import type { ResourceDefinition } from './definition.ts';
import { badRequest } from './refusals.ts';

export type Matcher = (object: JsonObject) => boolean;

interface FieldTerm {
  readonly path: string;
  readonly equal: boolean;
  readonly value: string;
}

/** The value at a dotted path as a field selector compares it: absent and null are '', all else is text. */
export function fieldText(object: JsonObject, path: string): string {
  let value: Json | undefined = object;
  for (const step of path.split('.')) value = isObject(value) ? value[step] : undefined;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

const unescaped = (value: string): string => value.replace(/\\([\\,=])/g, '$1');

/** Splits at commas that are not escaped. */
function splitTerms(selector: string): string[] {
  return (selector.match(/(?:\\.|[^\\,])+/g) ?? []).filter((term) => term.trim() !== '');
}

function parseTerm(term: string, selector: string): FieldTerm {
  const match = /^((?:\\.|[^\\=!])+?)\s*(==|=|!=)\s*(.*)$/s.exec(term.trim());
  if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  return { path: unescaped(match[1] ?? ''), equal: match[2] !== '!=', value: unescaped(match[3] ?? '') };
}

/** Some labels are not the path of what they select by. */
const aliases: Readonly<Record<string, string>> = {
  source: 'source.component',
  'status.successful': 'status.succeeded',
  'status.podIPs': 'status.podIPs',
};

function checkKnown(
  { path }: FieldTerm,
  { selectableFields, namespaced, custom, group, kind }: ResourceDefinition,
): void {
  const standard =
    namespaced || (!custom && selectableFields.length === 0)
      ? ['metadata.name', 'metadata.namespace']
      : ['metadata.name'];
  if (standard.includes(path) || selectableFields.includes(path)) return;
  if (group === 'batch' && kind === 'Job')
    throw badRequest(`field label ${JSON.stringify(path)} not supported for Job`);
  if (custom || selectableFields.length > 0) throw badRequest(`field label not supported: ${path}`);
  throw badRequest(`${JSON.stringify(path)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function fieldMatcher(selector: string, definition: ResourceDefinition): Matcher | undefined {
  const terms = splitTerms(selector).map((term) => parseTerm(term, selector));
  for (const term of terms) checkKnown(term, definition);
  if (terms.length === 0) return undefined;
  return (object) =>
    terms.every(({ path, equal, value }) => (fieldText(object, aliases[path] ?? path) === value) === equal);
}

function labelMatcher(selector: string): Matcher | undefined {
  const terms = parseLabelSelector(selector);
  if (terms === undefined)
    throw badRequest(`unable to parse requirement: ${JSON.stringify(selector)} is no label selector`);
  if (terms.length === 0) return undefined;
  return (object) =>
    matchesLabels(
      terms,
      objectIfIn(objectIfIn(object, 'metadata') ?? {}, 'labels') as Record<string, string> | undefined,
    );
}

/** What the label and field selectors of a call admit; undefined if they admit everything. */
export function matcherOf({ query, resource }: Call): Matcher | undefined {
  const labels = labelMatcher(query.get('labelSelector') ?? '');
  const fields = fieldMatcher(query.get('fieldSelector') ?? '', resource);
  if (labels === undefined || fields === undefined) return labels ?? fields;
  return (object) => labels(object) && fields(object);
}
