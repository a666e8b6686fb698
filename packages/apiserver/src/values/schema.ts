import type { Json } from 'kilter/api';

/**
 * A structural schema as the server holds it, of custom and built-in kinds alike. There is no `$ref`: schemas of
 * built-in kinds are hydrated into a graph that may contain cycles, so walk it only along a value.
 */
export interface Schema {
  readonly type?: 'object' | 'array' | 'string' | 'integer' | 'number' | 'boolean' | undefined;
  readonly description?: string;
  readonly title?: string;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly default?: Json;
  readonly enum?: readonly Json[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: boolean;
  readonly exclusiveMaximum?: boolean;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly not?: Schema;
  readonly 'x-kubernetes-preserve-unknown-fields'?: boolean;
  readonly 'x-kubernetes-embedded-resource'?: boolean;
  readonly 'x-kubernetes-int-or-string'?: boolean;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'granular' | 'atomic';
  readonly 'x-kubernetes-validations'?: readonly ValidationRule[];
  /** Fields of a built-in struct that are written even when nothing was set, with what is written then. */
  readonly zeroFields?: Readonly<Record<string, Json>>;
  /** Texts, numbers and booleans of a built-in struct that nobody can tell from unset while they are empty: they are left out. */
  readonly omitsZero?: readonly string[];
  /** What a built-in type without a published shape holds where its value is an object, or items of a list. */
  readonly alternatives?: { readonly object: Schema; readonly items?: Schema };
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

export interface ValidationRule {
  readonly rule: string;
  readonly message?: string;
  readonly messageExpression?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  readonly fieldPath?: string;
  readonly optionalOldSelf?: boolean;
}

/** One thing wrong with a value: a cause of a 422 Status. */
export interface Issue {
  /** `spec.env[0].name`; '' is the object itself. */
  readonly field: string;
  readonly reason:
    | `FieldValue${'Required' | 'Invalid' | 'NotSupported' | 'NotFound' | 'Duplicate' | 'Forbidden' | 'TooLong' | 'TooMany' | 'TypeInvalid'}`
    | 'InternalError';
  /** Without the field: `Invalid value: 99: spec.replicas in body should be less than or equal to 10`. */
  readonly message: string;
}
