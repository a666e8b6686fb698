import type { JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { type Subresource, subresourcesOf } from './groups.ts';
import { deleteComponent, type Dialect, listComponentName, patchComponent } from './openapi-schema.ts';

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Operation {
  readonly method: Method;
  /** The verb a resource must serve for this operation to be published. */
  readonly verb: string;
  /** Kubernetes' word for it: `patch`, `list`, `deletecollection`. */
  readonly action: string;
  /** How its operationId begins: `patch`, `read`, `replace`. */
  readonly word: string;
  readonly query: readonly string[];
}

const listQuery = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'timeoutSeconds',
  'watch',
];
const writeQuery = ['dryRun', 'fieldManager', 'fieldValidation'];
const deleteQuery = ['dryRun', 'gracePeriodSeconds', 'orphanDependents', 'propagationPolicy'];

const read: Operation = { method: 'get', verb: 'get', action: 'get', word: 'read', query: [] };
const list: Operation = { method: 'get', verb: 'list', action: 'list', word: 'list', query: listQuery };
const create: Operation = { method: 'post', verb: 'create', action: 'post', word: 'create', query: writeQuery };
const replace: Operation = { method: 'put', verb: 'update', action: 'put', word: 'replace', query: writeQuery };
const patch: Operation = {
  method: 'patch',
  verb: 'patch',
  action: 'patch',
  word: 'patch',
  query: [...writeQuery, 'force'],
};
const remove: Operation = { method: 'delete', verb: 'delete', action: 'delete', word: 'delete', query: deleteQuery };
const removeAll: Operation = {
  method: 'delete',
  verb: 'deletecollection',
  action: 'deletecollection',
  word: 'delete',
  query: [...listQuery, ...deleteQuery],
};

const queryTypes: Readonly<Record<string, string>> = {
  allowWatchBookmarks: 'boolean',
  force: 'boolean',
  gracePeriodSeconds: 'integer',
  limit: 'integer',
  orphanDependents: 'boolean',
  sendInitialEvents: 'boolean',
  timeoutSeconds: 'integer',
  watch: 'boolean',
};

const jsonPatchTypes = ['application/json-patch+json', 'application/merge-patch+json'];
const bodyTypes = ['application/json', 'application/yaml'];
// Whatever it is called, it is read as options or not at all.
const deleteTypes = ['*/*'];

/** Strategic merge is of built-in kinds alone: its absence tells kubectl to send a merge patch. */
function patchTypesOf({ custom }: ResourceDefinition): string[] {
  const strategic = custom ? [] : ['application/strategic-merge-patch+json'];
  return [...jsonPatchTypes, ...strategic, 'application/apply-patch+yaml'];
}

export interface PathOptions {
  readonly dialect: Dialect;
  readonly component: string;
  reference(component: string): JsonObject;
}

interface PathSubject {
  readonly resource: ResourceDefinition;
  readonly path: string;
  readonly subresource: string | undefined;
  /** `all` lists over namespaces, `collection` and `item` are as they say. */
  readonly level: 'all' | 'collection' | 'item';
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function operationId({ word, action }: Operation, { resource, subresource, level }: PathSubject): string {
  const { group, version, kind, namespaced } = resource;
  const groupName = group === '' ? 'Core' : group.split(/[.-]/).filter(Boolean).map(capital).join('');
  const scope = namespaced && level !== 'all' ? 'Namespaced' : '';
  const tail = level === 'all' ? 'ForAllNamespaces' : capital(subresource ?? '');
  const all = action === 'deletecollection' ? 'Collection' : '';
  return `${word}${groupName.replace(/K8sIo$/, '')}${capital(version)}${all}${scope}${kind}${tail}`;
}

function parameter(dialect: Dialect, name: string, where: 'path' | 'query'): JsonObject {
  const type = queryTypes[name] ?? 'string';
  const required = where === 'path' ? { required: true } : {};
  return dialect === 'v3' ? { name, in: where, ...required, schema: { type } } : { name, in: where, ...required, type };
}

/** The kind a subresource speaks, where it is not that of its resource. */
function spokenAt({ resource, subresource }: Pick<PathSubject, 'resource' | 'subresource'>): Subresource['kind'] {
  return subresourcesOf(resource).find(({ name }) => name === subresource)?.kind;
}

function answerSchema({ action }: Operation, { resource, subresource }: PathSubject, options: PathOptions): JsonObject {
  if (spokenAt({ resource, subresource }) !== undefined || action.startsWith('delete')) return { type: 'object' };
  return options.reference(action === 'list' ? listComponentName(resource) : options.component);
}

function sentSchema({ method }: Operation, place: PathSubject, options: PathOptions): JsonObject {
  if (method === 'patch') return options.reference(patchComponent);
  if (method === 'delete') return options.reference(deleteComponent);
  return spokenAt(place) === undefined ? options.reference(options.component) : { type: 'object' };
}

function sentTypes({ method }: Operation, { resource }: PathSubject): string[] {
  if (method === 'patch') return patchTypesOf(resource);
  return method === 'delete' ? deleteTypes : bodyTypes;
}

/** How the two dialects state what goes in and what comes out. */
function payload(operation: Operation, place: PathSubject, options: PathOptions): JsonObject {
  const sends = sentSchema(operation, place, options);
  const types = sentTypes(operation, place);
  const hasBody = operation.method !== 'get';
  const required = operation.method === 'delete' ? {} : { required: true };
  const answer = answerSchema(operation, place, options);
  const contents = (schema: JsonObject, names: readonly string[]): JsonObject =>
    Object.fromEntries(names.map((name) => [name, { schema }]));
  if (options.dialect === 'v3') {
    return {
      ...(hasBody && { requestBody: { ...required, content: contents(sends, types) } }),
      responses: { '200': { description: 'OK', content: contents(answer, bodyTypes) } },
    };
  }
  return {
    ...(hasBody && { consumes: types }),
    produces: bodyTypes,
    responses: { '200': { description: 'OK', schema: answer } },
  };
}

/** An empty list would not survive a reader that writes the document again. */
const parametersOf = (parameters: JsonObject[]): JsonObject => (parameters.length === 0 ? {} : { parameters });

function operationAt(operation: Operation, place: PathSubject, options: PathOptions): JsonObject {
  const { group, version, kind } = place.resource;
  const query = operation.query.map((name) => parameter(options.dialect, name, 'query'));
  const sends = options.dialect === 'v2' && operation.method !== 'get';
  const schema = sentSchema(operation, place, options);
  const required = operation.method === 'delete' ? {} : { required: true };
  const body: JsonObject[] = sends ? [{ name: 'body', in: 'body', ...required, schema }] : [];
  return {
    operationId: operationId(operation, place),
    ...parametersOf([...body, ...query]),
    ...payload(operation, place, options),
    'x-kubernetes-action': operation.action,
    'x-kubernetes-group-version-kind': { ...(spokenAt(place) ?? { group, version, kind }) },
  };
}

function pathItem(operations: readonly Operation[], place: PathSubject, options: PathOptions): JsonObject {
  const { verbs } = place.resource;
  const served = operations.filter(({ verb }) => place.subresource !== undefined || verbs.includes(verb));
  const inPath = [...place.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  return {
    ...Object.fromEntries(served.map((operation) => [operation.method, operationAt(operation, place, options)])),
    ...parametersOf(inPath.map((name) => parameter(options.dialect, name, 'path'))),
  };
}

/** The paths of one resource with their operations. */
export function pathsOf(resource: ResourceDefinition, options: PathOptions): Record<string, JsonObject> {
  const { group, version, plural, namespaced } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const item = `${collection}/{name}`;
  const places: [PathSubject, readonly Operation[]][] = [
    [{ resource, path: collection, subresource: undefined, level: 'collection' }, [list, create, removeAll]],
    [{ resource, path: item, subresource: undefined, level: 'item' }, [read, replace, patch, remove]],
    ...subresourcesOf(resource).map(({ name, verbs }): [PathSubject, readonly Operation[]] => [
      { resource, path: `${item}/${name}`, subresource: name, level: 'item' },
      [read, create, replace, patch].filter(({ verb }) => verbs.includes(verb)),
    ]),
  ];
  if (namespaced) places.push([{ resource, path: `${root}/${plural}`, subresource: undefined, level: 'all' }, [list]]);
  return Object.fromEntries(places.map(([place, operations]) => [place.path, pathItem(operations, place, options)]));
}
