import { quote } from '../values/index.ts';
import { PatchError } from './patch-error.ts';

/** What a strategic merge patch needs to know of a schema: which lists are merged, and by which key. */
export interface PatchHints {
  /** `io.k8s.api.core.v1.PodSpec`: of a struct that has this name all fields are known. */
  readonly title?: string;
  readonly properties?: Readonly<Record<string, PatchHints>>;
  readonly items?: PatchHints;
  readonly additionalProperties?: PatchHints | boolean;
  /** `merge`, `replace`, `retainKeys` or two of them with a comma between. */
  readonly 'x-kubernetes-patch-strategy'?: string;
  readonly 'x-kubernetes-patch-merge-key'?: string;
}

/** The hints of one field; a field nobody described has none: its objects are merged, its lists replaced. */
export function hintsOf(hints: PatchHints, key: string): PatchHints {
  if (hints.properties !== undefined && Object.hasOwn(hints.properties, key)) return hints.properties[key] ?? {};
  return typeof hints.additionalProperties === 'object' ? hints.additionalProperties : {};
}

/** The hints of a list that a directive names: of a struct whose fields are known it has to be one of them. */
export function hintsOfNamed(hints: PatchHints, key: string): PatchHints {
  const { title, properties = {}, additionalProperties } = hints;
  if (typeof additionalProperties === 'object') {
    const problem = 'merging an object in json but data type is not struct, instead is: map';
    throw new PatchError('contradictory', problem);
  }
  const known = Object.keys(properties).some((name) => name.toLowerCase() === key.toLowerCase());
  if (title === undefined || known) return hintsOf(hints, key);
  const struct = title.split('.').at(-1) ?? '';
  throw new PatchError(
    'contradictory',
    `unable to find api field in struct ${struct} for the json field ${quote(key)}`,
  );
}

/** `retainKeys` only tells clients which patch to make; what the server does is the other word. */
export function hasStrategy(hints: PatchHints, strategy: 'merge' | 'replace'): boolean {
  return (hints['x-kubernetes-patch-strategy'] ?? '').split(',').includes(strategy);
}
