/** What a schema library says about a value (Standard Schema, standardschema.dev). */
export interface StandardVerdict {
  readonly value?: unknown;
  readonly issues?: readonly StandardIssue[] | undefined;
}
/** One thing a schema library found wrong. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type Target = 'openapi-3.0' | 'draft-2020-12';
export interface TargetOptions {
  readonly target: Target;
  readonly libraryOptions?: Record<string, unknown> | undefined;
}

/**
 * Standard JSON Schema (standardschema.dev), copied: the specification asks libraries to do so rather than depend on
 * it. `validate` answers `unknown` on purpose, so that only `types` takes part in inference.
 */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
    readonly validate: (value: unknown) => StandardVerdict | Promise<StandardVerdict>;
    readonly jsonSchema: {
      readonly input: (options: TargetOptions) => Record<string, unknown>;
      readonly output: (options: TargetOptions) => Record<string, unknown>;
    };
  };
}

export type InputOf<S> = S extends StandardJsonSchema ? NonNullable<S['~standard']['types']>['input'] : undefined;
export type OutputOf<S> = S extends StandardJsonSchema ? NonNullable<S['~standard']['types']>['output'] : undefined;
