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

/** What each version can set for itself. */
export interface PerVersion {
  /** Columns of `kubectl get`. Age is appended unless a column has that name. */
  columns?: readonly Column[] | undefined;
  /** `false` omits Age. */
  age?: boolean | undefined;
  /** Where `kubectl scale` and autoscalers find the numbers. */
  scale?: Scale | undefined;
  /** At most eight plain fields for field selectors, such as `.spec.image`. */
  selectable?: readonly string[] | undefined;
  /** Rules of the object as a whole: `[rule('size(self.metadata.name) <= 52', 'a shorter name, please')]`. */
  rules?: readonly RuleMetadata[] | undefined;
  /** Whether the server answers for this version; `true` unless given. */
  served?: boolean | undefined;
  /** Whether objects are stored in this version; the version of the definition is, unless another says so. */
  storage?: boolean | undefined;
  /** Makes the server warn users of this version, with its standard text or with this one. */
  deprecated?: boolean | string | undefined;
}

/** An older version of the resource. All versions share the status. */
export interface OlderVersion<S = StandardJsonSchema> extends PerVersion {
  /**
   * Without a spec, the schema is derived from the newest one by its field actions (`added`, `renamed`, …). Types
   * cannot follow those: for the compiler, specs of such a version are any JSON; `build` and `parse` validate them like
   * all others.
   */
  spec?: S | undefined;
}

/**
 * `up` converts to the version the definition describes, `down` back from it. Both must be total and pure, and accept
 * specs with missing parts. Their second parameter is the spec as converted by the field actions, without `changed`
 * fields.
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

/** The input of `customResource`: names, schemas, versions, columns. */
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
  /** The newest version, such as `v1`. */
  version: V;
  spec: StandardJsonSchema<SpecIn, Spec>;
  /** `observedGeneration` and `conditions` are added. Without this the resource has no status. */
  status?: StandardJsonSchema<StatusIn, Status>;
  versions?: { [P in keyof Old]: OlderVersion<Old[P]> };
  /** What the resource is, for `kubectl explain`. */
  description?: string | undefined;
  /** Labels and annotations of the CustomResourceDefinition itself. */
  labels?: Readonly<Record<string, string>> | undefined;
  annotations?: Readonly<Record<string, string>> | undefined;
  /** Shortens descriptions in the manifest to this many characters, or omits them. Default: they stay whole. */
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
