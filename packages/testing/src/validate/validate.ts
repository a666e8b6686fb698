import { KilterError } from 'kilter';
import { apiVersionOf, type Json, type JsonObject, type Kind, type KubeObject } from 'kilter/api';
import {
  applyDefaults,
  type Issue,
  metadataIssues,
  prune,
  type ScaleFields,
  type Schema,
  unknownFieldText,
  verdictOn,
} from '@kilter/apiserver/schema';
import { optionMistakes, type OptionNames } from 'kilter/runtime';
import { refuseDefinition } from './validate-definition.ts';
import { disagreements, type Parsing } from './validate-library.ts';
import { conversionNowhere } from '../manifest/index.ts';

/** A kind made by `customResource`: it can say what its CustomResourceDefinition is. */
export interface DefinedKind<T extends KubeObject = KubeObject> extends Kind<T>, Parsing {
  manifest(options?: { conversion?: { url: string } }): {
    readonly spec: { readonly versions: readonly DefinedVersion[] };
  };
}

/** What is read of a version of a CustomResourceDefinition. */
interface DefinedVersion {
  readonly name: string;
  readonly schema?: { readonly openAPIV3Schema?: unknown } | undefined;
  readonly subresources?: { readonly status?: unknown; readonly scale?: ScaleFields | undefined } | undefined;
}

/** The options of `validate`: what the value replaces, if anything. */
export interface ValidateOptions<T extends KubeObject = KubeObject> {
  /**
   * The stored object that the value replaces. If given, transition rules run, and problems in unchanged parts become
   * warnings. Default: none, the value is created.
   */
  readonly old?: T | undefined;
  /** The subresource that is written. With `status`, only status is taken from the value. Default: the object itself. */
  readonly subresource?: 'status' | undefined;
}

export interface ValidationError {
  /** `spec.env[0].name`; `<nil>` where the server names no field. */
  readonly field: string;
  readonly reason: Issue['reason'];
  readonly message: string;
}

/** What the server would say about an object. */
export type Validation<T> =
  | {
      readonly valid: true;
      /** What the server would store: without unknown fields, defaults filled in. */
      readonly object: T;
      /**
       * Unknown fields; problems in parts that an update leaves unchanged; and, with the code `CRD_SCHEMA_DISAGREES`,
       * what the schema library refuses although the server accepts it.
       */
      readonly warnings: readonly string[];
    }
  | { readonly valid: false; readonly errors: readonly ValidationError[]; readonly warnings: readonly string[] };

const known: OptionNames<ValidateOptions> = { old: true, subresource: true };

/**
 * The API server's verdict on a custom resource, without a server: unknown fields are dropped with a warning, defaults
 * are filled in, then the schema and its rules are checked. The value is not changed, and an invalid one does not
 * throw.
 *
 * Throws a `KilterError` if there is no verdict: the server would refuse the definition (a rule does not compile or
 * costs too much), or a rule cannot be evaluated here; such a rule never counts as passed.
 */
export function validate<T extends KubeObject>(
  kind: DefinedKind<T>,
  value: unknown,
  options: ValidateOptions<T> = {},
): Validation<T> {
  const [mistake] = optionMistakes('validate', options, known as OptionNames<ValidateOptions<T>>);
  if (mistake !== undefined) throw new KilterError('TESTING_OPTION_INVALID', mistake);
  const version = versionOf(kind);
  const sent = plainJson(value);
  if (!isObject(sent))
    return refused([{ field: '<nil>', reason: 'FieldValueTypeInvalid', message: 'must be an object' }]);
  const old = options.old === undefined ? undefined : read(plainJson(options.old) as JsonObject, version.schema).object;
  const { object, warnings } = read(written(sent, { old, version, subresource: options.subresource }), version.schema);
  const wrongKind = kindIssues(object, kind);
  if (wrongKind.length > 0) return refused(wrongKind, warnings);
  const verdict = verdictOn(object, version.schema, {
    old,
    subresource: options.subresource,
    prior: metadataErrors(object, kind),
    scale: version.scale,
  });
  const [unchecked] = verdict.unchecked;
  if (unchecked !== undefined) {
    throw new KilterError(
      'CRD_RULES_UNCHECKED',
      `the rule ${JSON.stringify(unchecked.rule)} on ${unchecked.field || 'the root'} of ${kind.names.kind} cannot be evaluated here: ${unchecked.why}. Correct the rule, or test it on a real API server.`,
    );
  }
  const all = [...warnings, ...verdict.forgiven.map(({ field, message }) => `${field}: ${message}`)];
  if (verdict.issues.length > 0) return refused(verdict.issues, all);
  const disagreeing = disagreements(kind, object, { fields: verdict.forgiven.map(({ field }) => field), old });
  return { valid: true, object: object as unknown as T, warnings: [...all, ...disagreeing] };
}

function refused(errors: readonly ValidationError[], warnings: readonly string[] = []): Validation<never> {
  return { valid: false, errors, warnings };
}

interface Version {
  readonly schema: Schema;
  readonly hasStatus: boolean;
  readonly scale: ScaleFields | undefined;
}

/** What a kind's manifest says of its version, by kind: manifests are the same each time, and their rules are compiled once. */
const versions = new WeakMap<DefinedKind, Version>();

function versionOf(kind: DefinedKind): Version {
  const known = versions.get(kind);
  if (known !== undefined) return known;
  // Versions that differ are converted by a webhook; where it is makes no difference to a verdict.
  const manifest = kind.manifest({ conversion: conversionNowhere });
  const version = readVersion(kind.names, manifest.spec.versions);
  versions.set(kind, version);
  return version;
}

function readVersion(names: DefinedKind['names'], versions: readonly DefinedVersion[]): Version {
  const version = versions.find(({ name }) => name === names.version);
  const schema = version?.schema?.openAPIV3Schema;
  if (version === undefined || !isObject(schema)) {
    const known = versions.map(({ name }) => name).join(', ');
    throw new KilterError(
      'TESTING_KIND_INVALID',
      `the manifest of ${names.kind} has no schema for version ${names.version}, only for: ${known}`,
    );
  }
  const { status, scale } = version.subresources ?? {};
  refuseDefinition(names.kind, schema as Schema, status !== undefined);
  return { schema: schema as Schema, hasStatus: status !== undefined, scale };
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value as it would arrive at a server: fields that are undefined are not sent. */
function plainJson(value: unknown): Json | undefined {
  try {
    const text = JSON.stringify(value) as string | undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Json);
  } catch (error) {
    throw new KilterError(
      'TESTING_VALUE_NOT_JSON',
      `the value cannot be sent as JSON: ${error instanceof Error ? error.message : String(error)}. Use strings for large integers.`,
    );
  }
}

interface Write {
  readonly old: JsonObject | undefined;
  readonly version: Version;
  readonly subresource: 'status' | undefined;
}

/** With a status subresource, a write of the object never touches status, and a write of status nothing else. */
function written(sent: JsonObject, { old, version, subresource }: Write): JsonObject {
  if (subresource === 'status') return old === undefined ? sent : withStatus(old, sent['status']);
  return version.hasStatus ? withStatus(sent, old?.['status']) : sent;
}

function withStatus(object: JsonObject, status: Json | undefined): JsonObject {
  const fields = Object.entries(object).filter(([name]) => name !== 'status');
  return Object.fromEntries(status === undefined ? fields : [...fields, ['status', status]]);
}

/** What the server makes of what it receives or has stored, before it judges. */
function read(object: JsonObject, schema: Schema): { object: JsonObject; warnings: string[] } {
  const { value, unknown } = prune(object, schema);
  return { object: applyDefaults(value, schema), warnings: unknown.map(unknownFieldText) };
}

function kindIssues(object: JsonObject, { names }: DefinedKind): ValidationError[] {
  const expected: [string, string][] = [
    ['kind', names.kind],
    ['apiVersion', apiVersionOf(names)],
  ];
  return expected
    .filter(([field, text]) => object[field] !== text)
    .map(([field, text]) => ({
      field,
      reason: 'FieldValueInvalid',
      message: `Invalid value: ${JSON.stringify(object[field] ?? '')}: must be ${text}`,
    }));
}

function metadataErrors(object: JsonObject, { names }: DefinedKind): Issue[] {
  const namespaced = names.scope === 'Namespaced';
  const metadata = namespaced ? namespacedMetadata(object['metadata']) : object['metadata'];
  return metadataIssues(metadata, { nameRule: 'subdomain', namespaced });
}

/** The server takes a missing namespace from the request. */
function namespacedMetadata(metadata: Json | undefined): Json | undefined {
  return isObject(metadata) && metadata['namespace'] === undefined ? { ...metadata, namespace: 'default' } : metadata;
}
