// Condenses the published OpenAPI and discovery documents of Kubernetes into what the embedded API server must know of
// built-in kinds. Facts only: names, types, list types, merge keys; no descriptions.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';

const usage = 'usage: node tools/extract-builtin.ts <kubernetes module>/api   (holds openapi-spec/v3 and discovery)';
const output = new URL('../packages/testing/src/apiserver/registry/builtin.gen.json', import.meta.url);

/** What is served: a document of each folder, and the resources taken from it. */
const served: Readonly<Record<string, readonly string[]>> = {
  api__v1: [
    'configmaps',
    'endpoints',
    'events',
    'namespaces',
    'nodes',
    'persistentvolumeclaims',
    'pods',
    'secrets',
    'serviceaccounts',
    'services',
  ],
  'apis__apiextensions.k8s.io__v1': ['customresourcedefinitions'],
  apis__apps__v1: ['daemonsets', 'deployments', 'replicasets', 'statefulsets'],
  apis__batch__v1: ['cronjobs', 'jobs'],
  'apis__coordination.k8s.io__v1': ['leases'],
  'apis__discovery.k8s.io__v1': ['endpointslices'],
  'apis__events.k8s.io__v1': ['events'],
  'apis__networking.k8s.io__v1': ['ingresses', 'networkpolicies'],
  apis__policy__v1: ['poddisruptionbudgets'],
  'apis__rbac.authorization.k8s.io__v1': ['clusterrolebindings', 'clusterroles', 'rolebindings', 'roles'],
};

interface OpenApiSchema {
  readonly [keyword: string]: unknown;
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly properties?: Readonly<Record<string, OpenApiSchema>>;
  readonly items?: OpenApiSchema;
  readonly additionalProperties?: OpenApiSchema;
  readonly allOf?: readonly OpenApiSchema[];
  readonly oneOf?: readonly OpenApiSchema[];
  readonly required?: readonly string[];
  readonly 'x-kubernetes-group-version-kind'?: readonly { group: string; version: string; kind: string }[];
}

interface DiscoveredResource {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

type Components = Readonly<Record<string, OpenApiSchema>>;
type Condensed = Record<string, unknown>;

const kept = [
  'type',
  'format',
  'required',
  'x-kubernetes-list-type',
  'x-kubernetes-list-map-keys',
  'x-kubernetes-map-type',
  'x-kubernetes-patch-merge-key',
  'x-kubernetes-patch-strategy',
] as const;

const componentName = (ref: string): string => ref.slice(ref.lastIndexOf('/') + 1);

/**
 * The published defaults are mostly the zero values of Go fields, which the server does not write. An empty object is
 * kept: it marks a struct that is always there, which field ownership has to know.
 */
function isRealDefault(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== 0 && value !== false;
}

/** Wholly untyped schemas (JSON values) and objects without a shape take anything. */
function shapeless(schema: OpenApiSchema): boolean {
  const shaped = ['$ref', 'type', 'properties', 'additionalProperties', 'allOf', 'oneOf'].some((key) => key in schema);
  return !shaped;
}

function condense(schema: OpenApiSchema): Condensed {
  const condensed: Condensed = {};
  const ref = schema.$ref ?? schema.allOf?.[0]?.$ref;
  if (ref !== undefined) condensed['$ref'] = componentName(ref);
  for (const keyword of kept) if (schema[keyword] !== undefined) condensed[keyword] = schema[keyword];
  if (isRealDefault(schema.default)) condensed['default'] = schema.default;
  if (schema.format === 'int-or-string') {
    delete condensed['format'];
    condensed['x-kubernetes-int-or-string'] = true;
  } else if (schema.oneOf !== undefined) {
    condensed['oneOf'] = schema.oneOf.map(condense);
  }
  if (schema.items !== undefined) condensed['items'] = condense(schema.items);
  if (schema.additionalProperties !== undefined) {
    condensed['additionalProperties'] = condense(schema.additionalProperties);
  }
  if (schema.properties !== undefined) {
    const properties = Object.entries(schema.properties).map(([name, property]) => [name, condense(property)]);
    condensed['properties'] = Object.fromEntries(properties);
  }
  if (shapeless(schema)) condensed['x-kubernetes-preserve-unknown-fields'] = true;
  return condensed;
}

/** `FieldsV1` is published as an object without a shape, though its keys are data. */
const openObjects = new Set(['io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1']);

function condenseComponent(name: string, schema: OpenApiSchema): Condensed {
  const condensed = condense(schema);
  return openObjects.has(name) ? { ...condensed, 'x-kubernetes-preserve-unknown-fields': true } : condensed;
}

function* references(schema: OpenApiSchema): Generator<string> {
  if (schema.$ref !== undefined) yield componentName(schema.$ref);
  const below = [schema.items, schema.additionalProperties, ...(schema.allOf ?? []), ...(schema.oneOf ?? [])];
  for (const next of [...below, ...Object.values(schema.properties ?? {})]) {
    if (typeof next === 'object') yield* references(next);
  }
}

/** The components a kind needs, itself first. */
function closure(root: string, components: Components): string[] {
  const found = new Set([root]);
  for (const name of found) {
    const schema = components[name];
    if (schema === undefined) throw new Error(`no component ${name}`);
    for (const next of references(schema)) found.add(next);
  }
  return [...found];
}

function groupVersion(document: string): { group: string; version: string } {
  const [, group = '', version] = document.split('__');
  return version === undefined ? { group: '', version: group } : { group, version };
}

function componentOf(kind: { group: string; version: string; kind: string }, components: Components): string {
  const names = Object.keys(components).filter((name) => {
    const owners = components[name]?.['x-kubernetes-group-version-kind'];
    const owner = owners?.length === 1 ? owners[0] : undefined;
    return owner?.group === kind.group && owner.version === kind.version && owner.kind === kind.kind;
  });
  if (names.length !== 1 || names[0] === undefined) throw new Error(`${names.length} components for ${kind.kind}`);
  return names[0];
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function extract(folder: string): { resources: Condensed[]; schemas: Record<string, Condensed> } {
  const resources: Condensed[] = [];
  const schemas: Record<string, Condensed> = {};
  for (const [document, plurals] of Object.entries(served)) {
    const openapi = readJson(join(folder, 'openapi-spec/v3', `${document}_openapi.json`)) as {
      components: { schemas: Components };
    };
    const discovery = readJson(join(folder, 'discovery', `${document}.json`)) as { resources: DiscoveredResource[] };
    for (const plural of plurals) {
      const found = discovery.resources.find(({ name }) => name === plural);
      if (found === undefined) throw new Error(`${document} has no resource ${plural}`);
      const { kind, singularName: singular, namespaced, verbs, shortNames, categories } = found;
      const schema = componentOf({ ...groupVersion(document), kind }, openapi.components.schemas);
      const below = discovery.resources.filter(({ name }) => name.startsWith(`${plural}/`));
      const subresources = below.map(({ name }) => name.slice(plural.length + 1));
      const names = { ...groupVersion(document), kind, plural, singular, namespaced, shortNames, categories };
      resources.push({ ...names, verbs, subresources, schema });
      for (const name of closure(schema, openapi.components.schemas)) {
        schemas[name] ??= condenseComponent(name, openapi.components.schemas[name] ?? {});
      }
    }
  }
  return { resources, schemas };
}

/** One line per resource and component: a diff of two versions can be read. */
function lines(folder: string): string {
  const { resources, schemas } = extract(folder);
  const names = Object.keys(schemas).toSorted();
  return [
    '{"resources":[',
    resources.map((resource) => JSON.stringify(resource)).join(',\n'),
    '],"schemas":{',
    names.map((name) => `${JSON.stringify(name)}:${JSON.stringify(schemas[name])}`).join(',\n'),
    '}}\n',
  ].join('\n');
}

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error(usage);
  process.exitCode = 2;
} else {
  const text = lines(folder);
  writeFileSync(output, text);
  console.log(`${fileURLToPath(output)}: ${Math.round(text.length / 1024)} KiB`);
}
