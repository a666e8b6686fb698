import { apiVersionOf, type JsonObject } from 'kilter/api';
import {
  type Call,
  decodeToken,
  encodeToken,
  type ListOptions,
  listOptions,
  type Matcher,
  matcherOf,
  parseVersion,
  startAfter,
} from '../calls/index.ts';
import type { Served } from '../kinds/index.ts';
import { badRequest, continueExpired, listExpired } from '../status/index.ts';
import type { Stored } from '../storage/index.ts';
import { parseJson } from '../values/index.ts';
import { type Core, prefixOf, show } from './core.ts';
import { reached, type Reader, readerOf } from './freshness.ts';

/** What a list reads from: the objects of one moment. */
interface Snapshot {
  readonly revision: number;
  readonly items: readonly Stored[];
}

interface Listing extends Reader {
  readonly served: Served;
  readonly prefix: string;
  readonly options: ListOptions;
}

function latest(core: Core, { served, prefix, view }: Listing): Snapshot {
  const items = view === undefined ? undefined : core.storage.listAt(served.bucket, prefix, view);
  if (view !== undefined && items !== undefined) return { revision: view, items };
  return { revision: core.storage.revision, items: core.storage.list(served.bucket, prefix) };
}

function at(core: Core, { served, prefix }: Listing, revision: number): Snapshot | undefined {
  const items = core.storage.listAt(served.bucket, prefix, revision);
  return items && { revision, items };
}

/** The rest of the list a token belongs to. */
async function continued(core: Core, listing: Listing): Promise<Snapshot> {
  const { resourceVersion, continueToken } = listing.options;
  const token = decodeToken(continueToken);
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw badRequest('specifying resource version is not allowed when using continue');
  }
  if (token.revision > 0) await reached(core, token.revision, listing);
  const snapshot = token.revision < 0 ? latest(core, listing) : at(core, listing, token.revision);
  if (snapshot === undefined) throw continueExpired(encodeToken({ ...token, revision: -1 }));
  const start = listing.prefix + token.start;
  return { ...snapshot, items: snapshot.items.filter(({ key }) => key >= start) };
}

async function snapshotFor(core: Core, listing: Listing): Promise<Snapshot> {
  const { resourceVersion, match, limit, continueToken } = listing.options;
  if (continueToken !== '') return continued(core, listing);
  if (resourceVersion === '' || resourceVersion === '0') return latest(core, listing);
  const revision = parseVersion(resourceVersion, 'list');
  await reached(core, revision, listing);
  const exact = match === 'Exact' || (match === '' && limit > 0);
  if (!exact) return latest(core, listing);
  const snapshot = at(core, listing, revision);
  if (snapshot === undefined) throw listExpired();
  return snapshot;
}

interface Page {
  readonly objects: JsonObject[];
  /** The key of the last object, if there are more. */
  readonly last: string | undefined;
  readonly remaining: number;
}

function pageOf(
  { items }: Snapshot,
  shown: (stored: Stored) => JsonObject,
  { limit, matches }: { limit: number; matches: Matcher | undefined },
): Page {
  const objects: JsonObject[] = [];
  let last = '';
  for (const [index, stored] of items.entries()) {
    if (limit > 0 && objects.length === limit) return { objects, last, remaining: items.length - index };
    const object = shown(stored);
    if (matches === undefined || matches(object)) objects.push(object);
    last = stored.key;
  }
  return { objects, last: undefined, remaining: 0 };
}

function withoutKind({ kind: _, apiVersion: __, ...rest }: JsonObject): JsonObject {
  return rest;
}

/** The list object a client gets. Items of built-in kinds leave out what the list already says of them. */
function listObject({ definition }: Served, objects: readonly JsonObject[], metadata: JsonObject): JsonObject {
  return {
    kind: definition.listKind,
    apiVersion: apiVersionOf(definition),
    metadata: definition.custom ? { continue: '', ...metadata } : metadata,
    items: definition.custom ? [...objects] : objects.map(withoutKind),
  };
}

export interface Listed {
  readonly list: JsonObject;
  /** The listed objects, kind and apiVersion included. */
  readonly objects: readonly JsonObject[];
}

/** A list, a page of one, or the refusal of either. */
export async function listObjects(core: Core, served: Served, call: Call): Promise<Listed> {
  const prefix = prefixOf(served, call.namespace);
  const listing: Listing = { served, prefix, options: listOptions(call), ...readerOf(core, served, call) };
  const matches = matcherOf(call);
  const snapshot = await snapshotFor(core, listing);
  // "Any version will do" is answered from the real server's cache, in one piece.
  const limit = listing.options.resourceVersion === '0' ? 0 : listing.options.limit;
  const needed = limit > 0 && matches === undefined ? snapshot.items.slice(0, limit) : snapshot.items;
  if (served.webhook !== undefined)
    await core.conversions.prepare(
      served,
      needed.map(({ text }) => parseJson(text) as JsonObject),
    );
  const { objects, last, remaining } = pageOf(snapshot, (stored) => show(core, served, stored), { limit, matches });
  const token =
    last === undefined
      ? undefined
      : { revision: snapshot.revision, start: startAfter(`/${last.slice(listing.prefix.length)}`) };
  const list = listObject(served, objects, {
    resourceVersion: String(snapshot.revision),
    ...(token !== undefined && { continue: encodeToken(token) }),
    ...(token !== undefined && matches === undefined && { remainingItemCount: remaining }),
  });
  return { list, objects };
}
