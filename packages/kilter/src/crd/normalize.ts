import { deepEqual } from '../internal/index.ts';
import { isUndefined } from './gap.ts';
import { isRecord, propertiesAt, type Raw, schemaAt, schemasAt, stringsAt } from './json-schema.ts';
import { durationKey } from './metadata.ts';
import type { Findings } from './problem.ts';

/** Where in an object the schema at hand speaks of, and where to report. */
export interface Site {
  readonly path: string;
  readonly findings: Findings;
}

/** As time.ParseDuration reads it: `1h30m`, `1.5s`, `0`. */
const goDuration = '^[+-]?(0|(([0-9]+(\\.[0-9]*)?|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$';

/**
 * One form for what libraries and dialects write in many: a single `type` with `nullable`, `enum` for constants,
 * boolean exclusive bounds, `allOf` merged as far as it can be. Looks at one node; its children stay as they are.
 */
export function normalize(raw: Raw, site: Site): Raw {
  const node = withoutNullBranches(dialect(raw), site);
  const { allOf, [durationKey]: goDurations, ...own } = node;
  const parts = schemasAt(allOf).map((part) => normalize(part, site));
  if (goDurations === true) parts.push({ type: 'string', pattern: goDuration });
  return parts.reduce<Raw>((whole, part) => merge(whole, part, site), own);
}

function dialect(raw: Raw): Raw {
  const { const: constant, type, ...rest } = raw;
  const node: Record<string, unknown> = { ...rest };
  if ('const' in raw) node['enum'] = [constant];
  if (typeof type === 'string') node['type'] = type;
  else if (Array.isArray(type)) Object.assign(node, fromTypes(stringsAt(type), node));
  for (const side of ['Minimum', 'Maximum'] as const) Object.assign(node, exclusive(node, side));
  return node;
}

/** `['string', 'null']`, and a union of bare types. */
function fromTypes(types: readonly string[], node: Raw): Raw {
  const [first, ...others] = types.filter((type) => type !== 'null');
  const nullable = types.includes('null') && { nullable: true };
  if (first === undefined) return { type: 'null' };
  if (others.length === 0) return { type: first, ...nullable };
  return { anyOf: [...schemasAt(node['anyOf']), ...[first, ...others].map((type) => ({ type }))], ...nullable };
}

/** A draft's `exclusiveMinimum: 3` is `minimum: 3` with a flag in OpenAPI 3.0. */
function exclusive(node: Raw, side: 'Minimum' | 'Maximum'): Raw {
  const bound = node[`exclusive${side}`];
  const inclusive = node[side.toLowerCase()];
  if (typeof bound !== 'number') return {};
  const decides = typeof inclusive !== 'number' || (side === 'Minimum' ? bound >= inclusive : bound <= inclusive);
  return decides ? { [side.toLowerCase()]: bound, [`exclusive${side}`]: true } : { [`exclusive${side}`]: undefined };
}

function isNull(node: Raw): boolean {
  return node['type'] === 'null' || deepEqual(node['enum'], [null]);
}

/** A union with null is the rest of the union, nullable. */
function withoutNullBranches(node: Raw, site: Site): Raw {
  let result = node;
  for (const key of ['anyOf', 'oneOf'] as const) {
    if (!(key in result)) continue;
    const { [key]: union, ...rest } = result;
    const branches = schemasAt(union).map((branch) => normalize(branch, site));
    const others = branches.filter((branch) => !isNull(branch) && !isUndefined(branch));
    const [only] = others;
    result = branches.some(isNull) ? { ...rest, nullable: true } : rest;
    if (only === undefined) result = { ...result, type: 'null' };
    else if (others.length > 1) result = { ...result, [key]: others };
    else result = { ...merge(result, only, site), ...(result['nullable'] === true && { nullable: true }) };
  }
  return result;
}

/** Words about a value, not conditions on it: the outer ones win. */
const annotations = new Set([
  'description',
  'title',
  'example',
  'examples',
  'externalDocs',
  'default',
  'id',
  '$schema',
]);

/** Both schemas at once. What cannot be said in one breath stays in `allOf`, as constraints only. */
export function merge(outer: Raw, inner: Raw, site: Site): Raw {
  const result: Record<string, unknown> = { ...outer };
  const clashes: string[] = [];
  for (const key of Object.keys(inner)) {
    if (key === 'nullable' || isBound(key) || deepEqual(result[key], inner[key])) continue;
    const combined = combine(key, result[key], inner[key]);
    if (combined !== undefined) result[key] = combined;
    else if (key === 'type') refuseTypes(outer, inner, site);
    else clashes.push(key);
  }
  for (const side of ['Minimum', 'Maximum'] as const) Object.assign(result, tighter(outer, inner, side));
  if (bothNullable(outer, inner)) result['nullable'] = true;
  else delete result['nullable'];
  return setAside(result, inner, clashes);
}

const isBound = (key: string): boolean => /^(exclusiveM|m)(in|ax)imum$/.test(key);

/** The stricter of two bounds with its flag. */
function tighter(outer: Raw, inner: Raw, side: 'Minimum' | 'Maximum'): Raw {
  const [key, flag] = [side.toLowerCase(), `exclusive${side}`];
  const [a, b] = [outer[key], inner[key]];
  if (typeof b !== 'number') return {};
  if (a === b) return inner[flag] === true ? { [flag]: true } : {};
  if (typeof a === 'number' && (side === 'Minimum' ? a > b : a < b)) return {};
  return { [key]: b, [flag]: inner[flag] };
}

/** A schema that says nothing about the type leaves the answer to the other. */
function bothNullable(...nodes: readonly Raw[]): boolean {
  const speaking = nodes.filter((node) => ['type', 'nullable', 'anyOf', 'oneOf'].some((key) => key in node));
  return speaking.length > 0 && speaking.every((node) => node['nullable'] === true);
}

/** One value for a keyword that both schemas give, or `undefined` if there is none. */
function combine(key: string, a: unknown, b: unknown): unknown {
  if (a === undefined) return b;
  if (b === undefined || annotations.has(key) || key.startsWith('x-')) return a;
  if (typeof a === 'number' && typeof b === 'number') {
    if (/^min(Length|Items|Properties)$/.test(key)) return Math.max(a, b);
    if (/^max(Length|Items|Properties)$/.test(key)) return Math.min(a, b);
  }
  switch (key) {
    case 'type':
      return [a, b].includes('integer') && [a, b].includes('number') ? 'integer' : undefined;
    case 'required':
      return [...new Set([...stringsAt(a), ...stringsAt(b)])];
    case 'properties':
      return bothProperties(propertiesAt(a), propertiesAt(b));
    case 'items':
      return { allOf: [schemaAt(a), schemaAt(b)] };
    case 'additionalProperties':
      if (!isRecord(a) && a !== true) return b;
      return !isRecord(b) && b !== true ? a : { allOf: [schemaAt(a), schemaAt(b)] };
    case 'allOf':
      return [...schemasAt(a), ...schemasAt(b)];
    default:
      return undefined;
  }
}

function bothProperties(a: [string, Raw][], b: [string, Raw][]): Raw {
  const result = new Map(a);
  for (const [name, schema] of b) {
    const other = result.get(name);
    result.set(name, other === undefined ? schema : { allOf: [other, schema] });
  }
  return Object.fromEntries(result);
}

function refuseTypes(outer: Raw, inner: Raw, { path, findings }: Site): void {
  findings.refuse({
    code: 'CRD_SCHEMA_NOT_STRUCTURAL',
    path,
    message: `is both ${String(outer['type'])} and ${String(inner['type'])}`,
  });
}

/** Takes the keywords on which two schemas differ out of both, to be in `allOf` once for each. */
function setAside(result: Record<string, unknown>, inner: Raw, keys: readonly string[]): Raw {
  if (keys.length === 0) return result;
  const [ours, theirs]: [Record<string, unknown>, Record<string, unknown>] = [{}, {}];
  for (const key of keys) {
    ours[key] = result[key];
    theirs[key] = inner[key];
    delete result[key];
  }
  return { ...result, allOf: [...schemasAt(result['allOf']), ours, theirs] };
}
