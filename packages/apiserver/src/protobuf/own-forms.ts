import { textOfTime, timeOfText } from './timestamps.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is an object of fields in protobuf and something else in JSON. */
export interface OwnForm {
  /** The fields of a value; undefined where nothing at all is written of it. The value is undefined where it is not set. */
  toFields(value: unknown): Fields | undefined;
  /** The value; undefined if it is the zero value, which JSON mostly leaves out. */
  fromFields(fields: Fields): unknown;
  /** The zero value, for a field that is set and holds it. */
  readonly zero: unknown;
  /** A message of no bytes is the zero value, though fields that are not set are not. */
  readonly emptyIsZero?: true;
}

/** Fields of messages that the table leaves out, as they are not what JSON has. */
export const ownMessages: Readonly<Record<string, string>> = {
  Time: 'seconds=1!l nanos=2!i',
  MicroTime: 'seconds=1!l nanos=2!i',
  Quantity: 'string=1!s:String_',
  IntOrString: 'type=1!l intVal=2!i strVal=3!s',
  RawExtension: 'raw=1?j',
  FieldsV1: 'raw=1?j',
  JSON: 'raw=1?j',
  Verbs: 'items=1*s',
  ExtraValue: 'items=1*s',
  JSONSchemaPropsOrArray: 'schema=1?JSONSchemaProps jSONSchemas=2*JSONSchemaProps:JSONSchemas',
  JSONSchemaPropsOrBool: 'allows=1!b schema=2?JSONSchemaProps',
  JSONSchemaPropsOrStringArray: 'schema=1?JSONSchemaProps property=2*s',
};

const isList = (value: unknown): boolean => Array.isArray(value);
const isSchema = (value: unknown): boolean => typeof value === 'object' && value !== null && !isList(value);

/** Whole seconds: what lies below them is cut, on the way in and out. */
const time: OwnForm = {
  zero: null,
  toFields: (value) => {
    const read = timeOfText(value);
    return read && { seconds: read.seconds, nanos: 0 };
  },
  fromFields: ({ seconds = 0 }) => textOfTime(seconds, undefined),
  emptyIsZero: true,
};

const microTime: OwnForm = {
  zero: null,
  toFields: (value) => timeOfText(value),
  fromFields: ({ seconds = 0, nanos = 0 }) => textOfTime(seconds, Math.trunc(Number(nanos) / 1000)),
  emptyIsZero: true,
};

/** A quantity may have come as a number. */
function quantityText(value: unknown): string {
  return typeof value === 'number' || typeof value === 'bigint' ? String(value) : '0';
}

const quantity: OwnForm = {
  zero: '0',
  toFields: (value) => ({ string: typeof value === 'string' ? value : quantityText(value) }),
  fromFields: ({ string = '0' }) => string,
};

const intOrString: OwnForm = {
  zero: 0,
  toFields: (value) => {
    if (typeof value === 'string') return { type: 1, strVal: value };
    return { intVal: value ?? 0 };
  },
  fromFields: ({ type = 0, intVal = 0, strVal = '' }) => {
    if (type === 0) return intVal === 0 ? undefined : intVal;
    return strVal;
  },
};

const raw: OwnForm = {
  zero: null,
  toFields: (value) => (value === undefined || value === null ? {} : { raw: value }),
  fromFields: (fields) => fields['raw'],
};

const strings: OwnForm = {
  zero: [],
  toFields: (value) => ({ items: value }),
  fromFields: ({ items }) => items,
};

const schemaOrArray: OwnForm = {
  zero: null,
  toFields: (value) => (isList(value) ? { jSONSchemas: value } : { schema: value }),
  fromFields: ({ schema, jSONSchemas }) => jSONSchemas ?? schema,
};

const schemaOrBool: OwnForm = {
  zero: false,
  toFields: (value) => (isSchema(value) ? { allows: true, schema: value } : { allows: value === true }),
  fromFields: ({ allows = false, schema }) => schema ?? allows,
};

const schemaOrStrings: OwnForm = {
  zero: null,
  toFields: (value) => (isList(value) ? { property: value } : { schema: value }),
  fromFields: ({ property, schema }) => property ?? schema,
};

/** By the name of the message, with its package or without. */
export const ownForms: Readonly<Record<string, OwnForm>> = {
  Time: time,
  MicroTime: microTime,
  Quantity: quantity,
  IntOrString: intOrString,
  RawExtension: raw,
  FieldsV1: raw,
  JSON: raw,
  Verbs: strings,
  ExtraValue: strings,
  JSONSchemaPropsOrArray: schemaOrArray,
  JSONSchemaPropsOrBool: schemaOrBool,
  JSONSchemaPropsOrStringArray: schemaOrStrings,
};
