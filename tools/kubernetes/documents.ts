// The published documents of Kubernetes as they lie in a folder: openapi-spec/v3 and discovery.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GroupVersionKind } from './facts.ts';

/** A schema as published: keywords this repository has no use for included. */
export interface PublishedSchema {
  readonly [keyword: string]: unknown;
  readonly 'x-kubernetes-group-version-kind'?: readonly GroupVersionKind[];
}

export interface Operation {
  readonly 'x-kubernetes-action'?: string;
  readonly 'x-kubernetes-group-version-kind'?: GroupVersionKind;
}

export interface DiscoveredResource {
  readonly name: string;
  readonly singularName: string;
  readonly kind: string;
  /** Set where the kind is of another group and version than the list it stands in. */
  readonly group?: string;
  readonly version?: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
}

/** The OpenAPI document of one group and version with its discovery list. */
export interface VersionDocument {
  readonly name: string;
  readonly group: string;
  readonly version: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly schemas: Readonly<Record<string, PublishedSchema>>;
  readonly resources: readonly DiscoveredResource[];
}

interface OpenApi {
  readonly paths?: VersionDocument['paths'];
  readonly components?: { readonly schemas?: VersionDocument['schemas'] };
}

/** Documents that speak of the server itself or of the versions of a group: they hold no resource. */
const withoutResources = /^(api|apis|apis__[^_]+|logs|version|openid__v1__jwks|\.well-known__openid-configuration)$/;

const suffix = '_openapi.json';
const ofVersion = /^(?:api|apis__(?<group>[^_]+))__(?<version>v[^_]+)$/;

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readVersion(folder: string, name: string): VersionDocument {
  const { group = '', version = '' } = ofVersion.exec(name)?.groups ?? {};
  const openapi = readJson(join(folder, 'openapi-spec/v3', `${name}${suffix}`)) as OpenApi;
  const discovery = readJson(join(folder, 'discovery', `${name}.json`)) as { resources: DiscoveredResource[] };
  const { paths = {}, components = {} } = openapi;
  return { name, group, version, paths, schemas: components.schemas ?? {}, resources: discovery.resources };
}

function refuseAny(what: string, names: readonly string[]): void {
  if (names.length > 0) throw new Error(`${what}: ${names.toSorted().join(', ')}`);
}

export interface Documents {
  readonly versions: readonly VersionDocument[];
  /** Components of documents without resources. */
  readonly others: readonly { readonly name: string; readonly schemas: Readonly<Record<string, PublishedSchema>> }[];
}

/** Every document of the folder; one that is neither of a version nor known to hold no resource is an error. */
export function readDocuments(folder: string): Documents {
  const published = readdirSync(join(folder, 'openapi-spec/v3'));
  const names = published.filter((name) => name.endsWith(suffix)).map((name) => name.slice(0, -suffix.length));
  const versions = new Set(names.filter((name) => ofVersion.test(name)));
  const others = names.filter((name) => !versions.has(name));
  refuseAny(
    'documents of no known form',
    others.filter((name) => !withoutResources.test(name)),
  );
  const listed = readdirSync(join(folder, 'discovery')).map((name) => name.replace(/\.json$/, ''));
  const discovered = new Set(listed.filter((name) => ofVersion.test(name)));
  refuseAny(
    'discovery without an OpenAPI document',
    [...discovered].filter((name) => !versions.has(name)),
  );
  refuseAny(
    'OpenAPI documents without discovery',
    [...versions].filter((name) => !discovered.has(name)),
  );
  return {
    versions: [...versions].toSorted().map((name) => readVersion(folder, name)),
    others: others.map((name) => {
      const { components } = readJson(join(folder, 'openapi-spec/v3', `${name}${suffix}`)) as OpenApi;
      return { name, schemas: components?.schemas ?? {} };
    }),
  };
}
