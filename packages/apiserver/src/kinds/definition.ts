import type { JsonObject } from 'kilter/api';
import type { PriorityClass } from '../admission/index.ts';
import type { User } from '../auth/index.ts';
import type { ServiceRange } from './service-range.ts';
import type { Issue, Schema } from '../values/index.ts';

/** Where the replica counts of a scalable kind stand, as dotted paths with a leading dot. */
export interface ScalePaths {
  readonly specReplicasPath: string;
  readonly statusReplicasPath: string;
  readonly labelSelectorPath?: string;
}

export interface PrinterColumn {
  readonly name: string;
  readonly type: string;
  readonly format?: string;
  readonly description?: string;
  /** Above 0: shown with `-o wide` only. */
  readonly priority?: number;
  /** A JSON path with a leading dot: `.spec.replicas`. */
  readonly jsonPath: string;
}

/** One served resource in one version: everything verbs, discovery and printing need to know of it. Kinds are data. */
export interface ResourceDefinition {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly singular: string;
  readonly listKind: string;
  readonly namespaced: boolean;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly verbs: readonly string[];
  /** Made from a CustomResourceDefinition: pruned, defaulted and validated by its schema; no strategic merge. */
  readonly custom: boolean;
  /** The schema of the whole object, apiVersion, kind and metadata included. */
  readonly schema: Schema;
  readonly hasStatus: boolean;
  /** The form objects are stored in, where it is not this one; `unserved` if no client can ask for that form. */
  readonly storedAs?: { readonly group: string; readonly version: string } | 'unserved' | undefined;
  readonly scale: ScalePaths | undefined;
  /** Columns a CustomResourceDefinition declares; empty for built-in kinds, which `print` knows. */
  readonly columns: readonly PrinterColumn[];
  /** JSON paths usable in field selectors beside metadata.name and metadata.namespace, without the leading dot. */
  readonly selectableFields: readonly string[];
  readonly strategy: Strategy;
}

/** What differs between kinds, answered by each kind itself; shared code never branches on a kind's name. */
export interface Strategy {
  /** metadata.generation is kept and grows with changes outside metadata and status. */
  readonly generation: boolean;
  /** PUT of a missing object creates it. */
  readonly createOnUpdate: boolean;
  /** PUT without a resourceVersion is allowed. */
  readonly unconditionalUpdate: boolean;
  readonly nameRule: 'subdomain' | 'label' | 'path-segment';
  /** Fills what the server fills; gets a private copy and returns it. */
  prepareForCreate?(object: JsonObject, context: StrategyContext): JsonObject;
  prepareForUpdate?(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /**
   * What a client could have written itself, filled in before ownership of fields is recorded; gets a private copy and
   * returns it. Without it, ownership is recorded after `prepareForCreate`.
   */
  defaults?(object: JsonObject): JsonObject;
  /**
   * The object that a write to the status subresource stores. Without it, a built-in kind keeps all of the old object but
   * status and metadata, and a custom resource all but status.
   */
  prepareForStatusUpdate?(object: JsonObject, old: JsonObject, context: StrategyContext): JsonObject;
  /** Subresources beside status and scale that take a PUT of the whole object, with what each stores of it. */
  readonly subresourceUpdates?: Readonly<Record<string, SubresourceUpdate>>;
  /** Those of them whose writers own what they sent, whatever of it is stored. */
  readonly ownedAsSent?: readonly string[];
  /** Those of them that can be neither read nor patched. */
  readonly updateOnly?: readonly string[];
  /** What a create is answered with, where nothing is stored. */
  readonly answering?: Answering;
  /** Subresources that take a POST: what each does, by name. */
  readonly actions?: Readonly<Record<string, Action>>;
  /** Subresources that lead out of the server, to a kubelet or a program, with the kind and the verbs discovery names. */
  readonly connects?: Readonly<Record<string, Connection>>;
  /** What the schema cannot say; `old` is undefined on create, `subresource` unless the write is to one. */
  validate?(object: JsonObject, old: JsonObject | undefined, subresource?: string): Issue[];
  /** What is wrong with maps that came without entries, and are not stored: the names of those at the top of the object. */
  emptied?(names: readonly string[], object: JsonObject, old: JsonObject): Issue[];
  /** What readers get of a stored object, where that is less; changes nothing, and gives back the same where nothing is hidden. */
  seen?(object: JsonObject): JsonObject;
  /** What the server has to say of an object it takes. */
  warnings?(object: JsonObject, old: JsonObject | undefined): string[];
  /** `validate` says it all, in the server's order and words: the schema is not asked. */
  readonly ownValidation?: boolean;
  /** Whether a change counts for generation; without it, any change outside metadata and status does. */
  bumpsGeneration?(object: JsonObject, old: JsonObject): boolean;
  readonly deletion?: DeletionRules;
  /** Runs on create and on updates of the whole object, in this order. */
  readonly admission?: readonly AdmissionPlugin[];
}

/** The object that a PUT to a subresource stores. */
export type SubresourceUpdate = (object: JsonObject, old: JsonObject, context: StrategyContext) => JsonObject;

/** A kind that is only ever asked: a create is the question, and nothing is stored. */
export interface Answering {
  /** The object with its answer, or a refusal by throwing. */
  answer(request: AnswerRequest): JsonObject | Promise<JsonObject>;
}

export interface AnswerRequest {
  readonly kind: string;
  readonly apiVersion: string;
  /** The body, decoded, with the fields of its manager. */
  readonly sent: JsonObject;
  readonly user: User;
  /** RFC 3339, whole seconds. */
  now(): string;
}

/** What a POST to a subresource does. The object it takes is of its own kind, and is not stored. */
export interface Action {
  /** What the body is. */
  readonly takes: { readonly group: string; readonly version: string; readonly kind: string };
  /** Other versions of it that are taken as well, where their fields are the same. */
  readonly alsoTakes?: readonly string[];
  /** What it has beside apiVersion, kind and metadata: the names of the schemas. */
  readonly fields: Readonly<Record<string, string>>;
  /** Of a body whose fields are owned by its sender. */
  readonly owned?: OwnedBody;
  /** What of the body is filled in, or refused by throwing, before whoever may refuse is asked. */
  complete?(request: ActionRequest): JsonObject;
  /** Answers an object, or refuses by throwing. */
  act(request: ActionRequest): JsonObject | Promise<JsonObject>;
}

export interface OwnedBody {
  /** Fills in what a client left out; changes it in place. */
  defaults?(sent: JsonObject): void;
  /** What the server's own struct holds even when nothing was set: nobody owns that. */
  readonly zeroFields: JsonObject;
}

export interface ActionRequest {
  readonly definition: ResourceDefinition;
  /** The name in the URL. */
  readonly name: string;
  /** The body, decoded. */
  readonly sent: JsonObject;
  /** A private copy of the object the subresource belongs to; throws if there is none. */
  object(): JsonObject;
  /** Its key in etcd, which a few refusals name. */
  readonly key: string;
  /** RFC 3339, whole seconds. */
  now(): string;
  /** Stores a new form of it as it is, unless this is a dry run. */
  store(object: JsonObject): void;
  readonly dryRun: boolean;
  /** Private copies of the objects of another resource in the same namespace. */
  beside(resource: NamedResource): JsonObject[];
  /** Stores the status of one of them, as the server itself. */
  storeStatus(resource: NamedResource, object: JsonObject): void;
  /** Deletes the object with these options of a deletion; where it really goes, it is stored in its last form before. */
  remove(options: JsonObject, last: JsonObject): void;
}

export interface NamedResource {
  readonly group: string;
  readonly plural: string;
}

/** A way out of the server. */
export interface Connection {
  /** The kind of its options; undefined if it speaks the kind of its parent. */
  readonly kind?: string;
  readonly verbs: readonly string[];
}

/** How the deletion of a kind differs from taking the object away at once. */
export interface DeletionRules {
  /** Dependents of an object that is deleted without a policy; Background unless given. */
  readonly defaultPropagation?: 'Orphan';
  /** Said to a client that left the policy to the server. */
  readonly defaultWarning?: string;
  /** Refuses the deletion of this object, with the reason. */
  refuse?(object: JsonObject): string | undefined;
  /** The client gets what was deleted, not a Status. */
  readonly answersObject?: true;
  /** Seconds of grace for this object, given what the client asked for; a kind without grace goes at once. */
  grace?(object: JsonObject, requested: number | undefined): number;
  /** The object is marked by these changes and stays, whoever else holds it, until `holds` says otherwise. */
  begin?(object: JsonObject, now: string): JsonObject;
  /** Whether a marked object is still held by something beside its finalizers. */
  holds?(object: JsonObject): boolean;
}

export interface StrategyContext {
  /** Who writes; undefined where the server itself does. */
  readonly user?: User | undefined;
  /** RFC 3339, whole seconds. */
  now(): string;
  /** Where the addresses of Services come from. */
  readonly serviceRange: ServiceRange;
  /** A small number unique on this server, for cluster IPs and the like. */
  sequence(): number;
  /** Whether a Service has this address of the cluster. */
  isAddressTaken(address: string): boolean;
  /** Whether a Service has this port of the nodes. */
  isNodePortTaken(port: NodePort): boolean;
}

/** A port of every node, taken by a Service for one protocol. */
export interface NodePort {
  readonly number: number;
  readonly protocol: string;
}

export interface Admission {
  readonly definition: ResourceDefinition;
  /** Changed in place. */
  readonly object: JsonObject;
  /** Undefined on create. */
  readonly old: JsonObject | undefined;
  readonly classes: () => PriorityClass[];
  readonly dryRun: boolean;
  /** Where the addresses of Services come from. */
  readonly serviceRange: ServiceRange;
  /** Whether a Service has this address of the cluster. */
  readonly isAddressTaken: (address: string) => boolean;
  /** Whether a Service other than this one has this port of the nodes. */
  readonly isNodePortTaken: (port: NodePort) => boolean;
}

/** Changes the object in place, or refuses it by throwing. */
export type AdmissionPlugin = (admission: Admission) => void;
