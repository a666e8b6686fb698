import type { JsonObject } from 'kilter/api';
import { clone, metadataOf } from '../values/index.ts';
import type { SecondForm } from './builtin-forms.ts';
import type { Strategy, StrategyContext } from './definition.ts';
import { dropUnserved } from './pod-features.ts';

/** All that is special about a built-in kind; what is left out is as the plain kind has it. */
export interface BuiltinKind extends Partial<Omit<Strategy, 'defaults' | 'prepareForCreate' | 'prepareForUpdate'>> {
  /** Fills what a client left out, on create and update alike. */
  readonly defaults?: (object: JsonObject) => void;
  /** What the server decides once, when the object is created. */
  readonly begin?: (object: JsonObject, context: StrategyContext) => void;
  /** What an update cannot change or may leave out; runs after `defaults`. */
  readonly keep?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
  /** Where the spec of its pods is. */
  readonly pods?: readonly string[];
  /** Field labels whose value is at the path they name. */
  readonly selectableFields?: readonly string[];
  /** The group and version whose form Kubernetes stores, where it is another one. */
  readonly storedAs?: { readonly group: string; readonly version: string };
  /** Served from the store of another resource. */
  readonly secondForm?: SecondForm;
  /** Said with every answer. */
  readonly deprecation?: string;
}

/** Kinds of some groups, by `group/Kind`, or `group/version/Kind` where versions differ. */
export type BuiltinKinds = Readonly<Record<string, BuiltinKind>>;

/** The strategy of a row. */
export function strategyOf(row: BuiltinKind): Strategy {
  const {
    defaults,
    begin,
    keep,
    pods,
    selectableFields: _,
    storedAs: __,
    secondForm: ___,
    deprecation: ____,
    ...own
  } = row;
  const prepare = (object: JsonObject): void => {
    defaults?.(object);
    if (pods !== undefined) dropUnserved(object, pods);
  };
  return {
    generation: false,
    createOnUpdate: false,
    unconditionalUpdate: true,
    nameRule: 'subdomain',
    ...own,
    ...(defaults !== undefined && {
      defaults: (object: JsonObject) => {
        defaults(object);
        return object;
      },
    }),
    prepareForCreate: (object, context) => {
      prepare(object);
      begin?.(object, context);
      return object;
    },
    prepareForUpdate: (object, old, context) => {
      prepare(object);
      keep?.(object, old, context);
      return object;
    },
  };
}

/** The status a kind begins with, whatever the client sent. */
export const beginStatus =
  (status: () => JsonObject) =>
  (object: JsonObject): void => {
    object['status'] = status();
  };

export const emptyStatus: (object: JsonObject) => void = beginStatus(() => ({}));

/** A PUT must say which version it changes. */
export const locked: BuiltinKind = { unconditionalUpdate: false };
export const lockedSpec: BuiltinKind = { ...locked, generation: true };

/** A delete answers what is gone. */
export const answersObject = { deletion: { answersObject: true } } as const;

export const orphansByDefault = { defaultPropagation: 'Orphan' } as const;

/** The old object with new status, and new metadata but for these fields. */
export function statusKeeping(...fields: string[]): NonNullable<Strategy['prepareForStatusUpdate']> {
  return (object, old) => {
    const { status: _, ...rest } = clone(old);
    const metadata = { ...metadataOf(object) };
    for (const field of fields) {
      delete metadata[field];
      const before = metadataOf(old)[field];
      if (before !== undefined) metadata[field] = clone(before);
    }
    return { ...rest, metadata, ...(object['status'] !== undefined && { status: object['status'] }) };
  };
}
