// Documents in, facts out: each component once, in the file of its owner; what two documents disagree about is an error.
import { isDeepStrictEqual } from 'node:util';
import { condense } from './condense.ts';
import type { DiscoveredResource, Documents, PublishedSchema, VersionDocument } from './documents.ts';
import {
  type GroupVersionKind,
  metaGroup,
  referencesOf,
  type ResourceFact,
  type SchemaFact,
  type SpokenFact,
  type SubresourceFact,
  type VersionFacts,
} from './facts.ts';

const metaPrefix = 'io.k8s.apimachinery.pkg.apis.meta.v1.';

/** What requests and answers are made of beside kinds: written in meta/v1, though no kind refers to them. */
const metaRoots = [
  'APIGroupList',
  'APIResourceList',
  'APIVersions',
  'DeleteOptions',
  'ListMeta',
  'Status',
  'WatchEvent',
];

/** Lists follow from their kinds; a Patch has no shape; the answer of /version is not an object. */
const unneeded = /List$|\.meta\.v1\.Patch$|\.pkg\.version\.Info$/;

const isSame = (a: GroupVersionKind, b: GroupVersionKind): boolean =>
  a.group === b.group && a.version === b.version && a.kind === b.kind;

const inWords = ({ group, version, kind }: GroupVersionKind): string => `${kind} of ${group}/${version}`;

/** Every component of every document, condensed. */
class Components {
  readonly #facts = new Map<string, SchemaFact>();
  /** The kinds a component stands for alone: DeleteOptions and WatchEvent are published for every group. */
  readonly #kinds = new Map<string, GroupVersionKind>();

  add(document: string, schemas: Readonly<Record<string, PublishedSchema>>): void {
    for (const [name, schema] of Object.entries(schemas)) {
      const fact = condense(schema, name);
      const known = this.#facts.get(name);
      if (known !== undefined && !isDeepStrictEqual(known, fact)) {
        throw new Error(`${document} and another document disagree on ${name}`);
      }
      this.#facts.set(name, fact);
      const [kind, ...more] = schema['x-kubernetes-group-version-kind'] ?? [];
      if (kind !== undefined && more.length === 0) this.#kinds.set(name, kind);
    }
  }

  get names(): string[] {
    return [...this.#facts.keys()];
  }

  fact(name: string): SchemaFact {
    const fact = this.#facts.get(name);
    if (fact === undefined) throw new Error(`no document holds the component ${name}`);
    return fact;
  }

  /** Undefined for kinds that are published without a shape, such as the options of exec. */
  find(kind: GroupVersionKind): string | undefined {
    const names = [...this.#kinds].filter(([, own]) => isSame(own, kind)).map(([name]) => name);
    if (names.length > 1) throw new Error(`${names.join(' and ')} are both ${inWords(kind)}`);
    return names[0];
  }

  of(kind: GroupVersionKind): string {
    const name = this.find(kind);
    if (name === undefined) throw new Error(`no component is ${inWords(kind)}`);
    return name;
  }
}

function kindOf(document: VersionDocument, { group, version, kind }: DiscoveredResource): GroupVersionKind {
  return { group: group ?? document.group, version: version ?? document.version, kind };
}

function subresourcesOf(document: VersionDocument, parent: DiscoveredResource): Record<string, SubresourceFact> {
  const below = document.resources.filter(({ name }) => name.startsWith(`${parent.name}/`));
  const entries = below.map((resource): [string, SubresourceFact] => {
    const kind = kindOf(document, resource);
    const foreign = !isSame(kind, kindOf(document, parent));
    return [resource.name.slice(parent.name.length + 1), { verbs: resource.verbs, ...(foreign && { kind }) }];
  });
  return Object.fromEntries(entries);
}

function resourceFact(document: VersionDocument, resource: DiscoveredResource, components: Components): ResourceFact {
  const { name, kind, singularName, namespaced, shortNames, categories, verbs } = resource;
  const subresources = subresourcesOf(document, resource);
  return {
    kind,
    plural: name,
    singular: singularName,
    scope: namespaced ? 'Namespaced' : 'Cluster',
    ...(shortNames !== undefined && { shortNames }),
    ...(categories !== undefined && { categories }),
    verbs,
    ...(Object.keys(subresources).length > 0 && { subresources }),
    component: components.of(kindOf(document, resource)),
  };
}

/** The kinds with a list operation in the paths of a document. */
function listedKinds({ paths }: VersionDocument): Set<string> {
  const operations = Object.values(paths).flatMap((path) => Object.values(path));
  const lists = operations.filter((operation) => operation['x-kubernetes-action'] === 'list');
  return new Set(lists.map((operation) => operation['x-kubernetes-group-version-kind']?.kind ?? '?'));
}

function refuseOtherLists(document: VersionDocument, resources: readonly ResourceFact[], listed: Set<string>): void {
  const discovered = new Set(resources.filter(({ verbs }) => verbs.includes('list')).map(({ kind }) => kind));
  const difference = [...discovered, ...listed].filter((kind) => !discovered.has(kind) || !listed.has(kind));
  if (difference.length > 0)
    throw new Error(`${document.name}: discovery and paths differ in ${difference.join(', ')}`);
}

/** The kinds that subresources of any group speak and that have a shape. */
function spokenKinds(versions: readonly VersionFacts[], components: Components): GroupVersionKind[] {
  const below = versions.flatMap(({ resources }) => resources).flatMap((one) => Object.values(one.subresources ?? {}));
  const kinds = below.flatMap(({ kind }) => (kind !== undefined && components.find(kind) !== undefined ? [kind] : []));
  const own = versions.flatMap(({ group, version, resources }) =>
    resources.map(({ kind }) => ({ group, version, kind })),
  );
  const foreign = kinds.filter((kind) => !own.some((other) => isSame(kind, other)));
  return foreign.filter((kind, index) => foreign.findIndex((other) => isSame(other, kind)) === index);
}

function spokenIn({ group, version }: VersionFacts, kinds: readonly GroupVersionKind[], components: Components) {
  const here = kinds.filter((kind) => kind.group === group && kind.version === version);
  const facts = here.map((kind): SpokenFact => ({ kind: kind.kind, component: components.of(kind) }));
  return facts.toSorted((a, b) => (a.kind < b.kind ? -1 : 1));
}

function reachable(roots: readonly string[], components: Components): Set<string> {
  const found = new Set(roots);
  for (const name of found) for (const next of referencesOf(components.fact(name))) found.add(next);
  return found;
}

const prefixOf = (component: string): string => component.slice(0, component.lastIndexOf('.'));

/** Which group and version owns the components of a Go package: the one whose kinds live there. */
function ownersOf(versions: readonly VersionFacts[]): Map<string, VersionFacts> {
  const owned = versions.flatMap((facts) =>
    [...facts.resources, ...facts.spoken].map(({ component }) => [prefixOf(component), facts] as const),
  );
  return new Map(owned);
}

function withComponents(versions: readonly VersionFacts[], components: Components): VersionFacts[] {
  const kinds = versions.flatMap(({ resources, spoken }) => [...resources, ...spoken]);
  const metaNames = metaRoots.map((name) => `${metaPrefix}${name}`);
  const used = reachable([...kinds.map(({ component }) => component), ...metaNames], components);
  const unexplained = components.names.filter((name) => !used.has(name) && !unneeded.test(name));
  if (unexplained.length > 0) throw new Error(`components nothing refers to: ${unexplained.join(', ')}`);
  const owners = ownersOf(versions);
  const meta: VersionFacts = { group: metaGroup, version: 'v1', listed: 0, resources: [], spoken: [], components: {} };
  const ownerOf = (name: string): VersionFacts => {
    const shared = name.startsWith('io.k8s.apimachinery.');
    const owner = shared ? meta : owners.get(prefixOf(name));
    if (owner === undefined) throw new Error(`no group owns ${name}`);
    return owner;
  };
  return [meta, ...versions].map((facts) => {
    const own = [...used].filter((name) => ownerOf(name) === facts).toSorted();
    return { ...facts, components: Object.fromEntries(own.map((name) => [name, components.fact(name)])) };
  });
}

export function extractFacts({ versions, others }: Documents): VersionFacts[] {
  const components = new Components();
  for (const { name, schemas } of [...versions, ...others]) components.add(name, schemas);
  const resourcesOf = (document: VersionDocument): VersionFacts => {
    const own = document.resources.filter(({ name }) => !name.includes('/'));
    const resources = own.map((resource) => resourceFact(document, resource, components));
    const listed = listedKinds(document);
    refuseOtherLists(document, resources, listed);
    const { group, version } = document;
    return { group, version, listed: listed.size, resources, spoken: [], components: {} };
  };
  const facts = versions.map(resourcesOf);
  const spoken = spokenKinds(facts, components);
  const complete = facts.map((one) => ({ ...one, spoken: spokenIn(one, spoken, components) }));
  return withComponents(complete, components);
}
