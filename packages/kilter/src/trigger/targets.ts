import type { NamedRef, Ref, Scope } from '../api/index.ts';
import { inShort, KilterError } from '../errors/index.ts';
import { isPromise } from '../internal/index.ts';

/** What a mapper may return: nothing, one object by name or reference, or several. */
export type Targets = Ref | undefined | null | readonly Ref[];

/** Where an answer is read: the scope of the kind it means, and the namespace at hand. */
export interface TargetPlace {
  readonly scope: Scope;
  readonly namespace: string | undefined;
}

function isList(targets: Ref | readonly Ref[]): targets is readonly Ref[] {
  return Array.isArray(targets);
}

/** The single answers of a mapper. */
export function eachTarget(targets: Targets): readonly Ref[] {
  if (targets === undefined || targets === null) return [];
  return isList(targets) ? targets : [targets];
}

function invalid(target: unknown, why: string): KilterError {
  return new KilterError('TRIGGER_TARGET_INVALID', `${inShort(target)} is not a reference: ${why}`);
}

/** A bare name means the namespace at hand; a cluster-scoped kind has none, whatever is given. */
export function targetRef(target: Ref, { scope, namespace }: TargetPlace): NamedRef {
  if (isPromise(target)) throw invalid(target, 'a mapper must not be async');
  const given: Partial<NamedRef> = typeof target === 'string' ? { name: target } : target;
  if (typeof given !== 'object' || given === null || typeof given.name !== 'string')
    throw invalid(target, 'it has no name');
  const { name } = given;
  if (name === '' || name.includes('/')) throw invalid(target, 'a name must not be empty or contain a slash');
  if (scope === 'Cluster') return { name };
  const found: unknown = given.namespace ?? namespace;
  if (found !== undefined && typeof found !== 'string') throw invalid(target, 'its namespace is not a string');
  if (found === undefined || found === '')
    throw invalid(target, 'it has no namespace, and there is none to use instead');
  return { namespace: found, name };
}
