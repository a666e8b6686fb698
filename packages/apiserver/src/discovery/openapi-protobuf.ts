import type { Buffer } from 'node:buffer';
import type { Json, JsonObject } from 'kilter/api';
import { encodeMessage } from '../protobuf/index.ts';
import { isObject, mapFields, stringifyJson } from '../values/index.ts';
import type { OpenApiDocument } from './openapi.ts';
import { messagesV2, messagesV3 } from './openapi-messages.ts';
import type { Dialect } from './openapi-schema.ts';

/** A value of no known shape is a text of YAML, and JSON is YAML. */
const anyOf = (value: Json): JsonObject => ({ yaml: `${stringifyJson(value)}\n` });

/** A map as the list of its entries. */
function entriesOf(map: Json | undefined, convert: (value: JsonObject) => Json): JsonObject[] {
  return Object.entries(isObject(map) ? map : {}).map(([name, value]) => ({
    name,
    value: convert(value as JsonObject),
  }));
}

const listOf = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? (value as JsonObject[]) : []);

/** Splits off what the message has no field for. */
function withExtensions(object: JsonObject): JsonObject {
  const extension = Object.entries(object).filter(([name]) => name.startsWith('x-'));
  const own = Object.entries(object).filter(([name]) => !name.startsWith('x-'));
  if (extension.length === 0) return object;
  const named = extension.map(([name, value]) => ({ name, value: anyOf(value as Json) }));
  return { ...(Object.fromEntries(own) as JsonObject), extension: named };
}

/** Fields that are false or empty are not written: that is their zero value. */
function withoutZeros(object: JsonObject): JsonObject {
  const set = Object.entries(object).filter(([, value]) => value !== false && value !== '');
  return Object.fromEntries(set) as JsonObject;
}

/** How the two dialects differ; documents are walked alike. */
class DocumentWriter {
  readonly #dialect: Dialect;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  document({ paths, definitions, components, ...rest }: JsonObject): JsonObject {
    const schemas = this.#dialect === 'v2' ? definitions : (components as JsonObject)['schemas'];
    const list = entriesOf(schemas, (schema) => this.#schema(schema));
    return {
      ...rest,
      paths: { path: entriesOf(paths, (item) => this.#pathItem(item)) },
      ...(this.#dialect === 'v2' ? { definitions: { list } } : { components: { schemas: { list } } }),
    };
  }

  #pathItem({ parameters, ...operations }: JsonObject): JsonObject {
    const items = listOf(parameters).map((parameter) => this.#parameter(parameter));
    const written = mapFields(operations, (one) => (isObject(one) ? this.#operation(one) : one));
    return { ...written, parameters: items };
  }

  #operation({ parameters, responses, requestBody, ...rest }: JsonObject): JsonObject {
    const { default: other, ...codes } = isObject(responses) ? responses : {};
    return {
      ...withExtensions(withoutZeros(rest)),
      parameters: listOf(parameters).map((parameter) => this.#parameter(parameter)),
      responses: {
        codes: entriesOf(codes, (response) => this.#response(response)),
        ...(isObject(other) && this.#dialect === 'v3' && { default: this.#response(other) }),
      },
      ...(isObject(requestBody) && { requestBody: this.#body(requestBody) }),
    };
  }

  #parameter(parameter: JsonObject): JsonObject {
    if ('$ref' in parameter) return { reference: parameter };
    const { schema, ...rest } = withoutZeros(parameter);
    const own = { ...rest, ...(isObject(schema) && { schema: this.#schema(schema) }) };
    if (this.#dialect === 'v3') return { parameter: withExtensions(own) };
    const place = parameter['in'] as string;
    return { parameter: place === 'body' ? { body: own } : { other: { [place]: own } } };
  }

  #body(body: JsonObject): JsonObject {
    if ('$ref' in body) return { reference: body };
    const { content, ...rest } = body;
    return { requestBody: { ...rest, content: this.#content(content) } };
  }

  #content(content: Json | undefined): JsonObject {
    return { list: entriesOf(content, ({ schema }) => (isObject(schema) ? { schema: this.#schema(schema) } : {})) };
  }

  #response(response: JsonObject): JsonObject {
    if ('$ref' in response) return { reference: response };
    const { description = '', schema, content } = response;
    if (this.#dialect === 'v3') return { response: { description, content: this.#content(content) } };
    return { response: { description, ...(isObject(schema) && { schema: { schema: this.#schema(schema) } }) } };
  }

  /** A schema where one may stand: OpenAPI 3 says whether it is one or refers to one. */
  #schema(schema: JsonObject): JsonObject {
    if (this.#dialect === 'v2') return this.#keywords(schema);
    return '$ref' in schema ? { reference: schema } : { schema: this.#keywords(schema) };
  }

  #keywords(schema: JsonObject): JsonObject {
    const {
      type,
      items,
      properties,
      additionalProperties: more,
      default: value,
      enum: words,
      example,
      not,
      ...rest
    } = schema;
    const all = (list: Json | undefined): JsonObject[] => listOf(list).map((one) => this.#schema(one));
    const junctors = ['allOf', 'oneOf', 'anyOf'].filter((name) => Array.isArray(rest[name]));
    return {
      ...withExtensions(withoutZeros(rest)),
      ...Object.fromEntries(junctors.map((name) => [name, all(rest[name])])),
      ...(typeof type === 'string' && { type: this.#dialect === 'v2' ? { list: [type] } : type }),
      ...(isObject(items) && { items: { list: [this.#schema(items)] } }),
      ...(isObject(properties) && { properties: { list: entriesOf(properties, (one) => this.#schema(one)) } }),
      ...(isObject(more) && { additionalProperties: { schema: this.#schema(more) } }),
      ...(typeof more === 'boolean' && { additionalProperties: { boolean: more } }),
      ...(isObject(not) && { not: this.#keywords(not) }),
      ...(value !== undefined && this.#default(value)),
      ...(Array.isArray(words) && { enum: words.map(anyOf) }),
      ...(example !== undefined && { example: anyOf(example) }),
    };
  }

  /** OpenAPI 3 has scalars as defaults and nothing else. */
  #default(value: Json): JsonObject {
    if (this.#dialect === 'v2') return { default: anyOf(value) };
    if (typeof value === 'object') return {};
    return { default: { [typeof value === 'bigint' ? 'number' : typeof value]: value } };
  }
}

/** The media types a client may ask for, and the one the answer has. */
export function protobufTypesOf(dialect: Dialect): { readonly asked: readonly string[]; readonly answered: string } {
  const answered = `com.github.proto-openapi.spec.${dialect}.v1.0+protobuf`;
  return {
    asked: [`com.github.proto-openapi.spec.${dialect}@v1.0+protobuf`, answered],
    answered: `application/${answered}`,
  };
}

/** Documents never change: what was written of one is written once. */
const written = new WeakMap<OpenApiDocument, Buffer>();

/** A document as the protobuf that kubectl reads. */
export function openApiProtobuf(source: OpenApiDocument, dialect: Dialect): Buffer {
  const known = written.get(source);
  if (known !== undefined) return known;
  const messages = dialect === 'v2' ? messagesV2 : messagesV3;
  const document = new DocumentWriter(dialect).document(JSON.parse(source.text) as JsonObject);
  const bytes = encodeMessage(messages.get('openapi.Document'), document);
  written.set(source, bytes);
  return bytes;
}
