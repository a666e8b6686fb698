import type { JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import { encodeEnvelope, messageOf } from '../protobuf/index.ts';
import { type MediaRange, mediaRanges } from '../wire/index.ts';
import { aggregatedDiscovery, aggregatedParameters } from './aggregated.ts';
import { groupsOf, type ServedGroup, type ServedVersion } from './groups.ts';
import { apiGroup, apiGroupList, apiResourceList, coreVersions } from './legacy.ts';
import { openApiProtobuf, protobufTypesOf } from './openapi-protobuf.ts';
import type { Dialect } from './openapi-schema.ts';
import {
  documentPath,
  hashOf,
  metadataSchema,
  type OpenApiDocument,
  openApiV2,
  openApiV3,
  openApiV3Index,
} from './openapi.ts';

export interface DiscoveryAnswer {
  readonly status: 200 | 301 | 304 | 404 | 406;
  /** Header names in lower case; the answer has no other, even where answers mostly do. */
  readonly headers: Readonly<Record<string, string>>;
  /** The serialized body; empty where there is none. */
  readonly body: string | Uint8Array;
  /** What the body says, where the client may choose its form. */
  readonly object?: JsonObject;
}

function json(body: string, headers: Record<string, string> = {}): DiscoveryAnswer {
  return { status: 200, headers: { 'content-type': 'application/json', ...headers }, body };
}

const quoted = (hash: string): string => `"${hash}"`;

function plain(object: JsonObject): DiscoveryAnswer {
  return { ...json(JSON.stringify(object)), object };
}

const protobufSubtype = 'vnd.kubernetes.protobuf';

function asksAggregated({ type, subtype, parameters }: MediaRange): boolean {
  const known = subtype === 'json' || subtype === protobufSubtype;
  if (type !== 'application' || !known || parameters.get('g') !== 'apidiscovery.k8s.io') return false;
  return parameters.get('v') === 'v2' && parameters.get('as') === 'APIGroupDiscoveryList';
}

/** Whether plain JSON satisfies the range: one that asks for a conversion (`as=`) does not. */
function takesJson({ type, subtype, parameters }: MediaRange): boolean {
  const any = subtype === '*' && (type === '*' || type === 'application');
  return (any || (type === 'application' && subtype === 'json')) && !parameters.has('as');
}

/** The ranges of an Accept header, the best first; none means anything. */
function rangesOf(accept: string | undefined): MediaRange[] {
  const ranges = mediaRanges(accept ?? '');
  return ranges.length > 0 ? ranges : mediaRanges('*/*');
}

/** The best range of the Accept header that can be served decides between the two forms of discovery. */
function aggregatedOr(
  groups: readonly ServedGroup[],
  accept: string | undefined,
  document: JsonObject,
): DiscoveryAnswer {
  const ranges = rangesOf(accept);
  const chosen = ranges.find((range) => asksAggregated(range) || takesJson(range) || takesProtobuf(range));
  if (chosen === undefined || !asksAggregated(chosen)) return plain(document);
  const aggregated = aggregatedDiscovery(groups);
  const text = JSON.stringify(aggregated);
  const message =
    chosen.subtype === protobufSubtype ? messageOf('apidiscovery.k8s.io/v2', 'APIGroupDiscoveryList') : undefined;
  const headers = {
    'content-type': `application/${chosen.subtype === protobufSubtype ? protobufSubtype : 'json'}${aggregatedParameters}`,
    'cache-control': 'public',
    etag: quoted(hashOf(text)),
    vary: 'Accept',
  };
  return { status: 200, headers, body: message === undefined ? text : encodeEnvelope(message, aggregated) };
}

function takesProtobuf({ type, subtype, parameters }: MediaRange): boolean {
  return type === 'application' && subtype === protobufSubtype && !parameters.has('as');
}

/** The form of an OpenAPI document that the best range asks for which can be served; undefined if none can. */
function openApiForm(accept: string | undefined, dialect: Dialect): 'json' | 'protobuf' | undefined {
  const { asked } = protobufTypesOf(dialect);
  const isPacked = ({ type, subtype }: MediaRange): boolean => type === 'application' && asked.includes(subtype);
  const chosen = rangesOf(accept).find((range) => takesJson(range) || isPacked(range));
  if (chosen === undefined) return undefined;
  return isPacked(chosen) ? 'protobuf' : 'json';
}

interface Form {
  readonly document: OpenApiDocument;
  readonly dialect: Dialect;
  /** As protobuf. */
  readonly packed: boolean;
}

/** The document in the form that was asked for; its name stays that of its text. */
function inForm(
  { document: { text }, document: source, dialect, packed }: Form,
  headers: Record<string, string>,
): DiscoveryAnswer {
  if (!packed) return json(text, headers);
  const type = protobufTypesOf(dialect).answered;
  return { status: 200, headers: { ...headers, 'content-type': type }, body: openApiProtobuf(source, dialect) };
}

function document(served: ServedVersion, path: string, request: DocumentRequest): DiscoveryAnswer {
  const source = openApiV3(served, request.metadata);
  const { hash } = source;
  const known = { etag: quoted(hash), vary: 'Accept' };
  const asked = request.query.get('hash') ?? '';
  const form: Form = { document: source, dialect: 'v3', packed: request.packed };
  if (asked === '') return inForm(form, known);
  if (asked === hash) return inForm(form, { 'cache-control': 'public, immutable', ...known });
  const location = `/openapi/v3/${path}?hash=${hash}`;
  return { status: 301, headers: { 'content-type': 'application/json', location }, body: '' };
}

interface DocumentRequest {
  readonly query: URLSearchParams;
  readonly metadata: ReturnType<typeof metadataSchema>;
  /** As protobuf. */
  readonly packed: boolean;
}

function versionAt(groups: readonly ServedGroup[], group: string, version: string): ServedVersion | undefined {
  return groups.find(({ name }) => name === group)?.versions.find((served) => served.version === version);
}

function openApi(
  resources: readonly ResourceDefinition[],
  rest: string,
  request: Request,
): DiscoveryAnswer | undefined {
  const form = openApiForm(request.accept, rest === 'v2' ? 'v2' : 'v3');
  const packed = form === 'protobuf';
  if (rest === 'v2') {
    const vary = 'Accept-Encoding, Accept';
    if (form === undefined) return { status: 406, headers: { vary }, body: '' };
    const source = openApiV2(resources);
    return inForm({ document: source, dialect: 'v2', packed }, { etag: quoted(source.hash), vary });
  }
  const groups = groupsOf(resources);
  const metadata = metadataSchema(resources);
  // The index has no type of its own: what writes it looks at its first bytes.
  if (rest === 'v3')
    return json(JSON.stringify(openApiV3Index(groups, metadata)), { 'content-type': 'text/plain; charset=utf-8' });
  if (form === undefined) return { status: 406, headers: { vary: 'Accept' }, body: '' };
  for (const { name, versions } of groups) {
    for (const served of versions) {
      const path = documentPath(name, served.version);
      if (rest === `v3/${path}`) return document(served, path, { query: request.query, metadata, packed });
    }
  }
  return rest.startsWith('v3/') ? { status: 404, headers: {}, body: '' } : undefined;
}

function api(
  groups: readonly ServedGroup[],
  version: string | undefined,
  request: Request,
): DiscoveryAnswer | undefined {
  const core = groups.find(({ name }) => name === '');
  if (version === undefined) return aggregatedOr(core ? [core] : [], request.accept, coreVersions(core, request.host));
  const served = versionAt(groups, '', version);
  return served && plain(apiResourceList(served));
}

function apis(groups: readonly ServedGroup[], steps: readonly string[], request: Request): DiscoveryAnswer | undefined {
  const named = groups.filter(({ name }) => name !== '');
  const [group, version] = steps;
  if (group === undefined) return aggregatedOr(named, request.accept, apiGroupList(named));
  const found = named.find(({ name }) => name === group);
  if (version === undefined) return found && plain(apiGroup(found));
  const served = versionAt(named, group, version);
  return served && plain(apiResourceList(served));
}

interface Request {
  readonly accept: string | undefined;
  readonly query: URLSearchParams;
  readonly host: string;
}

/** What an answer depends on beside what is served. */
export interface DiscoveryHeaders {
  readonly accept?: string | undefined;
  /** Where the client found the server. */
  readonly host?: string | undefined;
}

/**
 * What a GET of a discovery or OpenAPI path answers; `undefined` where the path is not discovery's, or names a group
 * or version that is not served. The path may carry its query string.
 */
export function discover(
  resources: readonly ResourceDefinition[],
  path: string,
  { accept, host = '127.0.0.1' }: DiscoveryHeaders = {},
): DiscoveryAnswer | undefined {
  const [pathname = '', search = ''] = path.split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const [root, ...steps] = pathname.split('/').filter((step) => step !== '');
  const request: Request = { accept, query, host };
  if (root === 'openapi') return openApi(resources, pathname.replace(/^\/+openapi\//, ''), request);
  if (root === 'api' && steps.length <= 1) return api(groupsOf(resources), steps[0], request);
  if (root === 'apis' && steps.length <= 2) return apis(groupsOf(resources), steps, request);
  return undefined;
}

/** The answer, or 304 without a body if the client already has this content. */
export function revalidated(answer: DiscoveryAnswer, ifNoneMatch: string | undefined): DiscoveryAnswer {
  const { etag } = answer.headers;
  const known = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (etag === undefined || !(known.includes(etag) || known.includes('*'))) return answer;
  const { 'content-type': _, ...headers } = answer.headers;
  return { status: 304, headers, body: '' };
}
