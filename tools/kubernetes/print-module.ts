// The source of one module of built-in kinds.
import type { Comments } from './comments.ts';
import { apiVersionOf, type RequestPlace, requestPlaces } from './requests.ts';
import { metaGroup, moduleOf, type ResourceFact, type SchemaFact, type VersionFacts } from './facts.ts';
import { aliases, apiModule, type Declarations, heldByApi, Imports, shortName, TypeWriter } from './type-names.ts';

export interface GeneratedModule {
  /** `apps/v1` */
  readonly name: string;
  readonly source: string;
  /** Kinds with a list verb. */
  readonly kinds: readonly string[];
  /** Kinds that are only created: reviews, bindings, evictions, token requests. */
  readonly requests: readonly string[];
}

interface Printing {
  readonly facts: VersionFacts;
  readonly imports: Imports;
  readonly types: TypeWriter;
  readonly places: readonly RequestPlace[];
  readonly comments: Comments;
}

const isIdentifier = /^[A-Za-z_$][\w$]*$/;

function field(name: string, type: string, required: boolean): string {
  const key = isIdentifier.test(name) ? name : `'${name}'`;
  return required ? `${key}: ${type};` : `${key}?: ${type} | undefined;`;
}

function fieldsOf(component: string, schema: SchemaFact, { types, comments }: Printing): string[] {
  const required = new Set(schema.required);
  return Object.entries(schema.properties ?? {}).map(([name, property]) => {
    const { values, null: nothing } = comments.fact(component, name);
    const type = types.type(withValues(property, values), `${component}.${name}`);
    const comment = comments.member(component, { name, schema: property, required: required.has(name) });
    return `${comment}\n${field(name, nothing === 'null' ? `${type} | null` : type, required.has(name))}`;
  });
}

/** A text, or a list of texts, with the values that are known of it. */
function withValues(schema: SchemaFact, values: readonly string[] | undefined): SchemaFact {
  if (values === undefined || schema.enum !== undefined) return schema;
  if (schema.type === 'string') return { ...schema, enum: values };
  return schema.items?.type === 'string' ? { ...schema, items: { ...schema.items, enum: values } } : schema;
}

const body = (lines: readonly string[]): string => `{\n${lines.join('\n')}\n}`;

/** Every kind begins alike, whatever the documents mark as required: an object without them is none. */
function kindInterface(
  { kind, component }: { kind: string; component: string },
  metadataType: 'ObjectMeta' | 'ClusterMeta' | 'RequestMeta',
  printing: Printing,
): string {
  const { facts, imports } = printing;
  const schema = facts.components[component] ?? {};
  const { apiVersion: _, kind: __, metadata: ___, ...rest } = schema.properties ?? {};
  const metadata = { name: 'metadata', schema: {}, required: true };
  const head = [
    `/** Always \`${apiVersionOf(facts)}\`. */\napiVersion: '${apiVersionOf(facts)}';`,
    `/** Always \`${kind}\`. */\nkind: '${kind}';`,
    `${printing.comments.member(component, metadata)}\nmetadata: ${imports.use(apiModule, metadataType)};`,
  ];
  const own = fieldsOf(component, { ...schema, properties: rest }, printing);
  const resource = facts.resources.find((one) => one.component === component) ?? { kind };
  return `${printing.comments.kind(component, resource)}\nexport interface ${kind} ${body([...head, ...own])}`;
}

function namesOf({ facts }: Printing, resource: Omit<ResourceFact, 'verbs' | 'component'>): string[] {
  const { kind, plural, singular, scope, shortNames = [] } = resource;
  return [
    `group: '${facts.group}'`,
    `version: '${facts.version}'`,
    `kind: '${kind}'`,
    `plural: '${plural}'`,
    ...(singular === kind.toLowerCase() ? [] : [`singular: '${singular}'`]),
    `scope: '${scope}'`,
    ...(shortNames.length === 0 ? [] : [`shortNames: ${JSON.stringify([...shortNames])}`]),
  ];
}

function listedKind(resource: ResourceFact, printing: Printing): string {
  const { kind, component, scope } = resource;
  const { imports } = printing;
  const value = `/* @__PURE__ */ ${imports.use(apiModule, 'kind')}({\n${namesOf(printing, resource).join(',\n')}})`;
  const type = `${imports.use(apiModule, 'BuiltinKind')}<${kind}>`;
  const tag = printing.comments.deprecation(component).map((text) => `/** ${text} */\n`);
  const written = kindInterface(resource, scope === 'Cluster' ? 'ClusterMeta' : 'ObjectMeta', printing);
  return `${written}\n${tag.join('')}export const ${kind}: ${type} = ${value};`;
}

function requestKind(place: RequestPlace, printing: Printing): string {
  const { kind, resource, subresource } = place;
  const { imports } = printing;
  const names = namesOf(printing, { ...resource, kind, shortNames: [], singular: kind.toLowerCase() });
  const parent = place.parent;
  const sent =
    subresource === undefined
      ? []
      : [`sentTo: { group: '${parent.group}', version: '${parent.version}', subresource: '${subresource}' }`];
  const value = `/* @__PURE__ */ ${imports.use(apiModule, 'requestKind')}({\n${[...names, ...sent].join(',\n')}})`;
  const type = `${imports.use(apiModule, 'RequestKind')}<${kind}>`;
  return `${kindInterface(place, 'RequestMeta', printing)}\nexport const ${kind}: ${type} = ${value};`;
}

function struct(component: string, printing: Printing): string {
  const schema = printing.facts.components[component] ?? {};
  const name = shortName(component);
  const alias = aliases[component];
  if (alias !== undefined) {
    const type = alias.type === 'JsonObject' ? printing.imports.use(apiModule, alias.type) : alias.type;
    return `/** ${alias.doc} */\nexport type ${name} = ${type};`;
  }
  if (schema.type !== 'object') throw new Error(`${component}: neither a struct nor a known alias`);
  const comment = printing.comments.struct(component);
  if (schema.properties === undefined) return `${comment}\nexport type ${name} = Record<string, never>;`;
  return `${comment}\nexport interface ${name} ${body(fieldsOf(component, schema, printing))}`;
}

/** A kind without a resource and without a create verb, such as Scale: read and written under its owner. */
function isTypeOnly({ facts, places }: Printing, component: string): boolean {
  const requested = places.some((place) => place.component === component);
  return !requested && facts.spoken.some((spoken) => spoken.component === component);
}

const embedded = `/** A kind inside another object: it need not say what it is, and its metadata needs no name. */
export type Embedded<T extends KubeObject> = Omit<T, keyof KubeObject> & {
  /** Group and version, if it says them. */
  apiVersion?: T['apiVersion'] | undefined;
  /** Kind, if it says it. */
  kind?: T['kind'] | undefined;
  /** Labels, annotations and the like. */
  metadata?: Partial<ObjectMeta> | undefined;
};`;

/** What meta/v1 holds beside its structs. */
function shared({ facts, imports }: Printing): string[] {
  if (facts.group !== metaGroup) return [];
  imports.use(apiModule, 'KubeObject');
  imports.use(apiModule, 'ObjectMeta');
  const held = Object.keys(facts.components).flatMap((name) => heldByApi[name] ?? []);
  const names = held.filter((name) => name !== 'JsonObject').toSorted();
  return [`export type { ${names.join(', ')} } from '../../api/index.ts';`, embedded];
}

const values = new Set(['kind', 'requestKind']);

function importLine([module, names]: [module: string, names: string[]]): string {
  if (module !== apiModule) return `import type { ${names.join(', ')} } from '../${module}.ts';`;
  const [made, types] = [names.filter((name) => values.has(name)), names.filter((name) => !values.has(name))];
  const lines = [
    ...(types.length > 0 ? [`import type { ${types.join(', ')} } from '../../api/index.ts';`] : []),
    // The file itself: importing kinds must not load the rest of the vocabulary.
    ...(made.length > 0 ? [`import { ${made.join(', ')} } from '../../kind/kind.ts';`] : []),
  ];
  return lines.join('\n');
}

function header({ group, version }: VersionFacts): string {
  const what =
    group === metaGroup
      ? `What the kinds of all groups share, version ${version}`
      : `Kinds of ${group === '' ? 'the core group' : `the group ${group}`}, version ${version}`;
  return `// ${what}. Generated by \`npm run generate\`; do not edit.`;
}

export interface ModuleSources {
  readonly all: readonly VersionFacts[];
  readonly declarations: Declarations;
  readonly comments: Comments;
}

/** Kinds first, each with its value; then the structs they are made of, by name. */
export function printModule(facts: VersionFacts, { all, declarations, comments }: ModuleSources): GeneratedModule {
  const declared = Object.keys(facts.components).filter((name) => !(name in heldByApi));
  const imports = new Imports(moduleOf(facts), new Set(declared.map(shortName)));
  const places = requestPlaces(facts, all);
  const printing: Printing = { facts, imports, types: new TypeWriter(declarations, imports), places, comments };
  const listed = facts.resources.filter(({ verbs }) => verbs.includes('list'));
  const kinds = new Set([...listed, ...places, ...facts.spoken].map(({ component }) => component));
  const structs = declared.filter((name) => !kinds.has(name));
  const typesOnly = facts.spoken.filter(({ component }) => isTypeOnly(printing, component));
  const parts = [
    ...listed.map((resource) => listedKind(resource, printing)),
    ...places.map((place) => requestKind(place, printing)),
    ...typesOnly.map((spoken) => kindInterface(spoken, 'ObjectMeta', printing)),
    ...shared(printing),
    ...structs.map((name) => struct(name, printing)),
  ];
  const head = [header(facts), ...imports.lines.map(importLine)].join('\n');
  return {
    name: moduleOf(facts),
    source: `${[head, ...parts].join('\n\n')}\n`,
    kinds: listed.map(({ kind }) => kind),
    requests: places.map(({ kind }) => kind),
  };
}
