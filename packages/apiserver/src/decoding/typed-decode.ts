import { Buffer } from 'node:buffer';
import { type Json, type JsonObject, formatTime, parseTime } from 'kilter/api';
import { isBase64, isEmpty, isObject, type Schema, setField, textOf } from '../values/index.ts';
import { microseconds, timeProblem } from './go-time.ts';
import { quantityForm } from './quantity-form.ts';
import { isNil } from './settled.ts';

/** What the server's typed decoder makes of JSON: built-in kinds, and the metadata of all. */
export interface Decoded {
  readonly value: JsonObject;
  /** Fields the type does not have; they are left out of the value. In the order of the document. */
  readonly unknown: string[];
  /** Maps at the top of the object that have no entries; they are left out of the value. */
  readonly emptied?: readonly string[];
  /** The first value of a wrong type, in the decoder's words. */
  readonly problem: string | undefined;
}

/** Two parts of the server decode: the JSON decoder, and for strategic merge patches the converter of maps. */
export type DecoderWords = 'json' | 'converter';

export interface Decoding {
  /** The struct the value is decoded into. */
  readonly name: string;
  readonly words?: DecoderWords;
}

interface State {
  readonly words: DecoderWords;
  readonly unknown: string[];
  problem: string | undefined;
}

interface DecodePosition {
  readonly schema: Schema;
  /** `spec.containers[0].name`, for unknown fields. */
  readonly path: string;
  /** The struct whose field this is, for problems: `Container`. */
  readonly struct: string;
  readonly state: State;
  /** The value of a key, not of a field. */
  readonly inMap?: boolean;
}

const microTime = 'io.k8s.apimachinery.pkg.apis.meta.v1.MicroTime';
const goNames: Readonly<Record<string, string>> = {
  integer: 'int32',
  boolean: 'bool',
  number: 'float64',
  string: 'string',
};

/** Decodes as Go does: null is absent, empty lists and maps are left out, times come in one form, the rest must fit. */
export function decodeTyped(value: JsonObject, schema: Schema, { name, words = 'json' }: Decoding): Decoded {
  const state: State = { words, unknown: [], problem: undefined };
  const decoded = decode(value, { schema, path: '', struct: name, state });
  return {
    value: isObject(decoded) ? decoded : {},
    unknown: state.unknown,
    emptied: emptiedIn(value, schema),
    problem: state.problem,
  };
}

function emptiedIn(value: JsonObject, { properties = {} }: Schema): string[] {
  return Object.keys(value).filter((name) => {
    const map = value[name] ?? null;
    const isMap = Object.hasOwn(properties, name) && properties[name]?.additionalProperties !== undefined;
    return isMap && isObject(map) && isEmpty(map);
  });
}

function decode(value: Json, place: DecodePosition): Json | undefined {
  const { schema } = place;
  if (value === null) return undefined;
  if (schema.alternatives !== undefined) return decodeAlternative(value, schema.alternatives, place);
  if (isFree(schema)) return isObject(value) || takesAnything(schema) ? value : mismatch(value, place);
  if (schema['x-kubernetes-int-or-string'] === true) return decodeNumberOrText(value, place);
  if (schema.oneOf !== undefined) return decodeQuantity(value, place);
  switch (schema.type) {
    case 'object':
      return isObject(value) ? decodeObject(value, place) : mismatch(value, place);
    case 'array':
      return Array.isArray(value) ? decodeList(value, place) : mismatch(value, place);
    case 'string':
      if (typeof value === 'string') return decodeText(value, place);
      return schema.format === 'byte' && isBytes(value)
        ? Buffer.from(value).toString('base64')
        : mismatch(value, place);
    case 'integer':
      return fitsInteger(value, schema) ? value : mismatch(value, place);
    case 'number':
      return expectType(value, ['number', 'bigint'], place);
    case 'boolean':
      return expectType(value, ['boolean'], place);
    case undefined:
      return value;
  }
}

/** Of a type with several forms: an object or a list is decoded as what it is, anything else stays for validation. */
function decodeAlternative(
  value: Json,
  { object, items }: NonNullable<Schema['alternatives']>,
  place: DecodePosition,
): Json | undefined {
  if (isObject(value)) return decode(value, { ...place, schema: object });
  const title = place.schema.title ?? '';
  if (title.endsWith('OrBool'))
    return typeof value === 'boolean' ? value : refuse(place, 'boolean or JSON schema expected');
  if (!Array.isArray(value) || items === undefined) return title.endsWith('PropsOrArray') ? undefined : value;
  if (value.length === 0) return undefined;
  return value.map((item, index) => decode(item, { ...place, schema: items, path: `${place.path}[${index}]` }) ?? {});
}

const isZero = (value: Json): boolean => value === '' || value === 0 || value === false;

/** Whether a Go integer of this width holds the number; beyond 2^53 numbers are bigint. */
function fitsInteger(value: Json, { format }: Schema): boolean {
  if (typeof value === 'bigint') return format !== 'int32';
  if (typeof value !== 'number' || !Number.isInteger(value)) return false;
  const limit = format === 'int32' ? 2 ** 31 : 2 ** 63;
  return value >= -limit && value < limit;
}

/** A place that holds any data. */
function isFree(schema: Schema): boolean {
  if (schema.properties !== undefined || schema.additionalProperties !== undefined) return false;
  return schema['x-kubernetes-preserve-unknown-fields'] === true || schema.type === 'object';
}

const anything = /(?:RawExtension|FieldsV1|JSON)$/;

/** A place published as an object, whose type reads whatever is there. */
function takesAnything(schema: Schema): boolean {
  return schema['x-kubernetes-preserve-unknown-fields'] === true || anything.test(schema.title ?? '');
}

/** Go reads bytes from a list of numbers as well; null is one of them left at 0. */
const isBytes = (value: Json): value is number[] =>
  Array.isArray(value) &&
  value.every((byte) => byte === null || (Number.isInteger(byte) && Number(byte) >= 0 && Number(byte) <= 255));

/** A number is one of 32 bits. */
function decodeNumberOrText(value: Json, place: DecodePosition): Json | undefined {
  if (typeof value === 'string') return value;
  return fitsInteger(value, int32) ? value : mismatch(value, { ...place, schema: int32 });
}

const int32: Schema = { type: 'integer', format: 'int32' };

function expectType(value: Json, types: readonly string[], place: DecodePosition): Json | undefined {
  return types.includes(typeof value) ? value : mismatch(value, place);
}

function goTypeOf(schema: Schema): string {
  const named = schema.title === undefined ? undefined : `v1.${schema.title.slice(schema.title.lastIndexOf('.') + 1)}`;
  if (schema.type === 'array') return `[]${goTypeOf(schema.items ?? {})}`;
  if (typeof schema.additionalProperties === 'object') return `map[string]${goTypeOf(schema.additionalProperties)}`;
  if (schema.type === 'integer' && schema.format === 'int64') return 'int64';
  return named ?? goNames[schema.type ?? ''] ?? 'string';
}

/** Go names the innermost struct, and then the whole path without positions. */
function mismatch(value: Json, { schema, path, struct, state }: DecodePosition): undefined {
  if (state.words === 'converter') {
    state.problem ??= converterProblem(value, schema);
    return undefined;
  }
  const field = `${struct}.${path.replace(/\[\d+\]/g, '')}`;
  const got = Array.isArray(value)
    ? 'array'
    : value === null
      ? 'null'
      : typeof value === 'boolean'
        ? 'bool'
        : typeof value;
  const counts = (typeof value === 'number' || typeof value === 'bigint') && schema.type === 'integer';
  const what = counts ? `number ${digitsOf(value)}` : got === 'bigint' ? 'number' : got;
  state.problem ??= `json: cannot unmarshal ${what} into Go struct field ${field} of type ${goTypeOf(schema)}`;
  return undefined;
}

/** A number in full, where JavaScript would round its last digits in writing. */
function digitsOf(value: number | bigint): string {
  return typeof value === 'bigint' || Number.isInteger(value) ? String(BigInt(value)) : String(value);
}

/** How the converter says that a value does not fit; numbers it would turn into text, were it let. */
function converterProblem(value: Json, schema: Schema): string {
  const kind = valueKind(value);
  if (schema.type === 'array') return `cannot restore slice from ${kind}`;
  if (schema.type === 'object')
    return schema.properties === undefined ? `cannot restore map from ${kind}` : `cannot restore struct from: ${kind}`;
  const type = goTypeOf(schema);
  const convertible =
    (schema.type === 'string' && kind === 'int64') || (schema.type === 'integer' && kind === 'float64');
  return convertible ? `cannot convert ${kind} to ${type}` : `unrecognized type: ${type}`;
}

function valueKind(value: Json): string {
  if (Array.isArray(value)) return 'slice';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : typeof value === 'string' ? 'string' : 'map';
}

function decodeList(list: readonly Json[], place: DecodePosition): Json | undefined {
  if (list.length === 0) return undefined;
  const schema = place.schema.items ?? {};
  const items = list.map((item, index) => decode(item, { ...place, schema, path: `${place.path}[${index}]` }));
  // A null item is Go's zero value.
  return items.map((item) => item ?? (schema.type === 'object' ? {} : ''));
}

function decodeObject(object: JsonObject, place: DecodePosition): Json | undefined {
  const { schema, state } = place;
  const decoded: JsonObject = {};
  for (const [key, value] of Object.entries(object)) {
    const path = place.path === '' ? key : `${place.path}.${key}`;
    const own =
      schema.properties !== undefined && Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    const below = own ?? (typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined);
    if (below === undefined) {
      if (schema.additionalProperties !== true) state.unknown.push(path);
      continue;
    }
    const inside: DecodePosition = {
      schema: below,
      path: own === undefined ? place.path : path,
      struct: structOf(place),
      state,
      inMap: own === undefined,
    };
    if (own !== undefined && isZero(value) && schema.omitsZero?.includes(key) === true) {
      // It must be of its type all the same.
      decode(value, inside);
      continue;
    }
    // An empty list that is always there has an owner once somebody sent it.
    const field =
      isReset(path, value) || isMeant(key, value, schema) || isNil(key, value, schema)
        ? value
        : inside.inMap === true && value === null
          ? zeroOf(below)
          : decode(value, inside);
    if (field !== undefined && field !== null) setField(decoded, key, field);
  }
  const emptyMap = schema.properties === undefined && Object.keys(decoded).length === 0;
  return emptyMap ? undefined : decoded;
}

/** What a key without a value gets: its map holds values, not nothing. */
function zeroOf({ type, oneOf }: Schema): Json {
  if (type === 'integer' || type === 'number') return 0;
  if (type === 'boolean') return false;
  if (oneOf !== undefined) return '0';
  return type === 'object' ? {} : '';
}

/** An empty list of managedFields is a wish: nobody shall own anything. */
function isReset(path: string, value: Json): boolean {
  return path === 'metadata.managedFields' && Array.isArray(value) && value.length === 0;
}

/** An empty list of policies is none; one that is left out is the usual one. */
function isMeant(key: string, value: Json, { title = '' }: Schema): boolean {
  return key === 'policies' && title.endsWith('.HPAScalingRules') && Array.isArray(value) && value.length === 0;
}

function structOf({ schema, struct }: DecodePosition): string {
  return schema.title === undefined ? struct : schema.title.slice(schema.title.lastIndexOf('.') + 1);
}

function decodeText(text: string, place: DecodePosition): Json | undefined {
  const { format, title } = place.schema;
  if (format === 'date-time') return title === microTime ? decodeMicroTime(text, place) : decodeTime(text, place);
  if (format === 'byte') return decodeBytes(text, place);
  return text;
}

/** Quantities in a map are amounts of resources. */
function decodeQuantity(value: Json, place: DecodePosition): Json | undefined {
  if (!['string', 'number', 'bigint'].includes(typeof value)) return mismatch(value, place);
  const form = quantityForm(textOf(value).trim(), { resource: place.inMap === true });
  return 'text' in form ? form.text : refuse(place, form.problem);
}

function refuse(place: DecodePosition, problem: string): undefined {
  place.state.problem ??= problem;
  return undefined;
}

function decodeTime(text: string, place: DecodePosition): string | undefined {
  const ms = parseTime(text);
  return ms === undefined ? refuse(place, timeProblem(text)) : formatTime(ms);
}

const sixDecimals = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})(Z|[+-]\d\d:\d\d)$/;

function decodeMicroTime(text: string, place: DecodePosition): string | undefined {
  const match = sixDecimals.exec(text);
  const ms = match === null ? undefined : parseTime(`${match[1]}${match[3]}`);
  if (match === null || ms === undefined) return refuse(place, timeProblem(text, microseconds));
  return `${formatTime(ms).slice(0, -1)}.${match[2]}Z`;
}

function decodeBytes(text: string, place: DecodePosition): string | undefined {
  const packed = text.replace(/[\r\n]/g, '');
  if (isBase64(packed)) return packed;
  const stray = /[^A-Za-z0-9+/=]/.exec(packed)?.index ?? packed.length - (packed.length % 4);
  return refuse(place, `illegal base64 data at input byte ${stray}`);
}
