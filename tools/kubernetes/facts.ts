// What the repository knows of the built-in kinds: facts condensed from the published documents of Kubernetes, one file per
// group and version, one line per kind and component. No descriptions: their text is not ours.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A schema without prose. `$ref` is the name of a component; keywords beside it belong to the place, not to the component. */
export interface SchemaFact {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly default?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, SchemaFact>>;
  readonly items?: SchemaFact;
  readonly additionalProperties?: SchemaFact;
  readonly oneOf?: readonly SchemaFact[];
  readonly 'x-kubernetes-list-type'?: string;
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
  readonly 'x-kubernetes-patch-strategy'?: string;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface SubresourceFact {
  readonly verbs: readonly string[];
  /** Set where the subresource speaks another kind than its parent. */
  readonly kind?: GroupVersionKind;
}

/** A resource as discovery publishes it, with its subresources by name. */
export interface ResourceFact {
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly scope: 'Namespaced' | 'Cluster';
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly verbs: readonly string[];
  readonly subresources?: Readonly<Record<string, SubresourceFact>>;
  /** The component that is its schema. */
  readonly component: string;
}

/** A kind that has no resource of its own: it is spoken by subresources (Scale, Eviction, TokenRequest). */
export interface SpokenFact {
  readonly kind: string;
  readonly component: string;
}

export interface VersionFacts {
  readonly group: string;
  readonly version: string;
  /** How many kinds can be listed, counted in the paths of the OpenAPI document: the resources come from discovery. */
  readonly listed: number;
  readonly resources: readonly ResourceFact[];
  readonly spoken: readonly SpokenFact[];
  /** The components this group and version owns; one that several documents hold is in the file of its owner. */
  readonly components: Readonly<Record<string, SchemaFact>>;
}

export const factsFolder: string = resolve(import.meta.dirname, 'facts');

/** The group that stands for what all groups share: it is in no discovery document. */
export const metaGroup = 'meta';

/** `core/v1`, `rbac/v1`: the module of a group and version, and the name of its file of facts. */
export function moduleOf({ group, version }: { group: string; version: string }): string {
  const [label = ''] = group.split('.');
  return `${label === '' ? 'core' : label}/${version}`;
}

export function factsFile(facts: { group: string; version: string }): string {
  return `${moduleOf(facts).replace('/', '-')}.json`;
}

const line = (value: unknown): string => JSON.stringify(value);
const block = (lines: readonly string[]): string => (lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`);

/** One line per resource and component: a diff of two versions of Kubernetes can be read. */
export function formatFacts({ group, version, listed, resources, spoken, components }: VersionFacts): string {
  const names = Object.keys(components).toSorted();
  return [
    `{"group":${line(group)},"version":${line(version)},"listed":${listed},`,
    `"resources":[${block(resources.map(line))}],`,
    `"spoken":[${block(spoken.map(line))}],`,
    `"components":{${block(names.map((name) => `${line(name)}:${line(components[name])}`))}}}`,
    '',
  ].join('\n');
}

/** Every file of facts, in the order of their names. */
export function readFacts(folder: string = factsFolder): VersionFacts[] {
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  return files.toSorted().map((name) => JSON.parse(readFileSync(resolve(folder, name), 'utf8')) as VersionFacts);
}

/** The components a schema names, at any depth. */
export function* referencesOf(schema: SchemaFact): Generator<string> {
  if (schema.$ref !== undefined) yield schema.$ref;
  const below = [schema.items, schema.additionalProperties, ...(schema.oneOf ?? [])];
  for (const next of [...below, ...Object.values(schema.properties ?? {})]) {
    if (next !== undefined) yield* referencesOf(next);
  }
}
