import type { Json, JsonObject } from 'kilter/api';
import { effectiveFormat, hasFormat, matchesPattern } from '../formats/index.ts';
import { fieldOf, isNumeric, isObject, type Issue, quote, sameValue, type Schema } from '../values/index.ts';
import type { Correlation } from './correlation.ts';
import { at, child } from './field-path.ts';
import { Findings, type Problem } from './findings.ts';
import { invalid, notSupported, required, tooLong, tooMany, typeInvalid } from './issue.ts';
import { validateNumber } from './validate-number.ts';

/** One value against one schema, with everything below it. */
export interface Subject {
  readonly value: Json;
  readonly schema: Schema;
  /** `spec.env[0].name`, as it is in messages; '' at the root. */
  readonly path: string;
  /** What the value was before an update, if that is known. */
  readonly correlation: Correlation | undefined;
}

/**
 * Everything a schema says of a value but list types, embedded resources and rules. On an update the problems of a value
 * that stays as it was are forgiven.
 */
export function validateValue(subject: Subject): Findings {
  const findings = judge(subject);
  return !findings.valid && subject.correlation?.unchanged() === true ? findings.forgive() : findings;
}

/** Counts its checks as the server does, because the count picks the branch of anyOf and oneOf that is reported. */
function judge(subject: Subject): Findings {
  const { value, schema, path } = subject;
  const findings = new Findings();
  if (value === null) {
    checkNull(findings, schema, path);
    return findings;
  }
  checkType(findings, subject);
  checkJunctors(findings, subject);
  if (typeof value === 'string') checkString(findings, value, subject);
  if (isNumeric(value)) checkNumber(findings, value, subject);
  if (Array.isArray(value)) checkItems(findings, value, subject);
  findings.add(checkEnum(value, schema, path));
  if (isObject(value)) checkFields(findings, value, subject);
  findings.matches += 2;
  return findings;
}

function typesOf(schema: Schema): readonly string[] {
  if (schema['x-kubernetes-int-or-string'] === true) return ['integer', 'string'];
  return schema.type === undefined ? [] : [schema.type];
}

function problem(sentence: string, issue: (sentence: string) => Issue): Problem {
  return { sentence, issue: issue(sentence) };
}

function wrongType(path: string, expected: string, actual: string): Problem {
  return problem(`${path} in body must be of type ${expected}: ${quote(actual)}`, (sentence) =>
    typeInvalid(path, actual, sentence),
  );
}

function checkNull(findings: Findings, schema: Schema, path: string): void {
  const types = typesOf(schema);
  if (types.length > 0 && schema.nullable !== true) findings.add(wrongType(path, types.join(','), 'null'));
  else findings.matches++;
  findings.add(checkEnum(null, schema, path));
}

/** A value's type and, for numbers, the format the server holds it in. */
function typeOf(value: Json): { type: string; format: string } {
  if (isNumeric(value)) {
    return typeof value === 'bigint' || Number.isSafeInteger(value)
      ? { type: 'integer', format: 'int64' }
      : { type: 'number', format: 'float64' };
  }
  if (Array.isArray(value)) return { type: 'array', format: '' };
  return { type: typeof value, format: '' };
}

function checkType(findings: Findings, { value, schema, path }: Subject): void {
  const expected = typesOf(schema);
  const format = effectiveFormat(schema);
  if (expected.length === 0 && format === undefined) return;
  findings.matches++;
  const mismatch = typeMismatch(typeOf(value), expected, format);
  if (mismatch === undefined) findings.matches++;
  else findings.add(wrongType(path, mismatch.expected, mismatch.actual));
}

function typeMismatch(
  actual: { type: string; format: string },
  expected: readonly string[],
  format: string | undefined,
): { expected: string; actual: string } | undefined {
  const numeric = expected.includes('number') || expected.includes('integer');
  const fits = expected.includes(actual.type) || (actual.type === 'integer' && expected.includes('number'));
  if (format !== undefined) {
    const textual = actual.type === 'string' || actual.type === 'array';
    if (!textual && !fits && actual.format !== format) return { expected: format, actual: actual.format };
    // The server leaves the type of strings with a format to the format; that a list slips through is its own fault.
    if (textual && !numeric) return undefined;
  }
  return fits ? undefined : { expected: expected.join(','), actual: actual.type };
}

function checkString(findings: Findings, value: string, { schema, path }: Subject): void {
  findings.matches++;
  findings.add(checkLength(value, schema, path) ?? checkPattern(value, schema, path));
  const format = effectiveFormat(schema);
  if (format === undefined || typesOf(schema).includes('integer') || schema.type === 'number') return;
  findings.matches++;
  if (!hasFormat(value, format)) findings.add(wrongType(path, format, value));
}

function checkLength(value: string, { minLength, maxLength }: Schema, path: string): Problem | undefined {
  if (minLength === undefined && maxLength === undefined) return undefined;
  const { length } = Array.from(value);
  if (maxLength !== undefined && length > maxLength) {
    return problem(`${path} in body should be at most ${maxLength} chars long`, () => tooLong(path, maxLength));
  }
  if (minLength === undefined || length >= minLength) return undefined;
  return problem(`${path} in body should be at least ${minLength} chars long`, (text) => invalid(path, value, text));
}

function checkPattern(value: string, { pattern }: Schema, path: string): Problem | undefined {
  if (pattern === undefined || pattern === '') return undefined;
  const verdict = matchesPattern(value, pattern);
  if (verdict === true) return undefined;
  const flaw = verdict === false ? '' : `, but pattern is invalid: ${verdict.flaw}`;
  return problem(`${path} in body should match '${pattern}${flaw}'`, (text) => invalid(path, value, text));
}

function checkNumber(findings: Findings, value: number | bigint, { schema, path }: Subject): void {
  findings.matches += 2;
  findings.addAll(validateNumber(value, schema, path));
}

function checkItems(findings: Findings, list: Json[], { schema, path, correlation }: Subject): void {
  const { items, minItems, maxItems } = schema;
  findings.matches += 2;
  if (items !== undefined) {
    for (const [index, value] of list.entries()) {
      findings.merge(
        validateValue({ value, schema: items, path: at(path, index), correlation: correlation?.index(index) }),
      );
    }
  }
  const size = list.length;
  if (minItems !== undefined && size < minItems) {
    findings.add(
      problem(`${path} in body should have at least ${minItems} items`, (text) => invalid(path, size, text)),
    );
  }
  if (maxItems !== undefined && size > maxItems) {
    findings.add(problem(`${path} in body should have at most ${maxItems} items`, () => tooMany(path, size, maxItems)));
  }
}

function checkEnum(value: Json, { enum: allowed }: Schema, path: string): Problem | undefined {
  if (allowed === undefined || allowed.length === 0) return undefined;
  // No null passes, not even where null is among the values.
  if (value !== null && allowed.some((candidate) => sameValue(candidate, asWritten(value, candidate))))
    return undefined;
  return problem(`${path} in body should be one of`, () => notSupported(path, value, allowed));
}

/** The server makes a number what the candidate is before it compares: 1.5 is 1 beside an integer. */
function asWritten(value: Json, candidate: Json): Json {
  return typeof value === 'number' && Number.isInteger(candidate) ? Math.trunc(value) : value;
}

function checkFields(findings: Findings, object: JsonObject, subject: Subject): void {
  const { schema, path } = subject;
  findings.matches++;
  checkFieldCount(findings, Object.keys(object).length, subject);
  for (const [key, value] of Object.entries(object)) {
    if (schema.properties !== undefined && Object.hasOwn(schema.properties, key)) continue;
    checkOtherField(findings, { key, value }, subject);
  }
  for (const [key, property] of Object.entries(schema.properties ?? {})) {
    const value = fieldOf(object, key);
    if (value === undefined) continue;
    findings.merge(
      validateValue({ value, schema: property, path: child(path, key), correlation: correlated(subject, key) }),
    );
  }
  for (const key of schema.required ?? []) {
    if (Object.hasOwn(object, key)) continue;
    findings.add(problem(`${path}.${key} in body is required`, () => required(child(path, key))));
  }
}

/** apiVersion and kind are converted before they are compared, so that no change of them would show. */
function correlated({ path, correlation }: Subject, key: string): Correlation | undefined {
  return path === '' && (key === 'apiVersion' || key === 'kind') ? undefined : correlation?.key(key);
}

function checkFieldCount(findings: Findings, count: number, { schema, path }: Subject): void {
  const { minProperties, maxProperties } = schema;
  if (minProperties !== undefined && count < minProperties) {
    findings.add(
      problem(`${path} in body should have at least ${minProperties} properties`, (text) => invalid(path, count, text)),
    );
  }
  if (maxProperties !== undefined && count > maxProperties) {
    findings.add(
      problem(`${path} in body should have at most ${maxProperties} properties`, () =>
        tooMany(path, count, maxProperties),
      ),
    );
  }
}

function checkOtherField(findings: Findings, { key, value }: { key: string; value: Json }, subject: Subject): void {
  const { schema, path } = subject;
  if (typeof schema.additionalProperties === 'object') {
    findings.merge(
      validateValue({
        value,
        schema: schema.additionalProperties,
        path: child(path, key),
        correlation: correlated(subject, key),
      }),
    );
  } else if (schema.additionalProperties === false) {
    findings.add(problem(`${path}.${key} in body is a forbidden property`, (text) => invalid(path, key, text)));
  }
}

/** An update forgives nothing inside a branch: only the value as a whole may stay as it was. */
function checkJunctors(findings: Findings, whole: Subject): void {
  const subject = { ...whole, correlation: undefined };
  const { schema } = subject;
  findings.matches += 2;
  if (schema.anyOf !== undefined && schema.anyOf.length > 0) checkAnyOf(findings, schema.anyOf, subject);
  if (schema.oneOf !== undefined && schema.oneOf.length > 0) checkOneOf(findings, schema.oneOf, subject);
  if (schema.allOf !== undefined && schema.allOf.length > 0) checkAllOf(findings, schema.allOf, subject);
  if (schema.not !== undefined && judge({ ...subject, schema: schema.not }).valid) {
    findings.add(junctor(subject, 'must not validate the schema (not)'));
  }
}

/** The server names no field here: the path is part of the sentence. */
function junctor({ path }: Subject, sentence: string): Problem {
  return problem(`${quote(path)} ${sentence}`, (text) => invalid('', '', text));
}

function furthest(failures: readonly Findings[]): Findings | undefined {
  let best: Findings | undefined;
  for (const failure of failures) if (best === undefined || failure.matches > best.matches) best = failure;
  return best;
}

function checkAnyOf(findings: Findings, branches: readonly Schema[], subject: Subject): void {
  const failures: Findings[] = [];
  for (const schema of branches) {
    const result = judge({ ...subject, schema });
    if (result.valid) return findings.merge(result);
    failures.push(result);
  }
  findings.add(junctor(subject, 'must validate at least one schema (anyOf)'));
  const best = furthest(failures);
  if (best !== undefined) findings.merge(best);
}

function checkOneOf(findings: Findings, branches: readonly Schema[], subject: Subject): void {
  const results = branches.map((schema) => judge({ ...subject, schema }));
  const successes = results.filter((result) => result.valid);
  const [only] = successes;
  if (only !== undefined && successes.length === 1) return findings.merge(only);
  const found = only === undefined ? 'Found none valid' : `Found ${successes.length} valid alternatives`;
  findings.add(junctor(subject, `must validate one and only one schema (oneOf). ${found}`));
  const best = only === undefined ? furthest(results) : undefined;
  if (best !== undefined) findings.merge(best);
}

function checkAllOf(findings: Findings, branches: readonly Schema[], subject: Subject): void {
  const results = branches.map((schema) => judge({ ...subject, schema }));
  for (const result of results) findings.merge(result);
  if (results.every((result) => result.valid)) return;
  const none = results.some((result) => result.valid) ? '' : '. None validated';
  findings.add(junctor(subject, `must validate all the schemas (allOf)${none}`));
}
