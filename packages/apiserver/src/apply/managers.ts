import { type Json, type JsonObject, parseTime } from 'kilter/api';
import { compareText, fieldOf, isObject, objectOf } from '../values/index.ts';
import type { FieldSet } from './field-set.ts';
import { decodeFields, encodeFields } from './fields-v1.ts';

/** Who an entry of managedFields belongs to. */
export interface ManagerIdentity {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string | undefined;
}

export interface ManagerEntry extends ManagerIdentity {
  /** Missing for a manager that only ever shared what was there already. */
  readonly time: string | undefined;
  readonly fields: FieldSet;
}

/** The entries of an object by identity. */
export type Managers = ReadonlyMap<string, ManagerEntry>;

/** An applier is the same whatever version it applies; an updater is another one in every version. */
export function identityOf({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  return JSON.stringify({
    ...(manager !== '' && { manager }),
    operation,
    ...(operation === 'Update' && { apiVersion }),
    ...(subresource !== undefined && { subresource }),
  });
}

/** The entries of managedFields; undefined when one of them is malformed, which makes all of them worthless. */
export function decodeManagers(managedFields: Json | undefined): Managers | undefined {
  if (managedFields === undefined || managedFields === null) return new Map();
  if (!Array.isArray(managedFields)) return undefined;
  const entries = managedFields.map(decodeEntry);
  if (entries.some((entry) => entry === undefined)) return undefined;
  return new Map(entries.filter((entry) => entry !== undefined).map((entry) => [identityOf(entry), entry]));
}

function decodeEntry(entry: Json): ManagerEntry | undefined {
  if (!isObject(entry)) return undefined;
  const { manager = '', operation, apiVersion, time, fieldsType, fieldsV1 = {}, subresource } = entry;
  const fields = decodeFields(fieldsV1);
  if (operation !== 'Apply' && operation !== 'Update') return undefined;
  if (typeof manager !== 'string' || typeof apiVersion !== 'string' || apiVersion === '') return undefined;
  if (fieldsType !== 'FieldsV1' || fields === undefined) return undefined;
  return { manager, operation, apiVersion, fields, time: textOr(time), subresource: textOr(subresource) };
}

const textOr = (value: Json | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** managedFields as the server writes it: appliers first, then by time, and by name within a second. */
export function encodeManagers(managers: Managers): JsonObject[] {
  return [...managers.values()]
    .toSorted(compareEntries)
    .map((entry) =>
      objectOf([
        ...(entry.manager === '' ? [] : ([['manager', entry.manager]] as const)),
        ['operation', entry.operation],
        ['apiVersion', entry.apiVersion],
        ...(entry.time === undefined ? [] : ([['time', entry.time]] as const)),
        ['fieldsType', 'FieldsV1'],
        ['fieldsV1', encodeFields(entry.fields)],
        ...(entry.subresource === undefined ? [] : ([['subresource', entry.subresource]] as const)),
      ]),
    );
}

const compareEntries = (left: ManagerEntry, right: ManagerEntry): number =>
  compareText(left.operation, right.operation) ||
  secondsOf(left) - secondsOf(right) ||
  compareText(left.manager, right.manager) ||
  compareText(left.apiVersion, right.apiVersion) ||
  compareText(left.subresource ?? '', right.subresource ?? '');

/** An entry without a time counts as older than all others. */
export const secondsOf = ({ time }: ManagerEntry): number =>
  time === undefined ? 0 : Math.floor((parseTime(time) ?? 0) / 1000);

export function managedFieldsOf(object: JsonObject | undefined): Json | undefined {
  const metadata = object && fieldOf(object, 'metadata');
  return isObject(metadata) ? fieldOf(metadata, 'managedFields') : undefined;
}

/** The object with these managedFields, or without any when nobody manages it; fields keep their order. */
export function withManagers(object: JsonObject, managers: Managers): JsonObject {
  const metadata = fieldOf(object, 'metadata');
  if (managers.size === 0 && !isObject(metadata)) return object;
  const fields = Object.entries(isObject(metadata) ? metadata : {}).filter(([name]) => name !== 'managedFields');
  if (managers.size > 0) fields.push(['managedFields', encodeManagers(managers)]);
  return { ...object, metadata: objectOf(fields) };
}

export const withoutManagers = (object: JsonObject): JsonObject =>
  managedFieldsOf(object) === undefined ? object : withManagers(object, new Map());
