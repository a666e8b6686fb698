import { apiVersionOf, type JsonObject } from 'kilter/api';
import {
  builtinSchema,
  type PrinterColumn,
  type ResourceDefinition,
  type ScalePaths,
  type Served,
  type Strategy,
} from '../kinds/index.ts';
import { applyDefaults, prune } from '../schema/index.ts';
import { objectIfIn, objectsIn, sameValue, type Schema, specOf, textIn, textsOf } from '../values/index.ts';
import { declaredSchema, versionsOf } from './crd-rules.ts';

/** In the order the real server lists them. */
const verbs = ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'];

const strategy: Strategy = {
  generation: true,
  createOnUpdate: false,
  unconditionalUpdate: false,
  nameRule: 'subdomain',
};

/** The declared schema with what every object has. */
function wholeSchema(version: JsonObject): Schema {
  const declared = declaredSchema(version) ?? {};
  return {
    ...declared,
    type: 'object',
    properties: {
      ...declared.properties,
      apiVersion: { type: 'string' },
      kind: { type: 'string' },
      metadata: builtinSchema('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'),
    },
  };
}

function scaleOf(version: JsonObject): ScalePaths | undefined {
  const scale = objectIfIn(objectIfIn(version, 'subresources') ?? {}, 'scale');
  if (scale === undefined) return undefined;
  const selector = textIn(scale, 'labelSelectorPath');
  return {
    specReplicasPath: textIn(scale, 'specReplicasPath'),
    statusReplicasPath: textIn(scale, 'statusReplicasPath'),
    ...(selector !== '' && { labelSelectorPath: selector }),
  };
}

/** The resource one version of a definition serves. */
export function definitionOf(crd: JsonObject, version: JsonObject): ResourceDefinition {
  const spec = specOf(crd);
  const names = objectIfIn(spec, 'names') ?? {};
  return {
    group: textIn(spec, 'group'),
    version: textIn(version, 'name'),
    kind: textIn(names, 'kind'),
    plural: textIn(names, 'plural'),
    singular: textIn(names, 'singular'),
    listKind: textIn(names, 'listKind'),
    namespaced: textIn(spec, 'scope') === 'Namespaced',
    shortNames: textsOf(names['shortNames']),
    categories: textsOf(names['categories']),
    verbs,
    custom: true,
    schema: wholeSchema(version),
    hasStatus: objectIfIn(objectIfIn(version, 'subresources') ?? {}, 'status') !== undefined,
    scale: scaleOf(version),
    columns: objectsIn(version, 'additionalPrinterColumns') as unknown as PrinterColumn[],
    selectableFields: objectsIn(version, 'selectableFields').map((field) =>
      textIn(field, 'jsonPath').replace(/^\./, ''),
    ),
    strategy,
    storedAs: storedFormOf(crd),
  };
}

function storedFormOf(crd: JsonObject): ResourceDefinition['storedAs'] {
  const stored = versionsOf(crd).find(({ storage }) => storage === true);
  if (stored?.['served'] !== true) return 'unserved';
  return { group: textIn(specOf(crd), 'group'), version: textIn(stored, 'name') };
}

/** GA before beta before alpha, the higher number first, other names last: the order of Kubernetes. */
function rankOf(version: string): [number, number, number] {
  const match = /^v(\d+)(?:(alpha|beta)(\d+))?$/.exec(version);
  if (match === null) return [3, 0, 0];
  const stage = match[2] === undefined ? 0 : match[2] === 'beta' ? 1 : 2;
  return [stage, -Number(match[1]), -Number(match[3] ?? 0)];
}

function byRank(a: string, b: string): number {
  const [ranksA, ranksB] = [rankOf(a), rankOf(b)];
  const at = ranksA.findIndex((rank, index) => rank !== ranksB[index]);
  return at < 0 ? a.localeCompare(b) : (ranksA[at] ?? 0) - (ranksB[at] ?? 0);
}

/** The warning for clients of a deprecated version; the hint names the best version that is not deprecated. */
function deprecationOf(crd: JsonObject, version: JsonObject): string | undefined {
  if (version['deprecated'] !== true) return undefined;
  const own = textIn(version, 'deprecationWarning');
  if (own !== '') return own;
  const { group, kind } = definitionOf(crd, version);
  const name = (of: string): string => `${apiVersionOf({ group, version: of })} ${kind}`;
  const better = versionsOf(crd)
    .filter(({ served, deprecated }) => served === true && deprecated !== true)
    .map((other) => textIn(other, 'name'))
    .sort(byRank);
  const isNewer = better.filter((other) => byRank(other, textIn(version, 'name')) < 0)[0];
  const hint = isNewer === undefined ? '' : `; use ${name(isNewer)}`;
  return `${name(textIn(version, 'name'))} is deprecated${hint}`;
}

interface CustomServing {
  readonly crd: JsonObject;
  readonly schemaSince: number;
  readonly refusesCreate: () => string | undefined;
}

const inVersion =
  (apiVersion: string) =>
  (object: JsonObject): JsonObject => ({ ...object, apiVersion });

/** What a schema knows of an object; metadata is the same in all versions. */
function pruned({ metadata, ...rest }: JsonObject, schema: Schema): JsonObject {
  return { ...prune(rest, schema).value, ...(metadata !== undefined && { metadata }) };
}

/** The webhook that converts the objects of a definition; undefined if versions differ in their schemas alone. */
function converterOf(crd: JsonObject): JsonObject | undefined {
  const conversion = objectIfIn(specOf(crd), 'conversion') ?? {};
  return textIn(conversion, 'strategy') === 'Webhook' ? objectIfIn(conversion, 'webhook') : undefined;
}

/** What a definition serves: one entry per served version in order, and the form it stores. */
export function servedBy({ crd, schemaSince, refusesCreate }: CustomServing): {
  versions: Served[];
  stored: Served | undefined;
} {
  const entry = (version: JsonObject): Served => {
    const definition = definitionOf(crd, version);
    const converts = version !== stored && (webhook !== undefined || !sameValue(version['schema'], stored['schema']));
    return {
      definition,
      bucket: `${definition.group}/${definition.plural}`,
      fromStored: (object) => {
        const asked = inVersion(apiVersionOf(definition))(object);
        return converts ? pruned(asked, definition.schema) : asked;
      },
      toStored: (object) => {
        const kept = inVersion(storedVersion)(object);
        return converts ? applyDefaults(pruned(kept, storedSchema), storedSchema) : kept;
      },
      deprecation: deprecationOf(crd, version),
      schemaSince,
      converts,
      webhook,
      refusesCreate,
    };
  };
  const webhook = converterOf(crd);
  const versions = versionsOf(crd);
  const stored = versions.find(({ storage }) => storage === true) ?? {};
  const storedSchema = wholeSchema(stored);
  const storedVersion = apiVersionOf({ group: textIn(specOf(crd), 'group'), version: textIn(stored, 'name') });
  const served = versions
    .filter(({ served: is }) => is === true)
    .sort((a, b) => byRank(textIn(a, 'name'), textIn(b, 'name')))
    .map(entry);
  return {
    versions: served,
    stored: served.find(({ definition }) => apiVersionOf(definition) === storedVersion) ?? entry(stored),
  };
}
