import { KilterError } from 'kilter';
import type { Json, JsonObject, KindNames, KubeObject } from 'kilter/api';
import type { Schema } from '@kilter/apiserver/schema';
import { type DefinedKind, validate, type Validation } from '../validate/index.ts';
import { conversionNowhere } from '../manifest/index.ts';

/** Fields that tell items apart, by the path of their list: `spec.hosts`, `spec.zones[*].hosts`. */
export type ItemKeys = Readonly<Record<string, readonly string[]>>;

/** A resource with several versions, made by `customResource`. */
export interface VersionedKind {
  readonly names: KindNames;
  /** By version, the fields by which conversions match list items. */
  readonly itemKeys?: Readonly<Record<string, ItemKeys>> | undefined;
  manifest(options?: { conversion?: { url: string } }): {
    readonly spec: {
      readonly versions: readonly {
        readonly name: string;
        readonly schema?: { readonly openAPIV3Schema?: unknown } | undefined;
      }[];
    };
  };
  convert(object: KubeObject, version: string): KubeObject;
}

/** Objects of one version, as an API server sees them. */
export interface Version {
  readonly name: string;
  readonly schema: Schema;
  readonly itemKeys: ItemKeys;
  /** What the server makes of an object, or why it refuses it. */
  judge(object: KubeObject): Validation<KubeObject>;
  /** A whole object around a spec; around nothing where there is none. */
  objectOf(spec?: Json): KubeObject;
}

/** The newest version, and the older ones with the oldest first. */
export function versionsOf(kind: VersionedKind): { newest: Version; older: Version[] } {
  // Where the webhook is served makes no difference here: nobody calls it.
  const manifest = kind.manifest({ conversion: conversionNowhere });
  const all = manifest.spec.versions.map(({ name, schema }): Version => {
    const names = { ...kind.names, version: name };
    const judged = { names, prototype: {} as KubeObject, manifest: () => manifest } as DefinedKind;
    return {
      name,
      schema: (schema?.openAPIV3Schema ?? {}) as Schema,
      itemKeys: kind.itemKeys?.[name] ?? {},
      judge: (object) => validate(judged, object),
      objectOf: (spec) => objectIn(names, spec),
    };
  });
  const newest = all.find(({ name }) => name === kind.names.version);
  const older = all.filter((version) => version !== newest).toReversed();
  if (newest !== undefined && older.length > 0) return { newest, older };
  throw new KilterError('TESTING_KIND_INVALID', `${kind.names.kind} has one version, so there is nothing to convert`, {
    cure: 'declare older versions: customResource({ …, versions: { v1alpha1: { … } } })',
  });
}

/** With something in metadata that no conversion may touch. */
function objectIn({ group, version, kind, scope }: KindNames, spec: Json | undefined): KubeObject {
  const object = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: {
      name: 'round-trip',
      ...(scope === 'Namespaced' && { namespace: 'default' }),
      labels: { 'round-trip': 'kept' },
      annotations: { 'round-trip': 'kept' },
    },
    ...(spec !== undefined && { spec }),
  };
  return object satisfies JsonObject as unknown as KubeObject;
}

/** Where conversions keep what a version has no fields for. */
const dataField = 'conversionData';

interface Observed extends KubeObject {
  readonly status?: JsonObject | undefined;
}

/** The object as its author wrote it: without what conversions keep for themselves. */
export function withoutData(object: KubeObject): KubeObject {
  const { status, ...rest } = object as Observed;
  const { [dataField]: _data, ...others } = status ?? {};
  return { ...rest, ...(Object.keys(others).length > 0 && { status: others }) } as KubeObject;
}

/** An object with the data another one carries: what is created has no status, what is converted has. */
export function withDataOf(object: KubeObject, other: KubeObject): KubeObject {
  const data = (other as Observed).status?.[dataField];
  const { status } = object as Observed;
  return data === undefined ? object : ({ ...object, status: { ...status, [dataField]: data } } as KubeObject);
}
