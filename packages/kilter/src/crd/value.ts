import { deepEqual } from '../internal/index.ts';
import { canonicalText } from './canonical-text.ts';
import { child, element } from './field-path.ts';
import { breaksFormat } from './format.ts';
import { isRecord, type Raw } from './json-schema.ts';
import { intOrString, preserve, propertyOf, type Structural, valuesOf } from './structural.ts';
import { longestJudged } from './pattern-cost.ts';

const missing = 'is required';
const rounded = 'is beyond 2^53 - 1, where JavaScript rounds: use a string';

/** Whether a message says that something is not there. */
export function isMissing(message: string): boolean {
  return message === missing;
}

/** Whether a message is about what JavaScript makes of a number, not about what the server takes. */
export function isRounded(message: string): boolean {
  return message === rounded;
}

/** What is wrong with a value, and where. */
export interface Fault {
  readonly path: string;
  readonly message: string;
}

/**
 * Where a value breaks a structural schema, unknown fields included. It judges what the schema itself says (types,
 * bounds, patterns, formats, required fields, list types); CEL rules are the server's to judge.
 */
export function valueProblems(schema: Structural, value: unknown, path: string): Fault[] {
  if (value === null)
    return schema.nullable === true || isUntyped(schema) ? [] : [{ path, message: 'must not be null' }];
  const mismatch = typeFault(schema, value);
  if (mismatch !== undefined) return [{ path, message: mismatch }];
  return [...conditionFaults(schema, value, path), ...innerFaults(schema, value, path)];
}

function isUntyped(schema: Structural): boolean {
  return schema.type === undefined && schema[preserve] === true;
}

const isOfType: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number' && Number.isFinite(value),
  boolean: (value) => typeof value === 'boolean',
  object: isRecord,
  array: Array.isArray,
};

function typeFault(schema: Structural, value: unknown): string | undefined {
  if (schema[intOrString] === true) {
    return typeof value === 'string' || Number.isInteger(value) ? undefined : 'must be an integer or a string';
  }
  const { type } = schema;
  return type === undefined || isOfType[type]?.(value) === true ? undefined : `must be of type ${type}`;
}

function conditionFaults(schema: Structural, value: unknown, path: string): Fault[] {
  const messages = [...generalFaults(schema, value), ...unionFaults(schema, value, path)];
  if (typeof value === 'number') messages.push(...numberFaults(schema, value));
  if (typeof value === 'string') messages.push(...stringFaults(schema, value));
  return messages.map((message) => ({ path, message }));
}

function generalFaults({ enum: values }: Structural, value: unknown): string[] {
  if (values === undefined || values.some((other) => deepEqual(other, value))) return [];
  return [`must be one of ${values.map((other) => JSON.stringify(other)).join(', ')}`];
}

function unionFaults(schema: Structural, value: unknown, path: string): string[] {
  const matches = (part: Structural): boolean => partFaults(part, value, path).length === 0;
  const messages = (schema.allOf ?? []).flatMap((part) => partFaults(part, value, path).map((fault) => fault.message));
  const { anyOf, oneOf } = schema;
  if (anyOf !== undefined && schema[intOrString] !== true && !anyOf.some(matches))
    messages.push('matches no branch of the union');
  if (oneOf !== undefined && oneOf.filter(matches).length !== 1)
    messages.push('must match exactly one branch of the union');
  return messages;
}

/** The conditions of a branch: fields it does not name are not unknown there. */
function partFaults(part: Structural, value: unknown, path: string): Fault[] {
  return [...conditionFaults(part, value, path), ...innerFaults({ ...part, [preserve]: true }, value, path)];
}

function numberFaults(schema: Structural, value: number): string[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, format } = schema;
  const messages: string[] = [];
  if (minimum !== undefined && (exclusiveMinimum === true ? value <= minimum : value < minimum)) {
    messages.push(`must be ${exclusiveMinimum === true ? 'greater than' : 'at least'} ${minimum}`);
  }
  if (maximum !== undefined && (exclusiveMaximum === true ? value >= maximum : value > maximum)) {
    messages.push(`must be ${exclusiveMaximum === true ? 'less than' : 'at most'} ${maximum}`);
  }
  if (multipleOf !== undefined && !isWhole(value / multipleOf)) messages.push(`must be a multiple of ${multipleOf}`);
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) messages.push(rounded);
  if (format === 'int32' && Math.abs(value + 0.5) > 2 ** 31) messages.push('must fit into 32 bits');
  return messages;
}

/** Close enough to a whole number, as the server has it: 0.3 is a multiple of 0.1. */
function isWhole(times: number): boolean {
  return Math.abs(times - Math.round(times)) <= 1e-9 * Math.max(1, Math.abs(times));
}

function stringFaults({ minLength, maxLength, pattern, format }: Structural, value: string): string[] {
  // The server counts code points, not UTF-16 units.
  const length = [...value].length;
  const messages: string[] = [];
  if (minLength !== undefined && length < minLength) messages.push(`must have at least ${minLength} characters`);
  if (maxLength !== undefined && length > maxLength) messages.push(`must have at most ${maxLength} characters`);
  if (pattern !== undefined && isRefused(value, pattern)) messages.push(`must match ${pattern}`);
  if (format !== undefined && breaksFormat(value, format)) messages.push(formatMessage(format));
  return messages;
}

function formatMessage(format: string): string {
  return format === 'date-time' ? 'must be a time such as 2006-01-02T15:04:05Z' : `must be of format ${format}`;
}

interface Expression {
  readonly expression: RegExp;
  /** Longer texts are not judged: they might take for ever. */
  readonly longest: number;
}

/** Asked for every string. */
const expressions = new Map<string, Expression | undefined>();

/** What JavaScript does not read, such as `(?i)`, or cannot judge in time, the server alone judges. */
function isRefused(value: string, pattern: string): boolean {
  if (!expressions.has(pattern)) expressions.set(pattern, compiled(pattern));
  const known = expressions.get(pattern);
  return known !== undefined && value.length <= known.longest && !known.expression.test(value);
}

function compiled(pattern: string): Expression | undefined {
  const expression = expressionOf(pattern);
  return expression && { expression, longest: longestJudged(pattern) };
}

/** A pattern of RE2 in JavaScript: by code points where that is allowed (a needless escape is not). */
function expressionOf(pattern: string): RegExp | undefined {
  // A dot is any character but a line feed, to RE2.
  const named = pattern
    .replaceAll('(?P<', '(?<')
    .replaceAll(/\[(?:\\[^]|[^\]\\])*\]|\\x\{|\\[^]|\./g, (found) => (found === '.' ? '[^\\n]' : spelled(found)));
  for (const flags of /\\p\{|\\u\{/i.test(named) ? ['u'] : ['u', '']) {
    try {
      return new RegExp(named, flags);
    } catch {
      continue;
    }
  }
  return undefined;
}

function spelled(text: string): string {
  return text.replaceAll(/\\x\{|\\[^]/g, (found) => (found === '\\x{' ? '\\u{' : found));
}

function innerFaults(schema: Structural, value: unknown, path: string): Fault[] {
  if (Array.isArray(value)) return listFaults(schema, value, path);
  return isRecord(value) ? objectFaults(schema, value, path) : [];
}

function objectFaults(schema: Structural, value: Raw, path: string): Fault[] {
  const { required = [], minProperties, maxProperties } = schema;
  const names = Object.keys(value).filter((name) => value[name] !== undefined);
  const faults: Fault[] = required
    .filter((name) => !names.includes(name))
    .map((name) => ({ path: child(path, name), message: missing }));
  if (minProperties !== undefined && names.length < minProperties)
    faults.push({ path, message: `must have at least ${minProperties} entries` });
  if (maxProperties !== undefined && names.length > maxProperties)
    faults.push({ path, message: `must have at most ${maxProperties} entries` });
  if (schema['x-kubernetes-embedded-resource'] === true) faults.push(...embeddedFaults(value, path));
  for (const name of names) {
    const inner = propertyOf(schema, name) ?? valuesOf(schema);
    if (inner !== undefined) faults.push(...nestedFaults(inner, value[name], child(path, name)));
    else if (!keepsUnknown(schema, name))
      faults.push({ path: child(path, name), message: 'is not a field of the schema' });
  }
  return faults;
}

/** An embedded object says what it is. */
function embeddedFaults(value: Raw, path: string): Fault[] {
  return ['apiVersion', 'kind']
    .filter((name) => typeof value[name] !== 'string' || value[name] === '')
    .map((name) => ({ path: child(path, name), message: 'is required of an embedded object' }));
}

/** A branch of a union names fields without their types. */
function nestedFaults(schema: Structural, value: unknown, path: string): Fault[] {
  const isBranch = schema.type === undefined && schema[intOrString] !== true && schema[preserve] !== true;
  return isBranch ? partFaults(schema, value, path) : valueProblems(schema, value, path);
}

function keepsUnknown(schema: Structural, name: string): boolean {
  const isMeta = ['apiVersion', 'kind', 'metadata'].includes(name);
  return schema[preserve] === true || (isMeta && schema['x-kubernetes-embedded-resource'] === true);
}

function listFaults(schema: Structural, value: readonly unknown[], path: string): Fault[] {
  const { items, minItems, maxItems } = schema;
  const faults: Fault[] = [];
  if (minItems !== undefined && value.length < minItems)
    faults.push({ path, message: `must have at least ${minItems} items` });
  if (maxItems !== undefined && value.length > maxItems)
    faults.push({ path, message: `must have at most ${maxItems} items` });
  if (items !== undefined) value.forEach((item, i) => faults.push(...nestedFaults(items, item, element(path, i))));
  return [...faults, ...duplicates(schema, value, path)];
}

/** The second of two equal items is reported, by its index. */
function duplicates(schema: Structural, value: readonly unknown[], path: string): Fault[] {
  const listType = schema['x-kubernetes-list-type'];
  if (listType !== 'set' && listType !== 'map') return [];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const identity = (item: unknown): unknown =>
    listType === 'map' && isRecord(item)
      ? keys.map((key) => (Object.hasOwn(item, key) ? item[key] : keyDefault(schema, key)) ?? null)
      : item;
  const seen = new Set<string>();
  return value.flatMap((item, i) => {
    const text = canonicalText(identity(item));
    const known = seen.has(text);
    seen.add(text);
    return known ? [{ path: element(path, i), message: 'appears twice' }] : [];
  });
}

function keyDefault({ items }: Structural, key: string): unknown {
  return items && propertyOf(items, key)?.default;
}
