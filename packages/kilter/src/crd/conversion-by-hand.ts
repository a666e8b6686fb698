import type { Json, JsonObject } from '../api/index.ts';
import { inWords, KilterError } from '../errors/index.ts';
import { deepEqual } from '../internal/index.ts';
import { agreed, completed } from './conversion-parts.ts';
import { child, element } from './field-path.ts';
import { isRecord, type Raw } from './json-schema.ts';
import { type Structural, valuesOf } from './structural.ts';
import type { Fault } from './value.ts';

/** A function of the author, and the way it leads. */
export interface ByHand {
  /** Where it stands, as `converts.v1alpha1.up`. */
  readonly path: string;
  readonly from: Structural;
  readonly to: Structural;
  /** What field actions make of a spec. */
  readonly generate: (spec: JsonObject) => JsonObject;
  readonly convert: (spec: JsonObject, generated: JsonObject) => unknown;
}

/** What an author's function makes of a spec, as plain JSON; whatever it does instead is an error that names it. */
export function convertByHand(spec: JsonObject, byHand: ByHand): JsonObject {
  const whole = completed(byHand.from, spec, 0) as JsonObject;
  const result = deepEqual(whole, spec) ? called(spec, byHand) : convertParts(spec, whole, byHand);
  return withUnknown(result, spec, byHand);
}

/** The function sees whole specs only; what it makes of a part is what it makes of that part whatever the rest is. */
function convertParts(spec: JsonObject, whole: JsonObject, byHand: ByHand): JsonObject {
  const lenient = { ...byHand, isPartial: true };
  try {
    const other = completed(byHand.from, spec, 1) as JsonObject;
    return agreed(called(whole, lenient), called(other, lenient)) as JsonObject;
  } catch {
    // What was made up may be nothing the function can read; then it gets the part as it is.
    return called(spec, lenient);
  }
}

const duty = 'a conversion is total and pure: it takes every spec of its version, and parts of it';

function called(spec: JsonObject, byHand: ByHand & { readonly isPartial?: boolean }): JsonObject {
  let result: unknown;
  try {
    const [one, two] = structuredClone([spec, withoutForeign(byHand.generate(spec), byHand)]);
    result = byHand.convert(one, two);
  } catch (error) {
    throw new KilterError('CRD_CONVERSION_FAILED', `${byHand.path} threw: ${inWords(error)}`, {
      cause: error,
      cure: duty,
    });
  }
  if (result instanceof Promise) {
    // Its outcome does not matter, and must not surface as an unhandled rejection.
    result.catch(() => undefined);
    fail(byHand, 'returned a promise', 'convert synchronously: the server waits for the answer for every object');
  }
  if (!isRecord(result)) fail(byHand, `returned ${result === null ? 'null' : typeof result}, not a spec`, duty);
  const faults: Fault[] = [];
  const plain = plainJson(result, { path: 'spec', faults }) as JsonObject;
  const [fault] = faults;
  // Number(undefined) of a part that is not there is no number; of a whole spec it is a mistake.
  const isForgiven = byHand.isPartial === true && faults.every(({ message }) => message === notFinite);
  if (fault !== undefined && !isForgiven) fail(byHand, `did not return JSON: ${fault.path} ${fault.message}`, duty);
  return plain;
}

function fail({ path }: ByHand, message: string, cure: string): never {
  throw new KilterError('CRD_CONVERSION_FAILED', `${path} ${message}`, { cure });
}

const notFinite = 'is not a finite number';

/** A copy without what JSON cannot hold; `undefined` is absence. */
function plainJson(value: unknown, { path, faults }: { path: string; faults: Fault[] }): Json | undefined {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    return void faults.push({ path, message: notFinite });
  }
  if (Array.isArray(value)) return value.map((item, i) => plainJson(item, { path: element(path, i), faults }) ?? null);
  if (!isRecord(value) || !isPlain(value)) return void faults.push({ path, message: 'is not a plain value' });
  const entries = Object.entries(value).map(([name, inner]) => [
    name,
    plainJson(inner, { path: child(path, name), faults }),
  ]);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined)) as JsonObject;
}

function isPlain(value: Raw): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** What the source has without a schema passes, where the target has no field of that name. */
function withUnknown(
  result: JsonObject,
  source: JsonObject,
  { from, to }: { from: Structural; to: Structural },
): JsonObject {
  if (valuesOf(from) !== undefined || valuesOf(to) !== undefined) return result;
  const carried: [string, Json][] = [];
  for (const [name, value] of Object.entries(source)) {
    const [left, right] = [property(from, name), property(to, name)];
    const inner = Object.hasOwn(result, name) ? result[name] : undefined;
    if (left === undefined && right === undefined && inner === undefined) carried.push([name, value]);
    else if (left !== undefined && right !== undefined && isRecord(inner) && isRecord(value)) {
      carried.push([name, withUnknown(inner as JsonObject, value as JsonObject, { from: left, to: right })]);
    }
  }
  return carried.length === 0 ? result : { ...result, ...Object.fromEntries(carried) };
}

/** What field actions make of a spec, without what the source knows by a name the target has no field for. */
function withoutForeign(generated: JsonObject, { from, to }: { from: Structural; to: Structural }): JsonObject {
  const kept = Object.entries(generated).flatMap(([name, value]): [string, Json][] => {
    const [left, right] = [property(from, name), property(to, name)];
    if (left !== undefined && right === undefined && valuesOf(to) === undefined) return [];
    const isInner = left !== undefined && right !== undefined && isRecord(value);
    return [[name, isInner ? withoutForeign(value as JsonObject, { from: left, to: right }) : value]];
  });
  return Object.fromEntries(kept);
}

function property({ properties = {} }: Structural, name: string): Structural | undefined {
  return Object.hasOwn(properties, name) ? properties[name] : undefined;
}
