// The TypeScript type of a schema: which name it has, and which module the name comes from.
import { metaGroup, moduleOf, type SchemaFact, type VersionFacts } from './facts.ts';

/** The module that stands for kilter/api. */
export const apiModule = 'api';

const machinery = 'io.k8s.apimachinery.pkg';
const extensions = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1';

/** Components that kilter/api holds, because more than generated code needs them. */
export const heldByApi: Readonly<Record<string, string>> = {
  [`${machinery}.apis.meta.v1.Condition`]: 'Condition',
  [`${machinery}.apis.meta.v1.ManagedFieldsEntry`]: 'ManagedFieldsEntry',
  [`${machinery}.apis.meta.v1.ObjectMeta`]: 'ObjectMeta',
  [`${machinery}.apis.meta.v1.OwnerReference`]: 'OwnerReference',
  // Only managed fields refer to it, and their type spells it out.
  [`${machinery}.apis.meta.v1.FieldsV1`]: 'JsonObject',
  [`${extensions}.JSON`]: 'Json',
};

/** Components that are not structs: published as a scalar, or without saying what they take. */
export const aliases: Readonly<Record<string, { readonly type: string; readonly doc: string }>> = {
  [`${machinery}.api.resource.Quantity`]: {
    type: 'string',
    doc: 'A number with a unit, `500m` or `1Gi`. The server takes plain numbers too, and always answers with text.',
  },
  [`${machinery}.apis.meta.v1.MicroTime`]: {
    type: 'string',
    doc: 'RFC 3339 with six digits of a second: see `formatMicroTime` of kilter/api.',
  },
  [`${machinery}.apis.meta.v1.Time`]: {
    type: 'string',
    doc: 'RFC 3339 in whole seconds: see `formatTime` of kilter/api.',
  },
  [`${machinery}.runtime.RawExtension`]: { type: 'JsonObject', doc: 'Any object.' },
  [`${machinery}.util.intstr.IntOrString`]: {
    type: 'number | string',
    doc: 'A number, or text such as a percentage or the name of a port.',
  },
  [`${extensions}.JSONSchemaPropsOrArray`]: {
    type: 'JSONSchemaProps',
    doc: 'Structural schemas do not allow a list of schemas here.',
  },
  [`${extensions}.JSONSchemaPropsOrBool`]: {
    type: 'JSONSchemaProps | boolean',
    doc: 'A schema, or whether anything goes.',
  },
  [`${extensions}.JSONSchemaPropsOrStringArray`]: {
    type: 'JSONSchemaProps | string[]',
    doc: 'A schema, or the names of properties.',
  },
};

const objectMeta = `${machinery}.apis.meta.v1.ObjectMeta`;

export const shortName = (component: string): string => component.slice(component.lastIndexOf('.') + 1);

/** Where each component is declared, and which of them are kinds. */
export interface Declarations {
  readonly moduleOf: ReadonlyMap<string, string>;
  readonly kinds: ReadonlySet<string>;
}

export function declarationsOf(facts: readonly VersionFacts[]): Declarations {
  const owned = facts.flatMap((one) => Object.keys(one.components).map((name) => [name, moduleOf(one)] as const));
  const kinds = facts.flatMap(({ resources, spoken }) => [...resources, ...spoken]).map(({ component }) => component);
  return { moduleOf: new Map(owned), kinds: new Set(kinds) };
}

/** The names a module takes from others; a name that would stand for two things gets its module before it. */
export class Imports {
  readonly #module: string;
  readonly #own: ReadonlySet<string>;
  /** By module, the names taken from it with the name each has here. */
  readonly #taken = new Map<string, Map<string, string>>();

  constructor(module: string, own: ReadonlySet<string>) {
    this.#module = module;
    this.#own = own;
  }

  use(module: string, name: string): string {
    if (module === this.#module) return name;
    const names = this.#taken.get(module) ?? new Map<string, string>();
    this.#taken.set(module, names);
    const local = names.get(name) ?? this.#free(module, name);
    names.set(name, local);
    return local;
  }

  #free(module: string, name: string): string {
    const others = [...this.#taken.values()].flatMap((names) => [...names.values()]);
    if (!this.#own.has(name) && !others.includes(name)) return name;
    const prefix = module.split('/').map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}`);
    return `${prefix.join('')}${name}`;
  }

  /** `[module, ['Name', 'Name as Other']]`, sorted. */
  get lines(): [module: string, names: string[]][] {
    const sorted = [...this.#taken].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([module, names]) => [
      module,
      [...names].map(([name, local]) => (name === local ? name : `${name} as ${local}`)).toSorted(),
    ]);
  }
}

/**
 * Editors complete the values, and a newer server may still answer with another: the documents of Kubernetes publish no
 * values today, because the set of them grows.
 */
function literals(values: readonly unknown[]): string {
  return [...values.map((value) => JSON.stringify(value)), '(string & {})'].join(' | ');
}

/** How a schema is written where it is used. */
export class TypeWriter {
  readonly #declarations: Declarations;
  readonly #imports: Imports;

  constructor(declarations: Declarations, imports: Imports) {
    this.#declarations = declarations;
    this.#imports = imports;
  }

  /** `place` names the field for messages. */
  type(schema: SchemaFact, place: string): string {
    if (schema.$ref !== undefined) return this.#reference(schema.$ref);
    if (schema.enum !== undefined) return literals(schema.enum);
    switch (schema.type) {
      case 'string':
        return 'string';
      case 'boolean':
        return 'boolean';
      case 'integer':
      case 'number':
        return 'number';
      case 'array':
        return this.#list(schema, place);
      case 'object':
        return this.#map(schema, place);
      default:
        throw new Error(`${place}: no TypeScript form for ${JSON.stringify(schema)}`);
    }
  }

  #list({ items }: SchemaFact, place: string): string {
    if (items === undefined) throw new Error(`${place}: a list of what?`);
    const type = this.type(items, `${place}[]`);
    return type.includes(' ') && !type.endsWith('>') ? `(${type})[]` : `${type}[]`;
  }

  #map({ additionalProperties, properties }: SchemaFact, place: string): string {
    if (properties !== undefined) throw new Error(`${place}: a struct without a name`);
    if (additionalProperties === undefined) return this.#imports.use(apiModule, 'JsonObject');
    return `Record<string, ${this.type(additionalProperties, `${place}{}`)}>`;
  }

  #reference(component: string): string {
    // A template's metadata has no name of its own.
    if (component === objectMeta) return `Partial<${this.#imports.use(apiModule, 'ObjectMeta')}>`;
    const held = heldByApi[component];
    if (held !== undefined) return this.#imports.use(apiModule, held);
    const module = this.#declarations.moduleOf.get(component);
    if (module === undefined) throw new Error(`no facts of ${component}`);
    const name = this.#imports.use(module, shortName(component));
    if (!this.#declarations.kinds.has(component)) return name;
    return `${this.#imports.use(moduleOf({ group: metaGroup, version: 'v1' }), 'Embedded')}<${name}>`;
  }
}
