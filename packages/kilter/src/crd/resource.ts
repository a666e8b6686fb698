import {
  type ClusterMeta,
  type Condition,
  type FieldsOf,
  type Identity,
  type Kind,
  type KindNames,
  type KubeObject,
  type ObjectMeta,
  type Partially,
  rememberKind,
  type Scope,
} from '../api/index.ts';
import { KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import { compile, type Compiled, type CompiledVersion } from './compile.ts';
import { convertObject, type ConvertOptions } from './conversion-object.ts';
import { checkConversions, type ConversionEndpoint, conversionOf } from './conversion.ts';
import type {
  AnyConversions,
  AnyDefinition,
  Conversions,
  Definition,
  OlderInput,
  OlderOutput,
  Schemas,
} from './definition.ts';
import { type ItemKeys, itemKeysIn } from './conversion-unmatched.ts';
import { docsPage } from './docs-page.ts';
import { buildObject, fieldsObject, parseObject } from './object.ts';
import { problemOf, type Problem, ResourceError } from './problem.ts';

/** What every status has in addition to its own fields. */
export interface CommonStatus {
  observedGeneration?: number | undefined;
  conditions?: Condition[] | undefined;
}

/** An object of a resource without a status. */
export interface CustomObject<ApiVersion extends string, K extends string, Spec> {
  apiVersion: ApiVersion;
  kind: K;
  metadata: ObjectMeta;
  spec: Spec;
}
/** An object of a resource with a status, which is absent until someone writes it. */
export interface ObservedObject<ApiVersion extends string, K extends string, Spec, Status> extends CustomObject<
  ApiVersion,
  K,
  Spec
> {
  status?: (Status & CommonStatus) | undefined;
}
/** The type of a kind's objects. */
export type ObjectOf<ApiVersion extends string, K extends string, Spec, Status> = [Status] extends [undefined]
  ? CustomObject<ApiVersion, K, Spec>
  : ObservedObject<ApiVersion, K, Spec, Status>;

/** The same object of a cluster-wide resource, where the scope says so. */
type InScope<S extends Scope, T> = [S] extends ['Cluster'] ? T & { metadata: ClusterMeta } : T;
type ScopeOf<T extends AnyObject> = T['metadata'] extends ClusterMeta ? 'Cluster' : 'Namespaced';

type AnyObject = CustomObject<string, string, unknown>;
type SpecField<SpecInput> = [undefined] extends [SpecInput]
  ? { spec?: SpecInput }
  : {} extends SpecInput
    ? { spec?: SpecInput | undefined }
    : { spec: SpecInput };

/** An object of whichever version, as it comes from a server or a file. */
type AnyVersion = KubeObject & { spec?: unknown; status?: unknown };
type VersionOf<T extends AnyObject> = T['apiVersion'] extends `${string}/${infer V}` ? V : never;

/** The options of a manifest. */
export interface ManifestOptions {
  /** Where the conversion webhook is served, for resources whose versions differ. */
  readonly conversion?: ConversionEndpoint | undefined;
}

/** The class that `customResource` makes: the kind as a value, and the type of its objects. */
export interface CustomResource<T extends AnyObject, SpecInput> extends Kind<T> {
  readonly names: KindNames & { readonly kind: T['kind'] };
  /** Problems that do not prevent the definition. */
  readonly warnings: readonly Problem[];
  /** For `class WebApp extends customResource({…}) {}`; objects are plain JSON, made by `build`. */
  new (use: { build: never }): T;
  /** Fills in defaults and checks the object; throws with all problems at once. */
  build<This extends Kind<T>>(this: This, input: Identity & SpecField<SpecInput>): This['prototype'];
  /** Only these fields, for apply. */
  fields<This extends Kind<T>>(
    this: This,
    input: Identity & { spec?: Partially<T['spec']> | undefined },
  ): FieldsOf<This['prototype']>;
  /** A typed object, or an error that names each wrong field. */
  parse<This extends Kind<T>>(this: This, value: unknown): This['prototype'];
  /** The CustomResourceDefinition: a new but equal object for each call. */
  manifest(options?: ManifestOptions): CustomResourceDefinition;
  /** A reference page in Markdown: fields, types, defaults, constraints, rules, of every version. */
  docs(): string;
}

/** One version of a kind, made with `Kind.at(version)`. */
export interface VersionedResource<
  T extends AnyObject,
  SpecInput,
  G extends string,
  Old extends Schemas,
  Status,
> extends CustomResource<T, SpecInput> {
  /** The version that objects are stored in. */
  readonly storageVersion: string;
  /** By version, the fields by which conversions match list items: `{ v1: { 'spec.hosts': ['host'] } }`. */
  readonly itemKeys: Readonly<Record<string, ItemKeys>>;
  /** Not generic on purpose: only then does the compiler check literals returned by the functions in context. */
  converts(
    conversions: Conversions<Old, NonNullable<T['spec']>, NonNullable<SpecInput>>,
  ): VersionedResource<T, SpecInput, G, Old, Status>;
  /** The kind of an older version. */
  at<P extends keyof Old & string>(
    version: P,
  ): CustomResource<
    InScope<ScopeOf<T>, ObjectOf<`${G}/${P}`, T['kind'], OlderOutput<Old[P]>, Status>>,
    OlderInput<Old[P]>
  >;
  /**
   * Converts an object of any version to another one. Pure. Data that the target cannot hold is kept in
   * `status.conversionData` and restored on the way back, unless its place was changed or the schema does not allow it;
   * then `report` is called.
   */
  convert<P extends keyof Old & string>(
    object: AnyVersion,
    version: P,
    options?: ConvertOptions,
  ): InScope<ScopeOf<T>, ObjectOf<`${G}/${P}`, T['kind'], OlderOutput<Old[P]>, Status>>;
  convert(object: AnyVersion, version: VersionOf<T>, options?: ConvertOptions): T;
  convert(object: AnyVersion, version: string, options?: ConvertOptions): KubeObject;
}

/**
 * Defines a resource: its type, its kind and its CustomResourceDefinition in one declaration.
 *
 *     export class WebApp extends customResource({ group: 'example.com', version: 'v1', kind: 'WebApp', spec: z.object({…}) }) {}
 *
 * Throws one error with all problems of the definition, each with its location and its cure.
 */
export function customResource<
  const G extends string,
  const V extends string,
  const K extends string,
  SpecIn extends object | undefined,
  Spec extends object | undefined,
  StatusIn extends object | undefined,
  Status extends object | undefined = undefined,
  Old extends Schemas = {},
  const S extends Scope = 'Namespaced',
>(
  definition: Definition<G, V, K, SpecIn, Spec, StatusIn, Status, Old, S>,
): {} extends Old
  ? CustomResource<InScope<S, ObjectOf<`${G}/${V}`, K, Spec, Status>>, SpecIn>
  : VersionedResource<InScope<S, ObjectOf<`${G}/${V}`, K, Spec, Status>>, SpecIn, G, Old, Status> {
  const given = definition as unknown as AnyDefinition;
  const compiled = compile(given);
  for (const version of compiled.versions.values()) rememberKind(version.names);
  return resourceOf(compiled.newest, { definition: given, compiled, conversions: {} }) as never;
}

/** A definition, what was made of it, and the functions that convert its versions. */
interface Defined {
  readonly definition: AnyDefinition;
  readonly compiled: Compiled;
  readonly conversions: AnyConversions;
}

/** The same for whichever functions: made once for a definition. */
const converting = new WeakMap<AnyDefinition, Compiled>();

function withConversions(definition: AnyDefinition, byHand: readonly string[]): Compiled {
  const known = converting.get(definition) ?? compile(definition, byHand);
  converting.set(definition, known);
  return known;
}

const manifestOptions: OptionNames<ManifestOptions> = { conversion: true };
const manifestCure =
  'write manifest({ conversion: { service } }) or manifest({ conversion: { url } }), or leave it out';

/** The class of one version. Its functions know what they need without `this`, so they can be handed around. */
function resourceOf(version: CompiledVersion, defined: Defined): unknown {
  const { names } = version;
  const { definition, compiled, conversions } = defined;
  const ways = { compiled, conversions };
  const resource = class {
    constructor() {
      throw new KilterError('CRD_CONSTRUCTED', `${names.kind} was called with new`);
    }
  };
  Object.defineProperty(resource, 'name', { value: names.kind });
  return Object.assign(resource, {
    names,
    storageVersion: [...compiled.versions.values()].find(({ entry }) => entry.storage)?.names.version ?? names.version,
    itemKeys: Object.fromEntries([...compiled.versions].map(([name, { shape }]) => [name, itemKeysIn(shape, 'spec')])),
    warnings: compiled.warnings,
    build: (input: Identity & { spec?: unknown }) => buildObject(version, input),
    fields: (input: Identity & { spec?: unknown }) => fieldsObject(version, input),
    parse: (value: unknown) => parseObject(version, value),
    manifest: (options: ManifestOptions = {}) => {
      const [mistake] = optionMistakes('manifest()', options, manifestOptions);
      if (mistake !== undefined) throw new KilterError('CRD_KEY_UNKNOWN', mistake, { cure: manifestCure });
      const { conversion } = options;
      const strategy = conversionOf(ways, conversion);
      const { spec, ...rest } = structuredClone(compiled.manifest);
      return { ...rest, spec: { ...spec, ...(strategy !== undefined && { conversion: strategy }) } };
    },
    docs: () => docsPage(describedManifest(compiled)),
    converts: (given: AnyConversions) => {
      for (const name of Object.keys(given)) olderVersion(compiled, name);
      const all = { ...conversions, ...given };
      checkConversions({ compiled, conversions: all });
      // What is converted by hand may lose something, so its versions need a place to keep that.
      const converted = withConversions(definition, Object.keys(all));
      const same = converted.versions.get(names.version) ?? converted.newest;
      return resourceOf(same, { definition, compiled: converted, conversions: all });
    },
    at: (name: string) => resourceOf(olderVersion(compiled, name), defined),
    convert: (object: KubeObject, to: string, { report }: ConvertOptions = {}) =>
      convertObject(ways, object, { version: to, report }),
  });
}

function describedManifest({ manifest, versions }: Compiled): CustomResourceDefinition {
  const described = [...versions.values()].map(({ entry, described: openAPIV3Schema }) => ({
    ...entry,
    schema: { openAPIV3Schema },
  }));
  return { ...manifest, spec: { ...manifest.spec, versions: described } };
}

function olderVersion({ versions, newest }: Compiled, name: string): CompiledVersion {
  const version = versions.get(name);
  if (version !== undefined && version !== newest) return version;
  throw new ResourceError(`customResource ${newest.names.kind}.${newest.names.group}`, [
    problemOf({
      code: 'CRD_VERSIONS_INVALID',
      path: `versions.${name}`,
      message: 'there is no older version with that name',
      cure: 'declare it in versions',
    }),
  ]);
}
