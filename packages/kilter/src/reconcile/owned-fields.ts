import type { ManagedFieldsEntry } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';

/** The fields one manager owns, as the server writes them: `f:name`, `k:{…}`, `v:…`, `.`. */
export type OwnedFields = Readonly<Record<string, unknown>>;

/** The Apply entry of a manager for the object itself; the server keeps at most one. */
export function ownEntryOf(
  entries: readonly ManagedFieldsEntry[] | undefined,
  manager: string,
): OwnedFields | undefined {
  const entry = entries?.find(
    ({ manager: name, operation, subresource }) =>
      name === manager && operation === 'Apply' && subresource === undefined,
  );
  return entry?.fieldsV1 as OwnedFields | undefined;
}

function itemByKey(list: unknown, key: string): unknown {
  const wanted = JSON.parse(key) as Record<string, unknown>;
  if (!Array.isArray(list)) return undefined;
  return list.find(
    (item: unknown) => isObject(item) && Object.entries(wanted).every(([name, value]) => deepEqual(item[name], value)),
  );
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function step(value: unknown, element: string): unknown {
  const rest = element.slice(2);
  if (element.startsWith('f:')) return isObject(value) && Object.hasOwn(value, rest) ? value[rest] : undefined;
  if (element.startsWith('k:')) return itemByKey(value, rest);
  if (element.startsWith('i:')) return Array.isArray(value) ? value[Number(rest)] : undefined;
  const wanted = JSON.parse(rest) as unknown;
  return Array.isArray(value) && value.some((item) => deepEqual(item, wanted)) ? wanted : undefined;
}

/** What the owned fields hold in an object: equal projections mean that nobody moved what we declared. */
export function project(value: unknown, fields: OwnedFields): unknown {
  const elements = Object.keys(fields).filter((element) => element !== '.');
  if (elements.length === 0) return value === undefined ? undefined : value;
  return elements.map((element) => project(step(value, element), fields[element] as OwnedFields));
}
