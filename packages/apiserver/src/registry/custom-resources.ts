import { isDeepStrictEqual } from 'node:util';
import { formatTime, type JsonObject } from 'kilter/api';
import {
  approvedStatus,
  claimsOf,
  cleanupFinalizer,
  clearing,
  createdStatus,
  definitionIssues,
  establishedStatus,
  isEstablished,
  type NameClaims,
  namedStatus,
  servedBy,
  terminating,
  withStoredVersions,
} from '../customresources/index.ts';
import { finalizersOf, type Strategy } from '../kinds/index.ts';
import type { Change } from '../storage/index.ts';
import { clone, metadataOf, objectIfIn, parseJson, specOf, stringifyJson, textIn } from '../values/index.ts';
import { type Core, load, read } from './core.ts';
import { deleteNow, updateNow } from './pipeline.ts';

export const crdBucket = 'apiextensions.k8s.io/customresourcedefinitions';

const background = {
  dryRun: false,
  propagation: 'Background',
  graceSeconds: undefined,
  uid: undefined,
  resourceVersion: undefined,
} as const;
const ownWrite = { dryRun: false, manager: 'kube-apiserver', fieldValidation: 'Ignore', force: false } as const;
const isDeleting = (object: JsonObject): boolean => metadataOf(object)['deletionTimestamp'] !== undefined;

/** A write to the status may change metadata as well; stored versions that are none are those of a new definition. */
function withStatusOf(object: JsonObject, old: JsonObject): JsonObject {
  const written = { ...old, metadata: metadataOf(object), status: clone(object['status'] ?? {}) };
  const stored = objectIfIn(written, 'status')?.['storedVersions'];
  return Array.isArray(stored) && stored.length > 0 ? written : withStoredVersions(written);
}

const bucketOf = (crd: JsonObject): string =>
  `${textIn(specOf(crd), 'group')}/${textIn(objectIfIn(specOf(crd), 'names') ?? {}, 'plural')}`;

/** Serves what CustomResourceDefinitions define, from the moment they are stored until their last object is gone. */
export class CustomResources {
  /** Set by `attach`, before any request. */
  #core: Core | undefined;
  /** Schemas that are served, by bucket: an unchanged one needs no new look at what is stored. */
  readonly #schemas = new Map<string, string>();
  /** Definitions marked for deletion, by bucket: they wait for their last object. */
  readonly #terminating = new Map<string, JsonObject>();

  /** What the kind CustomResourceDefinition adds to its strategy. */
  rules(): Partial<Strategy> {
    return {
      prepareForStatusUpdate: (object, old) => withStatusOf(object, clone(old)),
      validate: definitionIssues,
      ownValidation: true,
      deletion: { begin: terminating },
    };
  }

  /** The strategy's preparation with the part of the status that is not a controller's. */
  preparing(strategy: Strategy): Partial<Strategy> {
    return {
      prepareForCreate: (object, context) => {
        const prepared = strategy.prepareForCreate?.(object, context) ?? object;
        return { ...prepared, status: createdStatus(prepared) };
      },
      prepareForUpdate: (object, old, context) =>
        withStoredVersions(strategy.prepareForUpdate?.(object, old, context) ?? object),
    };
  }

  /** Follows the stored definitions; returns what ends that. */
  attach(core: Core): () => void {
    this.#core = core;
    return core.storage.subscribe((change) => this.#heard(core, change));
  }

  /** The store was replaced: serves what its definitions say and nothing else, and continues where they were. */
  restart(core: Core): void {
    for (const bucket of this.#schemas.keys()) core.catalog.withdraw(bucket);
    this.#schemas.clear();
    this.#terminating.clear();
    for (const crd of this.#definitions()) this.#serve(core, crd);
    for (const crd of this.#definitions()) this.#follow(core, crd, Number(textIn(metadataOf(crd), 'resourceVersion')));
  }

  /** A status of the server's own making, on record as such. */
  #writeStatus(core: Core, old: JsonObject, object: JsonObject): void {
    const served = core.catalog.storedIn(crdBucket);
    if (served === undefined) return;
    const update = { served, old, object: clone(object), options: ownWrite };
    updateNow(core, { ...update, subresource: 'status', tracked: false });
  }

  /** Looks at the names of a definition, and establishes it once they are accepted; each step is its own write. */
  #settle(core: Core, crd: JsonObject): void {
    const now = formatTime(core.clock.now());
    const named = namedStatus(crd, this.#taken(crd), now);
    const next = isDeepStrictEqual(named, crd['status'])
      ? (establishedStatus(crd, now) ?? approvedStatus(crd, now))
      : named;
    if (next !== undefined) this.#writeStatus(core, crd, { ...crd, status: next });
  }

  /** The names of the group that others hold: accepted ones only, so that two claimants do not lock each other out. */
  #taken(crd: JsonObject): NameClaims {
    const group = textIn(specOf(crd), 'group');
    const name = textIn(metadataOf(crd), 'name');
    const others = this.#definitions()
      .filter((other) => textIn(metadataOf(other), 'name') !== name && textIn(specOf(other), 'group') === group)
      .map((other) => claimsOf(objectIfIn(objectIfIn(other, 'status') ?? {}, 'acceptedNames') ?? {}));
    return {
      resources: new Set(others.flatMap(({ resources }) => resources)),
      kinds: new Set(others.flatMap(({ kinds }) => kinds)),
    };
  }

  #definitions(): JsonObject[] {
    const core = this.#core;
    const served = core?.catalog.storedIn(crdBucket);
    if (core === undefined || served === undefined) return [];
    return core.storage.list(crdBucket).map((stored) => load(core, served, stored));
  }

  #heard(core: Core, change: Change): void {
    if (change.bucket === crdBucket) {
      const crd = parseJson(change.text) as JsonObject;
      if (change.type === 'DELETED') this.#withdraw(core, crd);
      else this.#follow(core, crd, change.revision);
      return;
    }
    const crd = change.type === 'DELETED' ? this.#terminating.get(change.bucket) : undefined;
    if (crd !== undefined) this.#finish(core, crd);
  }

  #follow(core: Core, crd: JsonObject, revision: number): void {
    this.#serve(core, crd);
    const current = this.#current(core, crd);
    // What was written since is reported next: that is the time to continue.
    if (current === undefined || textIn(metadataOf(current), 'resourceVersion') !== String(revision)) return;
    if (isDeleting(current)) this.#finish(core, current);
    else this.#settle(core, current);
  }

  #serve(core: Core, crd: JsonObject): void {
    const name = textIn(metadataOf(crd), 'name');
    const bucket = bucketOf(crd);
    const schemas = stringifyJson(specOf(crd));
    if (isEstablished(crd) && this.#schemas.get(bucket) !== schemas) {
      this.#schemas.set(bucket, schemas);
      const { versions, stored } = servedBy({
        crd,
        schemaSince: core.storage.revision,
        refusesCreate: () => this.#refusesCreate(core, name),
      });
      core.storage.begin(bucket);
      core.catalog.serve(versions, stored);
      // A watch speaks in the form it was opened for: its client shall ask again.
      core.hub.finish(bucket);
    }
    if (isDeleting(crd)) this.#terminating.set(bucket, crd);
  }

  #refusesCreate(core: Core, name: string): string | undefined {
    const served = core.catalog.storedIn(crdBucket);
    const crd = served && read(core, served, name);
    return crd !== undefined && isDeleting(crd)
      ? 'create not allowed while custom resource definition is terminating'
      : undefined;
  }

  /** Says that the objects of a definition will be deleted, deletes them, and lets it go after the last of them. */
  #finish(core: Core, crd: JsonObject): void {
    const current = this.#current(core, crd);
    if (current === undefined || !finalizersOf(metadataOf(current)).includes(cleanupFinalizer)) return;
    const begun = clearing(current, 'begun', formatTime(core.clock.now()));
    if (!isDeepStrictEqual(begun, current)) {
      this.#writeStatus(core, current, begun);
      return;
    }
    const bucket = bucketOf(crd);
    const instances = core.catalog.storedIn(bucket);
    for (const stored of instances === undefined ? [] : core.storage.list(bucket)) {
      const old = instances && load(core, instances, stored);
      if (instances !== undefined && old !== undefined && !isDeleting(old)) {
        deleteNow(core, { served: instances, old, options: background });
      }
    }
    if (core.storage.list(bucket).length === 0) this.#release(core, current);
  }

  #current(core: Core, crd: JsonObject): JsonObject | undefined {
    const served = core.catalog.storedIn(crdBucket);
    return served && read(core, served, textIn(metadataOf(crd), 'name'));
  }

  #release(core: Core, current: JsonObject): void {
    const done = clearing(current, 'done', formatTime(core.clock.now()));
    const finalizers = finalizersOf(metadataOf(current)).filter((name) => name !== cleanupFinalizer);
    const { finalizers: _, ...metadata } = metadataOf(done);
    this.#writeStatus(core, current, {
      ...done,
      metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) },
    });
  }

  /** Nothing of a removed definition stays: no resource, no watch, no history. Waiting claimants get its names. */
  #withdraw(core: Core, crd: JsonObject): void {
    const bucket = bucketOf(crd);
    this.#schemas.delete(bucket);
    this.#terminating.delete(bucket);
    core.catalog.withdraw(bucket);
    core.hub.finish(bucket);
    core.storage.drop(bucket);
    for (const waiting of this.#definitions().filter((one) => !isEstablished(one) && !isDeleting(one))) {
      this.#settle(core, waiting);
    }
  }
}
