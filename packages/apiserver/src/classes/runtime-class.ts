// RuntimeClass: what running a pod costs by itself, and where it can run. Pure.
import type { JsonObject } from 'kilter/api';
import { clone, objectIfIn, objectIn, objectsIn, sameValue, textIn, textOf } from '../values/index.ts';
import { mergedTolerations } from './tolerations.ts';

export type Outcome = { readonly refused: string } | { readonly pod: JsonObject };

const overheadOf = (runtimeClass: JsonObject | undefined): JsonObject | undefined => {
  const overhead = objectIfIn(runtimeClass ?? {}, 'overhead');
  return overhead && (objectIfIn(overhead, 'podFixed') ?? {});
};

const mismatch = "pod rejected: Pod's Overhead doesn't match RuntimeClass's defined Overhead";

/** The pod as its class makes it. */
export function ofClass(given: JsonObject, runtimeClass: JsonObject): Outcome {
  const pod = clone(given);
  const spec = objectIn(pod, 'spec');
  const overhead = overheadOf(runtimeClass);
  const said = objectIfIn(spec, 'overhead') ?? {};
  if (overhead !== undefined) {
    if (Object.keys(said).length > 0 && !sameValue(said, overhead)) return { refused: mismatch };
    spec['overhead'] = clone(overhead);
  }
  const scheduling = objectIfIn(runtimeClass, 'scheduling');
  if (scheduling === undefined) return { pod };
  const selector = objectIfIn(spec, 'nodeSelector') ?? {};
  const wanted = Object.entries(objectIfIn(scheduling, 'nodeSelector') ?? {});
  const conflict = wanted.find(([key, value]) => Object.hasOwn(selector, key) && selector[key] !== value);
  if (conflict !== undefined) {
    const [key, value] = conflict;
    const own = `pod.spec.nodeSelector[${key}] = ${textIn(selector, key)}`;
    return { refused: `conflict: runtimeClass.scheduling.nodeSelector[${key}] = ${textOf(value)}; ${own}` };
  }
  if (wanted.length > 0) spec['nodeSelector'] = { ...selector, ...Object.fromEntries(wanted) };
  const tolerations = mergedTolerations(objectsIn(spec, 'tolerations'), clone(objectsIn(scheduling, 'tolerations')));
  if (tolerations.length > 0) spec['tolerations'] = tolerations;
  return { pod };
}

/** Why a pod does not fit its class after everybody has changed it. */
export function unfitness(pod: JsonObject, runtimeClass: JsonObject | undefined): string | undefined {
  const said = objectIfIn(objectIfIn(pod, 'spec') ?? {}, 'overhead');
  const overhead = overheadOf(runtimeClass);
  if (overhead !== undefined) return sameValue(said ?? {}, overhead) ? undefined : mismatch;
  return said === undefined
    ? undefined
    : 'pod rejected: Pod Overhead set without corresponding RuntimeClass defined Overhead';
}
