import type { KindNames } from '../api/index.ts';
import type {
  CustomResourceDefinition,
  CustomResourceDefinitionVersion,
  JSONSchemaProps,
} from '../k8s/apiextensions/v1.ts';
import type { AnyDefinition } from './definition.ts';
import { hasSameFields } from './conversion-fields.ts';
import { wellShaped } from './definition-shape.ts';
import { finish } from './finish.ts';
import { inlineReferences } from './inline.ts';
import { librarySchema } from './library.ts';
import { checkGroup, checkLabels, checkNames, namesOf } from './names.ts';
import type { Site } from './normalize.ts';
import { columnsOf, type PrintedVersion, scaleOf, selectableOf } from './printing.ts';
import { Findings, type Problem } from './problem.ts';
import type { StandardJsonSchema } from './standard.ts';
import { withCommonStatus, withConversionData } from './status.ts';
import { propertyOf, type Structural } from './structural.ts';
import { refuseTransforms } from './transform.ts';
import { translate } from './translate.ts';
import { refuseActions } from './field-action-check.ts';
import { type Era, type Evolution, evolutionOf, generatedSchema } from './versions-evolution.ts';
import { type DeclaredVersion, declaredVersions } from './versions.ts';

/** One version, ready to judge objects and to be written into the manifest. */
export interface CompiledVersion {
  readonly names: KindNames;
  readonly spec: StandardJsonSchema;
  readonly status: StandardJsonSchema | undefined;
  /** Whether an object may do without a spec. */
  readonly specIsOptional: boolean;
  readonly schema: JSONSchemaProps;
  /** The spec with the marks of helpers, for conversions. */
  readonly shape: Structural;
  /** The schema for readers: with its descriptions whole, without what conversions keep for themselves. */
  readonly described: JSONSchemaProps;
  readonly entry: CustomResourceDefinitionVersion;
}

/** A definition that holds together. */
export interface Compiled {
  readonly newest: CompiledVersion;
  /** Newest and older, by name, in the server's order. */
  readonly versions: ReadonlyMap<string, CompiledVersion>;
  /** Older versions as the field actions of the newest spec make them. */
  readonly eras: ReadonlyMap<string, Era>;
  readonly warnings: readonly Problem[];
  /** Without a conversion. */
  readonly manifest: CustomResourceDefinition;
}

/** `kubectl apply` keeps the last manifest in an annotation, and annotations end there. */
const maximumAnnotation = 262_144;

/** Reads a definition; throws one error with everything that is wrong with it. `byHand` are versions with functions of their own. */
export function compile(given: AnyDefinition, byHand: readonly string[] = []): Compiled {
  const findings = new Findings(given?.spec?.['~standard']?.vendor);
  const definition = wellShaped(given, findings);
  const names = namesOf(definition, definition.version);
  checkNames(definition, names, findings);
  checkGroup(definition.group, definition.annotations, findings);
  checkLabels(definition, findings);
  const status = definition.status && statusOf(definition.status, findings);
  const declared = declaredVersions(definition, findings);
  const evolution = evolutionOf(objectSchemaOf(definition.spec, 'spec', findings), declared, findings);
  const specs = declared.map((version) => specOf(version, { evolution, findings }));
  const isConverted = declared.some(
    ({ name }, i) => byHand.includes(name) || !hasSameFields(specs[i] ?? {}, evolution.spec),
  );
  const versionOf = compiler({ definition, status, isConverted, findings });
  const compiled = declared.map((version, i) => versionOf(version, specs[i] ?? {}));
  findings.throwIfAny(`customResource ${names.kind}.${names.group}`);
  const versions = new Map(compiled.map((version) => [version.names.version, version]));
  const manifest = manifestOf(definition, names, compiled);
  const size = new TextEncoder().encode(JSON.stringify(manifest)).length;
  if (size > maximumAnnotation) {
    findings.warn({ code: 'CRD_MANIFEST_LARGE', path: 'manifest', message: `has ${size} bytes` });
  }
  const newest = versions.get(definition.version);
  if (newest === undefined) throw new TypeError('the version of the definition is always compiled');
  return { newest, versions, eras: evolution.eras, warnings: findings.warnings, manifest };
}

function statusOf(schema: StandardJsonSchema, findings: Findings): Structural {
  const path = 'status';
  const own = objectSchemaOf(schema, path, findings);
  refuseActions(own, path, findings);
  return withCommonStatus(own, { path, findings });
}

interface Compiling {
  readonly definition: AnyDefinition;
  readonly status: Structural | undefined;
  /** Whether conversions need a place for what a version cannot hold. */
  readonly isConverted: boolean;
  readonly findings: Findings;
}

/** The spec of a version: that of the definition, one of its own, or what field actions make of the newest. */
function specOf(
  { prefix, name, spec }: DeclaredVersion,
  { evolution, findings }: { readonly evolution: Evolution; readonly findings: Findings },
): Structural {
  if (prefix === '') return evolution.spec;
  if (spec === undefined) return evolution.eras.get(name)?.spec ?? {};
  const own = objectSchemaOf(spec, `${prefix}spec`, findings);
  refuseActions(own, `${prefix}spec`, findings);
  return own;
}

function compiler({
  definition,
  status,
  isConverted,
  findings,
}: Compiling): (version: DeclaredVersion, spec: Structural) => CompiledVersion {
  return (version, spec) => {
    const { prefix } = version;
    const specIsOptional = acceptsNothing(version.spec ?? definition.spec);
    const rootWith = (observed: Structural | undefined): Structural => ({
      ...(definition.description !== undefined && { description: definition.description }),
      type: 'object',
      ...(!specIsOptional && spec.default === undefined && { required: ['spec'] }),
      properties: {
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { type: 'object' },
        spec,
        ...(observed !== undefined && { status: observed }),
      },
      ...Object.assign({}, ...(version.rules ?? [])),
    });
    const root = rootWith(isConverted ? withConversionData(status) : status);
    const { descriptions } = definition;
    const site = { path: prefix.slice(0, -1), rulesPath: `${prefix}rules` };
    const schema = finish(root, { ...site, findings, descriptions });
    return {
      names: namesOf(definition, version.name),
      spec: version.spec ?? generatedSchema(spec, specIsOptional),
      status: definition.status,
      specIsOptional,
      schema,
      shape: spec,
      described: finish(rootWith(status), { ...site, findings: new Findings() }),
      entry: entryOf(version, schema, { root, prefix, findings }),
    };
  };
}

/** The structural schema of `spec` or `status`. */
function objectSchemaOf(schema: StandardJsonSchema, path: string, findings: Findings): Structural {
  const library = librarySchema({ schema, path, findings });
  if (library === undefined) return { type: 'object' };
  const site = { path, findings };
  const input = translate(inlineReferences(library.input, path, findings), site);
  // What is wrong with the output is wrong with the input, and was reported there.
  const quiet = { path, findings: new Findings() };
  refuseTransforms(input, translate(inlineReferences(library.output, path, quiet.findings), quiet), site);
  if (path.endsWith('spec')) refuseMetadata(input, site);
  if (input.type === 'object' && input.nullable !== true) return input;
  findings.refuse({
    code: 'CRD_SCHEMA_UNREPRESENTABLE',
    path,
    message: `is ${input.nullable === true ? 'nullable' : (input.type ?? 'of no single type')}, not an object`,
    cure: 'use z.object({…})',
  });
  return { type: 'object' };
}

/** A spec with metadata is most often the whole object, written where only its spec belongs. */
function refuseMetadata(spec: Structural, { path, findings }: Site): void {
  if (propertyOf(spec, 'metadata') === undefined) return;
  findings.refuse({
    code: 'CRD_FIELD_RESERVED',
    path: `${path}.metadata`,
    message: 'is what every object already has next to its spec',
    cure: 'leave it out, or give the field another name; metadata of a template belongs one level deeper',
  });
}

/** Optional at its root: a JSON Schema cannot say so of itself, the library can. */
function acceptsNothing(schema: StandardJsonSchema): boolean {
  const verdict = schema?.['~standard']?.validate?.(undefined);
  if (verdict instanceof Promise) {
    verdict.catch(() => undefined);
    return false;
  }
  return verdict !== undefined && verdict.issues === undefined;
}

function entryOf(
  version: DeclaredVersion,
  schema: JSONSchemaProps,
  place: PrintedVersion,
): CustomResourceDefinitionVersion {
  const { name, served = true, isStored, deprecated = false, scale, selectable = [] } = version;
  const columns = columnsOf(version, place);
  const hasStatus = schema.properties?.['status'] !== undefined;
  const scaled = scale && scaleOf(scale, place);
  const selected = selectableOf(selectable, place);
  return {
    name,
    served,
    storage: isStored,
    ...(deprecated !== false && { deprecated: true }),
    ...(typeof deprecated === 'string' && { deprecationWarning: deprecated }),
    schema: { openAPIV3Schema: schema },
    ...((hasStatus || scaled) && {
      subresources: { ...(hasStatus && { status: {} }), ...(scaled && { scale: scaled }) },
    }),
    ...(columns.length > 0 && { additionalPrinterColumns: columns }),
    ...(selected.length > 0 && { selectableFields: selected }),
  };
}

function manifestOf(
  { categories = [], labels, annotations }: AnyDefinition,
  names: KindNames,
  versions: readonly CompiledVersion[],
): CustomResourceDefinition {
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: {
      name: `${names.plural}.${names.group}`,
      ...(labels !== undefined && { labels: { ...labels } }),
      ...(annotations !== undefined && { annotations: { ...annotations } }),
    },
    spec: {
      group: names.group,
      names: {
        kind: names.kind,
        listKind: names.listKind,
        plural: names.plural,
        singular: names.singular,
        ...(names.shortNames.length > 0 && { shortNames: [...names.shortNames] }),
        ...(categories.length > 0 && { categories: [...categories] }),
      },
      scope: names.scope,
      versions: versions.map(({ entry }) => entry),
    },
  };
}
