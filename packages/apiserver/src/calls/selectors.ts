import type { Json, JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { badRequest } from '../status/index.ts';
import { isObject, objectIfIn, stringifyJson } from '../values/index.ts';
import type { Call } from './call.ts';
import { type Labels, matchesAll, parseLabels, SelectorError } from './label-selector.ts';

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

type FieldReader = (object: JsonObject) => string;

const at =
  (path: string, absent = ''): FieldReader =>
  (object) =>
    fieldText(object, path) || absent;

function firstPodIp(pod: JsonObject): string {
  const addresses = objectIfIn(pod, 'status')?.['podIPs'];
  const first = Array.isArray(addresses) ? addresses[0] : undefined;
  return isObject(first) ? fieldText(first, 'ip') : fieldText(pod, 'status.podIP');
}

/** Field labels that are not simply the text at the path they name: numbers and flags have a value when absent. */
const readers: Readonly<Record<string, Readonly<Record<string, FieldReader>>>> = {
  '/Event': { source: (event) => fieldText(event, 'source.component') || fieldText(event, 'reportingComponent') },
  '/Node': { 'spec.unschedulable': at('spec.unschedulable', 'false') },
  '/Pod': {
    // What old clients call the node.
    'spec.host': at('spec.nodeName'),
    'spec.hostNetwork': at('spec.hostNetwork', 'false'),
    'status.podIP': firstPodIp,
    // Known, and compared with nothing.
    'status.podIPs': () => '',
  },
  '/ReplicationController': { 'status.replicas': at('status.replicas', '0') },
  'batch/Job': { 'status.successful': at('status.succeeded', '0') },
};

const readersOf = ({ custom, group, kind }: ResourceDefinition): Readonly<Record<string, FieldReader>> =>
  (custom ? undefined : readers[`${group}/${kind}`]) ?? {};

const escapable = new Set(['\\', ',', '=']);

/** The literal value; a sign that would end it has to be escaped, and nothing else may be. */
function unescaped(text: string): string {
  let value = '';
  for (let index = 0; index < text.length; index += 1) {
    const sign = String.fromCodePoint(text.codePointAt(index) ?? 0);
    if (sign === '\\') {
      const next = text.slice(index + 1, index + 2);
      if (!escapable.has(next)) throw badRequest(`invalid field selector: invalid escape sequence: \\${next}`);
      value += next;
      index += 1;
    } else if (sign === ',' || sign === '=') {
      throw badRequest(`invalid field selector: unescaped character in value: ${sign.charCodeAt(0)}`);
    } else {
      value += sign;
      index += sign.length - 1;
    }
  }
  return value;
}

/** Splits at commas that are not escaped; in order, since the server reads them so. */
function splitTerms(selector: string): string[] {
  return (selector.match(/(?:\\.|[^\\,]|\\$)+/gs) ?? []).toSorted((a, b) => (a < b ? -1 : 1));
}

function parseTerm(term: string, selector: string): FieldTerm {
  const match = /^(.*?)(!=|==|=)(.*)$/s.exec(term);
  if (match === null) throw badRequest(`invalid selector: '${selector}'; can't understand '${term}'`);
  return { path: match[1] ?? '', equal: match[2] !== '!=', value: unescaped(match[3] ?? '') };
}

function checkKnown({ path }: FieldTerm, definition: ResourceDefinition): void {
  const { selectableFields, namespaced, custom, group, version, kind } = definition;
  const own = [...selectableFields, ...Object.keys(readersOf(definition))];
  const standard =
    namespaced || (!custom && own.length === 0) ? ['metadata.name', 'metadata.namespace'] : ['metadata.name'];
  if (standard.includes(path) || own.includes(path)) return;
  if (group === 'batch' && kind === 'Job')
    throw badRequest(`field label ${JSON.stringify(path)} not supported for Job`);
  if (group === 'resource.k8s.io' && kind === 'ResourceSlice')
    throw badRequest(`field label not supported for ${group}/${version}, Kind=${kind}: ${path}`);
  if (custom || own.length > 0) throw badRequest(`field label not supported: ${path}`);
  throw badRequest(`${JSON.stringify(path)} is not a known field selector: only "metadata.name", "metadata.namespace"`);
}

function fieldMatcher(selector: string, definition: ResourceDefinition): Matcher | undefined {
  // A term of nothing at all, `=`, chooses everything.
  const terms = splitTerms(selector)
    .map((term) => parseTerm(term, selector))
    .filter(({ path, value }) => path !== '' || value !== '');
  for (const term of terms) checkKnown(term, definition);
  if (terms.length === 0) return undefined;
  const own = readersOf(definition);
  return (object) =>
    terms.every(({ path, equal, value }) => ((own[path]?.(object) ?? fieldText(object, path)) === value) === equal);
}

function labelMatcher(selector: string): Matcher | undefined {
  try {
    const terms = parseLabels(selector);
    if (terms.length === 0) return undefined;
    return (object) => matchesAll(terms, (objectIfIn(objectIfIn(object, 'metadata') ?? {}, 'labels') ?? {}) as Labels);
  } catch (error) {
    if (error instanceof SelectorError) throw badRequest(error.message);
    throw error;
  }
}

/** What the label and field selectors of a call admit; undefined if they admit everything. */
export function matcherOf({ query, resource }: Call): Matcher | undefined {
  const labels = labelMatcher(query.get('labelSelector') ?? '');
  const fields = fieldMatcher(query.get('fieldSelector') ?? '', resource);
  if (labels === undefined || fields === undefined) return labels ?? fields;
  return (object) => labels(object) && fields(object);
}
