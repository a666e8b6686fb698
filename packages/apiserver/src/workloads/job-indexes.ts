// The indexes of an Indexed Job: as its status tells them, and as its pods know theirs.
import type { JsonObject } from 'kilter/api';
import { isObject, objectsIn, setField } from '../values/index.ts';
import type { Pod } from './workload-objects.ts';

/** `0,2-4` as the numbers it means. */
export function parseIndexes(text = ''): Set<number> {
  const all = new Set<number>();
  for (const part of text.split(',').filter((one) => one !== '')) {
    const [first = Number.NaN, last = first] = part.split('-').map(Number);
    for (let index = first; index <= last; index += 1) all.add(index);
  }
  return all;
}

/** Numbers as `0,2-4`: two in a row are written apart, as the server writes them. */
export function indexesText(indexes: ReadonlySet<number>): string {
  const runs: [first: number, last: number][] = [];
  for (const index of [...indexes].filter((one) => one >= 0).toSorted((a, b) => a - b)) {
    const run = runs.at(-1);
    if (run !== undefined && run[1] === index - 1) run[1] = index;
    else runs.push([index, index]);
  }
  const text = ([first, last]: [number, number]): string => {
    if (first === last) return String(first);
    return `${first}${last === first + 1 ? ',' : '-'}${last}`;
  };
  return runs.map(text).join(',');
}

/** Which index a pod is for; undefined where it says none. */
export function podIndex({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.['batch.kubernetes.io/job-completion-index'];
  return text === undefined || !/^\d+$/.test(text) ? undefined : Number(text);
}

/** The spec of a pod whose containers can read its index, and whose host is named after it. */
export function completionIndexes(spec: JsonObject, key: string, hostname: string): JsonObject {
  const variable = {
    name: 'JOB_COMPLETION_INDEX',
    valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: `metadata.labels['${key}']` } },
  };
  const withIndex = (container: JsonObject): JsonObject => {
    const own = objectsIn(container, 'env');
    return own.some(({ name }) => name === variable.name) ? container : { ...container, env: [...own, variable] };
  };
  const changed: JsonObject = { hostname, ...spec };
  for (const list of ['containers', 'initContainers'])
    if (Array.isArray(spec[list])) setField(changed, list, spec[list].filter(isObject).map(withIndex));
  return changed;
}
