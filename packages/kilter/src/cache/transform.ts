import { inWords } from '../errors/index.ts';
import { isPromise } from '../internal/index.ts';
import { apiVersionOf, type KindNames, type KubeObject, withoutNulls } from '../api/index.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a user makes of an object before it is kept: returned, or changed in place. */
export type Transform<T extends KubeObject = KubeObject> = (object: T) => T | void;

/** A transform did not give back the object it was given. */
export class TransformProblem extends Error {
  override readonly name = 'TransformProblem';
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Without these the object would be another one, or of another version. */
const identity = ['name', 'namespace', 'uid', 'resourceVersion'] as const;

/** Lets a function cut an object down. managedFields are not shown to it, and not lost. Throws; `raw` is used up. */
export function transformed(raw: Fields, names: KindNames, transform: Transform): Fields {
  const { managedFields, ...metadata } = raw['metadata'] as Fields;
  const type = { apiVersion: apiVersionOf(names), kind: names.kind };
  const before = identity.map((field) => metadata[field]);
  const given = withoutNulls({ ...raw, ...type, metadata }) as unknown as KubeObject;
  const returned: unknown = transform(given) ?? given;
  if (isPromise(returned)) throw new TransformProblem('the transform returned a promise: it must not be async');
  if (!isFields(returned) || !isFields(returned['metadata'])) {
    throw new TransformProblem('the transform returned something that is not an object with metadata');
  }
  const after = returned['metadata'];
  const changed = identity.find((field, at) => after[field] !== before[at]);
  if (changed !== undefined) throw new TransformProblem(`the transform changed metadata.${changed}`);
  return { ...returned, metadata: { ...after, ...(managedFields !== undefined && { managedFields }) } };
}

/** In words, for the log: an object that cannot be transformed is not kept as it came. */
export function transformProblem(error: unknown): string {
  if (error instanceof TransformProblem) return error.message;
  return `the transform failed: ${inWords(error)}`;
}
