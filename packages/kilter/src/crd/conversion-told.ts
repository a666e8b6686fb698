import { kindLabel, type KindNames, type KubeObject, type ObjectMeta } from '../api/index.ts';
import { inWords } from '../errors/index.ts';
import type { ConversionReport } from './conversion-object.ts';

/** For this many objects it is remembered what was reported; beyond that, the oldest may be reported again. */
const most = 10_000;

/** By kind and object, what was reported of it last: a server reads the same object thousands of times. */
const told = new WeakMap<object, Map<string, string>>();

export interface Telling {
  readonly names: KindNames;
  /** Where it goes. Default: a warning of the process, on its standard error. */
  readonly logger?: { warn(message: string): void } | undefined;
}

function nameOf({ metadata }: KubeObject): { readonly id: string; readonly where: string } {
  const { name = '', namespace = '', uid } = (metadata as Partial<ObjectMeta> | undefined) ?? {};
  const where = namespace === '' ? name : `${namespace}/${name}`;
  return { id: uid ?? where, where };
}

/** Says once per object and topic what happened to it, and again when that changes. */
function tell(kind: Telling, object: KubeObject, { topic, text }: { topic: string; text: string }): void {
  const known = told.get(kind.names) ?? new Map<string, string>();
  told.set(kind.names, known);
  const { id, where } = nameOf(object);
  const key = `${topic} ${id}`;
  if (known.get(key) === text) return;
  known.delete(key);
  known.set(key, text);
  for (const oldest of known.keys()) {
    if (known.size <= most) break;
    known.delete(oldest);
  }
  const message = `${kindLabel(kind.names)} "${where}": ${text}`;
  const { logger } = kind;
  if (logger === undefined) process.emitWarning(message, 'KilterWarning');
  else undisturbed(() => logger.warn(message));
}

/** A listener that throws must not change how an object is served, nor those beside it. */
export function undisturbed(listener: () => void): void {
  try {
    listener();
  } catch (error) {
    process.emitWarning(`a listener of conversions threw: ${inWords(error)}`, 'KilterWarning');
  }
}

/** Kept data that did not come back: one line for an object, however many parts and reads. */
export function tellDropped(kind: Telling, object: KubeObject, reports: readonly ConversionReport[]): void {
  for (const [version, faults] of Map.groupBy(reports, (report) => report.version)) {
    const parts = faults.map(({ path, message }) => `${path} ${message}`).join('; ');
    const cure = `Was status.conversionData written by hand, or the schema of ${version} tightened? Set the fields again in ${version}.`;
    tell(kind, object, { topic: version, text: `hidden data cannot be restored in ${version}: ${parts}. ${cure}` });
  }
}

/** An object that is served without its spec. */
export function tellUnconverted(kind: Telling, object: KubeObject, error: unknown): void {
  const text = `cannot be converted, and is served without its spec: ${inWords(error)}`;
  tell(kind, object, { topic: 'unconverted', text });
}
