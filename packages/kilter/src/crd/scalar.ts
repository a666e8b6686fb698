import { type Raw, schemasAt } from './json-schema.ts';
import type { Site } from './normalize.ts';
import { re2Cure, re2Fault, toRe2 } from './pattern.ts';
import type { Structural } from './structural.ts';

/** String formats the server checks (dashes in names do not count); others it ignores. */
const serverFormats = new Set(
  (
    'bsonobjectid uri email hostname ipv4 ipv6 cidr mac uuid uuid3 uuid4 uuid5 isbn isbn10 isbn13 creditcard ssn hexcolor ' +
    'rgbcolor byte password date duration datetime k8s-short-name k8s-long-name'
  ).split(' '),
);
const renamed: Readonly<Record<string, string>> = { base64: 'byte', cidrv4: 'cidr', cidrv6: 'cidr' };

function serverFormat(format: unknown): string | undefined {
  if (typeof format !== 'string') return undefined;
  const name = renamed[format] ?? format;
  return serverFormats.has(name) || serverFormats.has(name.replaceAll('-', '')) ? name : undefined;
}

/** Some libraries speak of base64 as an encoding, not as a format. */
function formatOf(part: Raw): string | undefined {
  return serverFormat(part['format']) ?? (part['contentEncoding'] === 'base64' ? 'byte' : undefined);
}

/** Formats whose pattern says nothing the format does not say, at length or with look-ahead. */
const selfSufficient = new Set(['date-time', 'date', 'hostname', 'ipv6']);
/** zod's own patterns for those formats have 200 characters and more; what a user adds is shorter. */
const longPattern = 150;

function isRedundant(pattern: string, format: unknown): boolean {
  return selfSufficient.has(String(format)) && (pattern.length > longPattern || re2Fault(pattern) !== undefined);
}

function numbers(node: Raw, keys: readonly string[]): Raw {
  return Object.fromEntries(keys.flatMap((key) => (Number.isFinite(node[key]) ? [[key, node[key]]] : [])));
}

/** Bounds with their flags; one beyond all numbers (`null` once it has been JSON) is none. */
function boundsIn(node: Raw): Raw {
  const found = numbers(node, ['minimum', 'maximum', 'multipleOf']);
  const flags = Object.entries({ exclusiveMinimum: 'minimum', exclusiveMaximum: 'maximum' });
  return {
    ...found,
    ...Object.fromEntries(
      flags.flatMap(([flag, bound]) => (node[flag] === true && bound in found ? [[flag, true]] : [])),
    ),
  };
}

function pick(node: Raw, keys: readonly string[]): Raw {
  return Object.fromEntries(keys.filter((key) => node[key] !== undefined).map((key) => [key, node[key]]));
}

export function stringSchema(node: Raw, site: Site): Structural {
  const parts = [...schemasAt(node['allOf']), node];
  const format = parts.map(formatOf).find((name) => name !== undefined);
  const written = parts
    .map((part) => part['pattern'])
    .filter((pattern) => typeof pattern === 'string')
    .filter((pattern) => !parts.some((part) => isRedundant(pattern, part['format'])));
  for (const pattern of written) refuseForeign(pattern, node['format'], site);
  const patterns = written.map(toRe2);
  warnUnchecked(parts, patterns, site);
  const enums = schemasAt(node['allOf']).filter((part) => part['enum'] !== undefined);
  const alternatives = [
    ...(patterns.length > 1 ? patterns.map((pattern) => ({ pattern })) : []),
    ...enums.map((part) => ({ enum: part['enum'] })),
  ];
  return {
    type: 'string',
    ...numbers(node, ['minLength', 'maxLength']),
    ...(format !== undefined && { format }),
    ...(patterns.length === 1 && { pattern: patterns[0] }),
    ...(alternatives.length > 0 && { allOf: alternatives as Structural[] }),
  };
}

function refuseForeign(pattern: string, format: unknown, { path, findings }: Site): void {
  const fault = re2Fault(pattern);
  if (fault === undefined) return;
  findings.refuse({
    code: 'CRD_PATTERN_NOT_RE2',
    path,
    message: `the pattern ${pattern} has ${fault}, which RE2 does not accept or reads differently`,
    cure: format === 'duration' ? 'use z.string().meta(duration()): a Go duration' : re2Cure(fault),
  });
}

/** A format the server does not know, with no pattern to stand in for it. */
function warnUnchecked(parts: readonly Raw[], patterns: readonly string[], { path, findings }: Site): void {
  const unknown = parts.find(
    (part) => typeof part['format'] === 'string' && serverFormat(part['format']) === undefined,
  );
  if (unknown === undefined || patterns.length > 0) return;
  findings.warn({
    code: 'CRD_SCHEMA_DISAGREES',
    path,
    message: `the server does not know the format "${String(unknown['format'])}", so it does not check it`,
  });
}

const safe = Number.MAX_SAFE_INTEGER;
const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

function multiples(node: Raw): Structural[] {
  return schemasAt(node['allOf'])
    .map((part) => pick(part, ['multipleOf', 'enum']) as Structural)
    .filter((part) => Object.keys(part).length > 0);
}

/**
 * The server refuses every integer where a bound is a fraction: the next whole number says the same. A fraction to be
 * a multiple of it cuts off, so no integer or every one would pass.
 */
function wholeBounds(node: Raw, site: Site): Raw {
  const bounds: Record<string, unknown> = boundsIn(node);
  for (const [key, round] of [
    ['minimum', Math.ceil],
    ['maximum', Math.floor],
  ] as const) {
    const bound = bounds[key];
    if (typeof bound !== 'number' || Number.isInteger(bound)) continue;
    bounds[key] = round(bound);
    delete bounds[`exclusive${key === 'minimum' ? 'Minimum' : 'Maximum'}`];
  }
  return withoutFraction(bounds, site);
}

function withoutFraction(bounds: Raw, { path, findings }: Site): Raw {
  const { multipleOf, ...rest } = bounds;
  if (multipleOf === undefined || Number.isInteger(multipleOf)) return bounds;
  findings.warn({
    code: 'CRD_SCHEMA_DISAGREES',
    path,
    message: `the server cannot reliably check for multiples of the fraction ${Number(multipleOf)}, so it does not`,
  });
  return rest;
}

/** Without the bounds that libraries give every integer: the server's own are wider, and nobody asked for JavaScript's. */
export function integerSchema(node: Raw, site: Site): Structural {
  const { minimum, maximum, ...others } = wholeBounds(node, site);
  const isInt32 = minimum === int32.minimum && maximum === int32.maximum;
  const given = node['format'] === 'int32' || node['format'] === 'int64' ? node['format'] : undefined;
  const parts = multiples(node);
  return {
    type: 'integer',
    format: given ?? (isInt32 ? 'int32' : 'int64'),
    ...(minimum !== -safe && minimum !== undefined && { minimum: Number(minimum) }),
    ...(maximum !== safe && maximum !== undefined && { maximum: Number(maximum) }),
    ...others,
    ...(parts.length > 0 && { allOf: parts }),
  };
}

export function numberSchema(node: Raw, { path, findings }: Site): Structural {
  const values = node['enum'];
  if (Array.isArray(values) && values.every((value) => Number.isInteger(value)))
    return integerSchema(node, { path, findings });
  findings.warn({ code: 'CRD_SCHEMA_FLOAT', path, message: 'is a floating-point number' });
  const bounds = boundsOf(node, { path, findings });
  const parts = multiples(node);
  const format = node['format'] === 'float' || node['format'] === 'double' ? node['format'] : undefined;
  return { type: 'number', ...(format && { format }), ...bounds, ...(parts.length > 0 && { allOf: parts }) };
}

/** The server compares whole numbers as int64: a bound beyond it wraps around there and refuses every one of them. */
const widest = 2 ** 63;
/** The limits of a float32 and of a float64, which nobody asked for. */
const floatLimits = new Set([3.4028234663852886e38, Number.MAX_VALUE]);

function boundsOf(node: Raw, { path, findings }: Site): Raw {
  const bounds: Record<string, unknown> = withoutFraction(boundsIn(node), { path, findings });
  for (const side of ['Minimum', 'Maximum'] as const) {
    const bound = bounds[side.toLowerCase()];
    warnOfCut(side, bounds, { path, findings });
    if (typeof bound !== 'number' || Math.abs(bound) < widest) continue;
    delete bounds[side.toLowerCase()];
    delete bounds[`exclusive${side}`];
    if (floatLimits.has(Math.abs(bound))) continue;
    findings.warn({
      code: 'CRD_SCHEMA_DISAGREES',
      path,
      message: `the server cannot compare with ${bound}, so it does not check it`,
    });
  }
  return bounds;
}

/**
 * A whole number is compared with the bound cut off towards zero: 0 passes a minimum of 0.5, and fails one that is
 * above -0.5.
 */
function warnOfCut(side: 'Minimum' | 'Maximum', bounds: Raw, { path, findings }: Site): void {
  const bound = bounds[side.toLowerCase()];
  if (typeof bound !== 'number' || Number.isInteger(bound) || Math.abs(bound) >= widest) return;
  const isExclusive = bounds[`exclusive${side}`] === true;
  const isWrong = side === 'Minimum' ? bound > 0 !== isExclusive : bound < 0 !== isExclusive;
  if (!isWrong) return;
  findings.warn({
    code: 'CRD_SCHEMA_DISAGREES',
    path,
    message: `the server compares whole numbers with ${Math.trunc(bound)} instead of ${bound}`,
    cure: `write the bound as a rule too: self ${side === 'Minimum' ? '>' : '<'}${isExclusive ? '' : '='} ${bound}`,
  });
}

/** The one type of all values of an enumeration, or `undefined` for a mixture. */
export function typeOfValues(values: readonly unknown[]): string | undefined {
  const types = new Set(values.map((value) => (Number.isInteger(value) ? 'integer' : typeof value)));
  if (types.has('integer') && types.has('number')) types.delete('integer');
  const [type, ...others] = types;
  return others.length === 0 && type !== undefined && type !== 'object' ? type : undefined;
}
