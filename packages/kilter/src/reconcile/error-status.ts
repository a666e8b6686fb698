import type { ManagedFieldsEntry } from '../api/index.ts';
import type { StatusFields } from './status.ts';

/** Fields and condition types of a status. */
export interface StatusParts {
  readonly fields: readonly string[];
  readonly conditions: readonly string[];
}

/**
 * Who writes what `onError` says: its own field manager, so that the server remembers which fields an error set, also
 * over a restart of the operator.
 */
export function errorManagerOf(manager: string): string {
  return `${manager}/error`;
}

/** What a status patch sets. */
export function partsOf(patch: StatusFields): StatusParts {
  const conditions = (patch['conditions'] as { type: string }[] | undefined) ?? [];
  const fields = Object.keys(patch).filter((field) => field !== 'conditions' && patch[field] !== undefined);
  return { fields, conditions: conditions.map(({ type }) => type) };
}

/** Failures of different kinds may set different fields before the next success. */
export function together(a: StatusParts | undefined, b: StatusParts | undefined): StatusParts | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const union = (one: readonly string[], other: readonly string[]): string[] => [...new Set([...one, ...other])];
  return { fields: union(a.fields, b.fields), conditions: union(a.conditions, b.conditions) };
}

type Owned = Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;

function conditionType(element: string): string | undefined {
  const key: unknown = element.startsWith('k:') ? JSON.parse(element.slice(2)) : undefined;
  const type = (key as { type?: unknown } | undefined)?.type;
  return typeof type === 'string' ? type : undefined;
}

/** What is left in a status of what errors set: the fields their manager still owns. Who overwrites one owns it from then. */
export function leftByErrors(entries: readonly ManagedFieldsEntry[], manager: string): StatusParts | undefined {
  const own = entries.find((entry) => entry.manager === errorManagerOf(manager) && entry.subresource === 'status');
  const status = (own?.fieldsV1 as { 'f:status'?: Owned } | undefined)?.['f:status'];
  if (status === undefined) return undefined;
  const { 'f:conditions': conditions = {}, 'f:observedGeneration': _, '.': __, ...fields } = status;
  const types = Object.entries(conditions).flatMap(([element, owned]) => {
    // The verdict itself, not a detail that the next writer happened to leave as it was.
    const verdict = Object.hasOwn(owned as object, 'f:status') || Object.hasOwn(owned as object, 'f:reason');
    return verdict ? (conditionType(element) ?? []) : [];
  });
  return { fields: Object.keys(fields).map((field) => field.slice(2)), conditions: types };
}
