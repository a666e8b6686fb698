import type { JsonObject } from 'kilter/api';
import { objectIfIn, objectsIn, textIn } from '../values/index.ts';
import { mostOf, type ResourceList, resourcesIn, sumOf } from './resource-list.ts';

type Sort = 'requests' | 'limits';

const nothing: ResourceList = new Map();
const ofContainer = (container: JsonObject, sort: Sort): ResourceList =>
  resourcesIn(objectIfIn(container, 'resources'), sort);

/**
 * What the containers need together. Those that initialize run one after the other before the rest, so that the neediest of
 * them counts; those of them that go on running count like the rest, and beside each that follows.
 */
function ofContainers(spec: JsonObject, sort: Sort): ResourceList {
  let running = nothing;
  for (const container of objectsIn(spec, 'containers')) running = sumOf(running, ofContainer(container, sort));
  let sidecars = nothing;
  let initial = nothing;
  for (const container of objectsIn(spec, 'initContainers')) {
    const own = ofContainer(container, sort);
    if (textIn(container, 'restartPolicy') === 'Always') {
      running = sumOf(running, own);
      sidecars = sumOf(sidecars, own);
      initial = mostOf(initial, sidecars);
    } else initial = mostOf(initial, sumOf(own, sidecars));
  }
  return mostOf(running, initial);
}

/** What may be said of a pod as a whole. */
const ofPods = new Set(['cpu', 'memory']);

/**
 * What a pod asks for, or may use at the most. A quota counts in what running it costs by itself, and knows of large pages for
 * the whole pod; a range does neither.
 */
export function podResources(spec: JsonObject, sort: Sort, by: 'quota' | 'range'): ResourceList {
  const total = new Map(ofContainers(spec, sort));
  for (const [name, amount] of resourcesIn(objectIfIn(spec, 'resources'), sort)) {
    if (ofPods.has(name) || (by === 'quota' && name.startsWith('hugepages-'))) total.set(name, amount);
  }
  if (by === 'range') return total;
  const extra = [...resourcesIn(spec, 'overhead')];
  const counted = sort === 'requests' ? extra : extra.filter(([name]) => (total.get(name)?.unscaled ?? 0n) !== 0n);
  return sumOf(total, new Map(counted));
}
