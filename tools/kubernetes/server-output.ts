// The second output: what the embedded API server must know of built-in kinds.
import { referencesOf, type ResourceFact, type SchemaFact, type VersionFacts } from './facts.ts';
import { readStructs, type StructFacts } from './structs.ts';

/** A real server serves alpha and beta versions only when told to. */
const onByDefault = /^v\d+$/;

const fieldsV1 = 'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1';
const rawExtension = 'io.k8s.apimachinery.pkg.runtime.RawExtension';

/** Published as objects without a shape, though their fields are data. */
const openObjects = new Set([fieldsV1, rawExtension]);

type Stored = Record<string, unknown>;

/**
 * The published defaults are mostly the zero values of Go fields, which the server does not write. An empty object is
 * kept: it marks a struct that is always there, which field ownership has to know.
 */
function isRealDefault(value: unknown): boolean {
  return value !== undefined && value !== '' && value !== 0 && value !== false;
}

/** Wholly untyped schemas take anything. */
function isShapeless(schema: SchemaFact): boolean {
  return !['$ref', 'type', 'properties', 'additionalProperties', 'oneOf'].some((keyword) => keyword in schema);
}

function storedSchema(schema: SchemaFact): Stored {
  const { $ref, default: value, items, additionalProperties, properties, oneOf, format, ...own } = schema;
  const intOrString = format === 'int-or-string';
  return {
    ...($ref !== undefined && { $ref }),
    ...own,
    ...(format !== undefined && !intOrString && { format }),
    ...(isRealDefault(value) && { default: value }),
    ...(intOrString && { 'x-kubernetes-int-or-string': true }),
    ...(oneOf !== undefined && !intOrString && { oneOf: oneOf.map(storedSchema) }),
    ...(items !== undefined && { items: storedSchema(items) }),
    ...(additionalProperties !== undefined && { additionalProperties: storedSchema(additionalProperties) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, storedSchema(one)])),
    }),
    ...(isShapeless(schema) && { 'x-kubernetes-preserve-unknown-fields': true }),
  };
}

function storedComponent(name: string, schema: SchemaFact): Stored {
  const stored = storedSchema(schema);
  if (!openObjects.has(name)) return stored;
  // One owner has all of it: nobody knows what its fields mean.
  return { ...stored, 'x-kubernetes-map-type': 'atomic', 'x-kubernetes-preserve-unknown-fields': true };
}

function storedResource({ group, version }: VersionFacts, resource: ResourceFact): Stored {
  const { kind, plural, singular, scope, shortNames, categories, verbs, subresources, component } = resource;
  return {
    group,
    version,
    kind,
    plural,
    singular,
    namespaced: scope === 'Namespaced',
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    verbs,
    subresources: Object.keys(subresources ?? {}),
    schema: component,
  };
}

/** Core first, then the groups by name; the newest version first, in whose form objects are stored. */
function inOrder(a: VersionFacts, b: VersionFacts): number {
  if (a.group !== b.group) return a.group < b.group ? -1 : 1;
  return Number(b.version.slice(1)) - Number(a.version.slice(1));
}

/** The kinds the embedded server serves: all in versions that are on by default, those included that are only asked. */
export function servedFacts(facts: readonly VersionFacts[]): { facts: VersionFacts; resource: ResourceFact }[] {
  const on = facts.filter(({ version }) => onByDefault.test(version)).toSorted(inOrder);
  return on.flatMap((one) => one.resources.map((resource) => ({ facts: one, resource })));
}

/** What is posted to subresources, and belongs to no served kind. */
const posted = ['io.k8s.api.authentication.v1.TokenRequest', 'io.k8s.api.policy.v1.Eviction'];

/** The components the served kinds are made of, by name. */
export function servedComponents(facts: readonly VersionFacts[]): Map<string, SchemaFact> {
  const components = new Map(facts.flatMap((one) => Object.entries(one.components)));
  const known = posted.filter((name) => components.has(name));
  const used = new Set([...servedFacts(facts).map(({ resource }) => resource.component), ...known]);
  for (const name of used) for (const next of referencesOf(components.get(name) ?? {})) used.add(next);
  return new Map([...used].toSorted().map((name) => [name, components.get(name) ?? {}]));
}

interface Struct extends SchemaFact {
  readonly zeroFields?: readonly string[];
  readonly omitsZero?: readonly string[];
}

const marked = (fields: readonly string[], mark: string): string[] =>
  fields.filter((field) => field.endsWith(mark)).map((field) => field.slice(0, -1));

/** A component as its struct has it: fields in order, with those that are written even when empty, and those that never are. */
function asStruct(name: string, schema: SchemaFact, structs: StructFacts): Struct {
  const { properties } = schema;
  if (properties === undefined) return schema;
  const fields = structs[name] ?? [];
  const known = fields.map((field) => field.replace(/[!~]$/, '')).filter((field) => Object.hasOwn(properties, field));
  // What the structs do not know yet comes last, as a new field mostly does.
  const named = [...known, ...Object.keys(properties).filter((field) => !known.includes(field))];
  const [zeroFields, omitsZero] = [marked(fields, '!'), marked(fields, '~')];
  return {
    ...schema,
    ...(zeroFields.length > 0 && { zeroFields }),
    ...(omitsZero.length > 0 && { omitsZero }),
    properties: Object.fromEntries(named.map((field) => [field, properties[field] ?? {}])),
  };
}

/** The text of builtin.gen.json: one line per resource and component. */
export function printServerOutput(facts: readonly VersionFacts[], structs: StructFacts = readStructs()): string {
  const served = servedFacts(facts);
  const lines = [...servedComponents(facts)].map(([name, schema]) => {
    return `${JSON.stringify(name)}:${JSON.stringify(storedComponent(name, asStruct(name, schema, structs)))}`;
  });
  const resources = served.map((one) => JSON.stringify(storedResource(one.facts, one.resource)));
  return ['{"resources":[', resources.join(',\n'), '],"schemas":{', lines.join(',\n'), '}}\n'].join('\n');
}
