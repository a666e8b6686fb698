import type { KubeObject } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { canonicalText } from './canonical-text.ts';
import type { Delta } from './conversion-delta.ts';
import { isRecord } from './json-schema.ts';

/** Per version, what an object is to get back when it returns there. */
export type ConversionData = Readonly<Record<string, unknown>>;

/** What is kept for one version. */
export interface Kept {
  /** The version in which it found no place. */
  readonly in: string;
  /** Which spec the object was left with there: if it still has that one, nobody changed anything. */
  readonly of: string;
  readonly delta: Delta;
}

/** As much as the server takes for all annotations of an object, names and values together. */
const maximumAnnotations = 262_144;
/** Data nested deeper than this would exhaust the stack of whoever walks through it, and so fail a whole list. */
const maximumDepth = 1000;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

export function annotationOf(group: string): string {
  return `${group}/conversion-data`;
}

/**
 * What earlier conversions kept. An annotation that is no such data is taken for none: who may write the object may
 * write that, and one bad object must not make a list of all of them fail.
 */
export function readData(object: KubeObject, group: string): ConversionData {
  const text = object.metadata?.annotations?.[annotationOf(group)];
  if (text === undefined) return {};
  try {
    const data: unknown = JSON.parse(text);
    return isRecord(data) && !isDeeper(data, maximumDepth) ? data : {};
  } catch {
    return {};
  }
}

/** The same object with this data kept, or without the annotation where there is none. */
export function writeData(object: KubeObject, group: string, data: ConversionData): KubeObject {
  const key = annotationOf(group);
  const before = object.metadata?.annotations ?? undefined;
  const isEmpty = Object.keys(data).length === 0;
  if (isEmpty && (before === undefined || !Object.hasOwn(before, key))) return object;
  if (isDeeper(data, maximumDepth)) {
    throw new KilterError(
      'CRD_CONVERSION_FAILED',
      `what the target version cannot hold is nested deeper than ${maximumDepth} levels`,
      { cure: 'give the older version fields for it, or stop serving that version' },
    );
  }
  const { [key]: _old, ...others } = before ?? {};
  const annotations = isEmpty ? others : { ...others, [key]: canonicalText(data) };
  checkSize(annotations, key);
  const { annotations: _annotations, ...metadata } = object.metadata ?? {};
  const kept = Object.keys(annotations).length > 0 ? { annotations } : {};
  return { ...object, metadata: { ...metadata, ...kept } as KubeObject['metadata'] };
}

function checkSize(annotations: Readonly<Record<string, string>>, key: string): void {
  const bytes = (text: string): number => new TextEncoder().encode(text).length;
  const total = Object.entries(annotations).reduce((sum, [name, value]) => sum + bytes(name) + bytes(value), 0);
  if (total <= maximumAnnotations || annotations[key] === undefined) return;
  throw new KilterError(
    'CRD_CONVERSION_FAILED',
    `what the target version cannot hold takes ${bytes(annotations[key])} bytes, and all annotations together may have ${maximumAnnotations}`,
    { cure: 'give the older version fields for it, or stop serving that version' },
  );
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
