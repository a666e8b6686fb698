import type { Json, KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { canonicalText } from './canonical-text.ts';
import type { Delta } from './conversion-delta.ts';
import { isRecord } from './json-schema.ts';
import { dataField } from './status.ts';

/** Per version, what an object is to get back when it returns there. */
export type ConversionData = Readonly<Record<string, unknown>>;

/** What is kept for one version. */
export interface Kept {
  /** The version in which it found no place. */
  readonly in: string;
  /** Which spec the object was left with there: if it still has that one, nobody changed anything. */
  readonly of: string;
  /** Whether it is kept of an object of which required parts were missing: the server converts such too. */
  readonly part?: true;
  readonly delta: Delta;
}

/** Data nested deeper than this would exhaust the stack of whoever walks through it. */
const maximumDepth = 1000;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

interface Observed extends KubeObject {
  readonly status?: Json | undefined;
}

/** No version has this name. */
const bareStatus = '.status';

/** An object without what earlier conversions kept in it, and that. */
export interface Taken {
  readonly object: KubeObject;
  readonly data: ConversionData;
  /** Whether there was something that no conversion can have kept. It is taken for nothing. */
  readonly isForeign: boolean;
}

export function takeData(object: KubeObject): Taken {
  const { status, ...rest } = object as Observed;
  if (!isRecord(status) || !Object.hasOwn(status, dataField)) return { object, data: {}, isForeign: false };
  const { [dataField]: text, ...others } = status;
  const found = dataIn(text);
  const { [bareStatus]: bare, ...data } = found ?? {};
  // A status that was empty, or null, is so again.
  const isBare = found !== undefined && Object.hasOwn(found, bareStatus);
  const left = Object.keys(others).length > 0 ? others : isBare ? (bare === null ? null : {}) : undefined;
  return {
    object: { ...rest, ...(left !== undefined && { status: left }) } as KubeObject,
    data,
    isForeign: found === undefined,
  };
}

function dataIn(text: unknown): ConversionData | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    const data: unknown = JSON.parse(text);
    return isRecord(data) && !isDeeper(data, maximumDepth) ? data : undefined;
  } catch {
    // Whoever may write a status may write anything there, and one bad object must not make a list of all of them fail.
    return undefined;
  }
}

/** The same object with this data kept in its status; the object itself where there is none. */
export function withData(object: KubeObject, data: ConversionData): KubeObject {
  if (Object.keys(data).length === 0) return object;
  if (isDeeper(data, maximumDepth)) {
    throw new KilterError(
      'CRD_CONVERSION_FAILED',
      `data that the target version cannot hold is nested deeper than ${maximumDepth} levels`,
      { cure: 'give the older version fields for it, or stop serving that version' },
    );
  }
  const { status } = object as Observed;
  const others = isRecord(status) ? status : {};
  const isBare = status !== undefined && Object.keys(others).length === 0;
  const kept = isBare ? { ...data, [bareStatus]: isRecord(status) ? {} : null } : data;
  return { ...object, status: { ...others, [dataField]: canonicalText(kept) } } as KubeObject;
}

/** A short text that equal values share and others hardly ever do (FNV-1a, twice from different starts). */
export function fingerprint(value: unknown): string {
  const text = canonicalText(value);
  const hash = (start: number): string => {
    let state = start;
    for (let i = 0; i < text.length; i++) state = Math.imul(state ^ text.charCodeAt(i), 0x01000193);
    return (state >>> 0).toString(36);
  };
  return `${hash(0x811c9dc5)}.${hash(0x2b9f5e31)}`;
}
