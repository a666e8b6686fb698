import { formatTime, type JsonObject } from 'kilter/api';
import { parseJson, stringifyJson } from '../schema/index.ts';
import type { Change } from '../storage/index.ts';
import { objectIfIn, textIn } from './builtin-fields.ts';
import { type Core, load, metadataOf, read, save } from './core.ts';
import { definitionIssues, isEstablished, specOf } from './crd-rules.ts';
import {
  claimsOf,
  cleanupFinalizer,
  definitionStatus,
  type NameClaims,
  terminating,
  withTerminating,
} from './crd-status.ts';
import { servedBy } from './custom-definition.ts';
import type { Strategy } from './definition.ts';
import { deleteObject } from './delete.ts';
import { finalizersOf } from './metadata-rules.ts';
import { isReleased, removeObject } from './update.ts';

export const crdBucket = 'apiextensions.k8s.io/customresourcedefinitions';

const background = {
  dryRun: false,
  propagation: 'Background',
  graceSeconds: undefined,
  uid: undefined,
  resourceVersion: undefined,
} as const;
const isDeleting = (object: JsonObject): boolean => metadataOf(object)['deletionTimestamp'] !== undefined;
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
      prepareForStatusUpdate: (object, old) => ({ ...structuredClone(old), status: object['status'] ?? {} }),
      validate: definitionIssues,
      ownValidation: true,
      deletion: { begin: terminating },
    };
  }

  /** The strategy's preparation with the status the server gives at once. */
  preparing(strategy: Strategy): Partial<Strategy> {
    return {
      prepareForCreate: (object, context) => {
        const prepared = strategy.prepareForCreate?.(object, context) ?? object;
        const { status: _, ...fresh } = prepared;
        return this.#withStatus(fresh, context.now());
      },
      prepareForUpdate: (object, old, context) =>
        this.#withStatus(strategy.prepareForUpdate?.(object, old, context) ?? object, context.now()),
    };
  }

  /** Follows the stored definitions; returns what ends that. */
  attach(core: Core): () => void {
    this.#core = core;
    return core.storage.subscribe((change) => this.#heard(core, change));
  }

  #withStatus(crd: JsonObject, now: string): JsonObject {
    return { ...crd, status: definitionStatus(crd, this.#taken(crd), now) };
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
    return core.storage.list(crdBucket).map((stored) => load(served, stored));
  }

  #heard(core: Core, change: Change): void {
    if (change.bucket === crdBucket) {
      const crd = parseJson(change.text) as JsonObject;
      if (change.type === 'DELETED') this.#withdraw(core, crd);
      else this.#serve(core, crd);
      return;
    }
    const crd = change.type === 'DELETED' ? this.#terminating.get(change.bucket) : undefined;
    if (crd !== undefined) this.#finish(core, crd);
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
    if (!isDeleting(crd)) return;
    this.#terminating.set(bucket, crd);
    this.#finish(core, crd);
  }

  #refusesCreate(core: Core, name: string): string | undefined {
    const served = core.catalog.storedIn(crdBucket);
    const crd = served && read(core, served, name);
    return crd !== undefined && isDeleting(crd)
      ? 'create not allowed while custom resource definition is terminating'
      : undefined;
  }

  /** Deletes the objects of a definition that is being deleted, and lets it go after the last of them. */
  #finish(core: Core, crd: JsonObject): void {
    const bucket = bucketOf(crd);
    const instances = core.catalog.storedIn(bucket);
    for (const stored of instances === undefined ? [] : core.storage.list(bucket)) {
      const old = instances && load(instances, stored);
      if (instances !== undefined && old !== undefined && !isDeleting(old)) {
        deleteObject(core, { served: instances, old, options: background });
      }
    }
    if (core.storage.list(bucket).length > 0) this.#mark(core, crd);
    else this.#release(core, crd);
  }

  #current(core: Core, crd: JsonObject): JsonObject | undefined {
    const served = core.catalog.storedIn(crdBucket);
    return served && read(core, served, textIn(metadataOf(crd), 'name'));
  }

  #mark(core: Core, crd: JsonObject): void {
    const served = core.catalog.storedIn(crdBucket);
    const current = this.#current(core, crd);
    if (served === undefined || current === undefined) return;
    const why = { reason: 'InstanceDeletionInProgress', message: 'CustomResource deletion is in progress' };
    const marked = withTerminating(current, why, formatTime(core.clock.now()));
    if (stringifyJson(marked) !== stringifyJson(current)) save(core, served, marked);
  }

  #release(core: Core, crd: JsonObject): void {
    const served = core.catalog.storedIn(crdBucket);
    const current = this.#current(core, crd);
    if (served === undefined || current === undefined) return;
    const finalizers = finalizersOf(metadataOf(current)).filter((name) => name !== cleanupFinalizer);
    const { finalizers: _, ...metadata } = metadataOf(current);
    const released = { ...current, metadata: { ...metadata, ...(finalizers.length > 0 && { finalizers }) } };
    if (isReleased(released, served)) removeObject(core, served, released);
    else if (finalizersOf(metadataOf(current)).includes(cleanupFinalizer)) save(core, served, released);
  }

  /** Nothing of a removed definition stays: no resource, no watch, no history. Waiting claimants get its names. */
  #withdraw(core: Core, crd: JsonObject): void {
    const bucket = bucketOf(crd);
    this.#schemas.delete(bucket);
    this.#terminating.delete(bucket);
    core.catalog.withdraw(bucket);
    core.hub.finish(bucket);
    core.storage.drop(bucket);
    const served = core.catalog.storedIn(crdBucket);
    const now = formatTime(core.clock.now());
    for (const waiting of this.#definitions().filter((one) => !isEstablished(one) && !isDeleting(one))) {
      if (served !== undefined) save(core, served, this.#withStatus(waiting, now));
    }
  }
}
