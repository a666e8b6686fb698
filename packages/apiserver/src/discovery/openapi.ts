import { createHash } from 'node:crypto';
import type { JsonObject } from 'kilter/api';
import { builtinSchema, type ResourceDefinition } from '../kinds/index.ts';
import { type Schema, stringifyJson } from '../values/index.ts';
import type { ServedGroup, ServedVersion } from './groups.ts';
import { pathsOf } from './openapi-paths.ts';
import { componentName, ComponentWriter, deleteComponent, type Dialect, objectMeta } from './openapi-schema.ts';

/** A published document: its text, and a name for its content. */
export interface OpenApiDocument {
  readonly text: string;
  readonly hash: string;
}

const info = { title: 'Kubernetes', version: '1.36' };

/** The name of a content, as ETags and `?hash=` have it. */
export function hashOf(text: string): string {
  return createHash('sha512').update(text).digest('hex').toUpperCase();
}

function documentOf(value: JsonObject): OpenApiDocument {
  const text = stringifyJson(value);
  return { text, hash: hashOf(text) };
}

/** ObjectMeta as a built-in kind has it; custom resources refer to it too. */
export function metadataSchema(resources: readonly ResourceDefinition[]): Schema | undefined {
  const builtin = resources.find(({ custom }) => !custom);
  const metadata = builtin?.schema.properties?.['metadata'];
  return metadata?.title === objectMeta ? metadata : undefined;
}

interface Source {
  readonly resources: readonly ResourceDefinition[];
  readonly metadata: Schema | undefined;
}

function compose({ resources, metadata }: Source, dialect: Dialect): Record<'paths' | 'schemas', JsonObject> {
  const writer = new ComponentWriter(dialect);
  const paths: JsonObject = {};
  if (resources.some(({ verbs }) => verbs.includes('delete'))) writer.include(builtinSchema(deleteComponent));
  for (const resource of resources) {
    writer.add(resource, metadata);
    const reference = (component: string): JsonObject => writer.reference(component);
    Object.assign(paths, pathsOf(resource, { dialect, component: componentName(resource), reference }));
  }
  return { paths, schemas: writer.components };
}

interface Remembered extends Source {
  readonly document: OpenApiDocument;
}

/**
 * Documents by the first resource they describe: definitions never change, so that one composed of the same ones is
 * the same document. The index needs the hash of each, and composing them all takes tens of milliseconds.
 */
class DocumentMemory {
  readonly #documents = new WeakMap<ResourceDefinition, Remembered>();

  get(source: Source, make: () => JsonObject): OpenApiDocument {
    const [first] = source.resources;
    if (first === undefined) return documentOf(make());
    const known = this.#documents.get(first);
    if (known !== undefined && sameSource(known, source)) return known.document;
    const document = documentOf(make());
    this.#documents.set(first, { ...source, document });
    return document;
  }
}

function sameSource(a: Source, b: Source): boolean {
  if (a.metadata !== b.metadata || a.resources.length !== b.resources.length) return false;
  return a.resources.every((resource, index) => resource === b.resources[index]);
}

const v3Documents = new DocumentMemory();
const v2Documents = new DocumentMemory();

/** The OpenAPI 3.0 document of one group and version. */
export function openApiV3({ resources }: ServedVersion, metadata: Schema | undefined): OpenApiDocument {
  return v3Documents.get({ resources, metadata }, () => {
    const { paths, schemas } = compose({ resources, metadata }, 'v3');
    return { openapi: '3.0.0', info, paths, components: { schemas } };
  });
}

/** `api/v1` or `apis/apps/v1`: how the index names a document. */
export function documentPath(group: string, version: string): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`;
}

export function openApiV3Index(groups: readonly ServedGroup[], metadata: Schema | undefined): JsonObject {
  const entries = groups.flatMap(({ name, versions }) =>
    versions.map((served): [string, JsonObject] => {
      const path = documentPath(name, served.version);
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${openApiV3(served, metadata).hash}` }];
    }),
  );
  return { paths: Object.fromEntries(entries) };
}

/** Everything in one OpenAPI 2 document, for clients that know no other. */
export function openApiV2(resources: readonly ResourceDefinition[]): OpenApiDocument {
  const metadata = metadataSchema(resources);
  return v2Documents.get({ resources, metadata }, () => {
    const { paths, schemas } = compose({ resources, metadata }, 'v2');
    return { swagger: '2.0', info, paths, definitions: schemas };
  });
}
