import type { JsonObject, Scope } from '../api/index.ts';
import type { Descriptions } from './finish.ts';
import type { RuleMetadata } from './metadata.ts';
import type { Naming } from './names.ts';
import type { Column, Scale } from './printing.ts';
import type { InputOf, OutputOf, StandardJsonSchema } from './standard.ts';

/** The schemas of older versions; unknown for those that field actions describe. */
export type Schemas = Record<string, unknown>;

/** What objects of an older version hold, as far as types can tell: any JSON where it has no schema of its own. */
export type OlderInput<S> = S extends StandardJsonSchema ? AsObject<InputOf<S>> : JsonObject;
export type OlderOutput<S> = S extends StandardJsonSchema ? AsObject<OutputOf<S>> : JsonObject;
type AsObject<T> = unknown extends T ? JsonObject : T;

/** What each version has of its own. */
export interface PerVersion {
  /** Columns of `kubectl get`. Age is appended unless one is called so. */
  columns?: readonly Column[] | undefined;
  /** `false` leaves Age out. */
  age?: boolean | undefined;
  /** Where `kubectl scale` and autoscalers find the numbers. */
  scale?: Scale | undefined;
  /** At most eight plain fields for field selectors, as `.spec.image`. */
  selectable?: readonly string[] | undefined;
  /** Rules of the object as a whole: `[rule('size(self.metadata.name) <= 52', 'a shorter name, please')]`. */
  rules?: readonly RuleMetadata[] | undefined;
  /** Whether the server answers for this version; `true` unless given. */
  served?: boolean | undefined;
  /** Whether objects are stored in this version; the version of the definition is, unless another says so. */
  storage?: boolean | undefined;
  /** Makes the server warn those who use it, in its own words or in these. */
  deprecated?: boolean | string | undefined;
}

/** An older version beside the one the definition describes. They share the status. */
export interface OlderVersion<S = StandardJsonSchema> extends PerVersion {
  /**
   * Without one, the schema is made of the newest by its field actions (`added`, `renamed`, …). Types cannot follow
   * those: specs of such a version are any JSON for the compiler, while `build` and `parse` judge them like all others.
   */
  spec?: S | undefined;
}

/**
 * `up` leads to the version the definition describes, `down` back from it. Both are total and pure, take specs of which
 * parts are missing, and get as second parameter what the field actions make of the spec, without what `changed`.
 */
export interface Conversion<Old, OldInput, New, NewInput> {
  up(spec: Old, generated: NewInput): NewInput;
  down(spec: New, generated: OldInput): OldInput;
}

/** Conversions of older versions, by version. */
export type Conversions<Old extends Schemas, New, NewInput> = {
  [P in keyof Old]?: Conversion<OlderOutput<Old[P]>, OlderInput<Old[P]>, New, NewInput>;
};
export type AnyConversions = Readonly<Record<string, Conversion<unknown, unknown, unknown, unknown> | undefined>>;

/** All that `customResource` takes: names, schemas, versions, columns. */
export interface Definition<
  G extends string,
  V extends string,
  K extends string,
  SpecIn,
  Spec,
  StatusIn,
  Status,
  Old extends Schemas,
  S extends Scope = Scope,
>
  extends Naming<G, K, S>, PerVersion {
  /** The newest version, as `v1`. */
  version: V;
  spec: StandardJsonSchema<SpecIn, Spec>;
  /** `observedGeneration` and `conditions` are added. Without it the resource has no status. */
  status?: StandardJsonSchema<StatusIn, Status>;
  versions?: { [P in keyof Old]: OlderVersion<Old[P]> };
  /** What the resource is, for `kubectl explain`. */
  description?: string | undefined;
  /** Labels and annotations of the CustomResourceDefinition itself. */
  labels?: Readonly<Record<string, string>> | undefined;
  annotations?: Readonly<Record<string, string>> | undefined;
  /** Cuts descriptions in the manifest to so many characters, or leaves them out; they stay whole unless given. */
  descriptions?: Descriptions | undefined;
}

/** A definition whose types no longer matter. */
export interface AnyDefinition extends Naming, PerVersion {
  version: string;
  spec: StandardJsonSchema;
  status?: StandardJsonSchema | undefined;
  versions?: Readonly<Record<string, OlderVersion>> | undefined;
  description?: string | undefined;
  labels?: Readonly<Record<string, string>> | undefined;
  annotations?: Readonly<Record<string, string>> | undefined;
  descriptions?: Descriptions | undefined;
}
