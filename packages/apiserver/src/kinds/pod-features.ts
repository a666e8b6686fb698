// Fields of a Pod that a server leaves out as it comes: their features are not switched on.
import type { JsonObject } from 'kilter/api';
import { objectIfIn, objectsIn } from '../values/index.ts';

/** Takes them away from the spec that is at this place of an object, if there is one. */
export function dropUnserved(object: JsonObject, path: readonly string[]): void {
  const spec = path.reduce<JsonObject | undefined>((owner, field) => objectIfIn(owner ?? {}, field), object);
  if (spec === undefined) return;
  for (const container of ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsIn(spec, list),
  ))
    delete objectIfIn(container, 'lifecycle')?.['stopSignal'];
  for (const volume of objectsIn(spec, 'volumes')) {
    for (const source of objectsIn(objectIfIn(volume, 'projected') ?? {}, 'sources')) {
      delete source['clusterTrustBundle'];
      delete source['podCertificate'];
    }
  }
}
