import { apiVersionOf, type JsonObject } from 'kilter/api';
import { decodeChanged, identified } from '../decoding/index.ts';
import type { ResourceDefinition, Served } from '../kinds/index.ts';
import { internalError } from '../status/index.ts';
import { clone } from '../values/index.ts';
import type { AdmissionView } from './admission-step.ts';
import { withConversions } from './conversions.ts';
import { converted, type Core, keyOf, prefixOf, show } from './core.ts';

function stored(core: Core, group: string, plural: string): Served | undefined {
  return core.catalog.storedIn(`${group}/${plural}`);
}

/** An object between two versions, by the form both are stored in. */
function between(core: Core, from: Served, to: Served): (object: JsonObject) => JsonObject {
  return (object) => {
    if (to.webhook !== undefined) return to.fromStored(converted(core, to, object));
    return {
      ...to.fromStored(from.toStored(object)),
      kind: to.definition.kind,
      apiVersion: apiVersionOf(to.definition),
    };
  };
}

async function convert(core: Core, object: JsonObject, forms: { from: Served; to: Served }): Promise<JsonObject> {
  const { from, to } = forms;
  if (from === to) return object;
  const change = between(core, from, to);
  return withConversions(core.conversions, () => change(clone(object)));
}

/** Built-in kinds fill in what is missing, custom resources what their schema says. */
function settle(object: JsonObject, resource: ResourceDefinition): JsonObject {
  const { value, problem } = decodeChanged(object, resource);
  if (problem !== undefined) throw internalError(problem);
  const whole = identified(value, resource);
  return resource.strategy.defaults?.(whole) ?? whole;
}

/** What those may look up who are asked about a change. */
export function viewOf(core: Core, storeStatus: AdmissionView['storeStatus']): AdmissionView {
  const { catalog, storage } = core;
  return {
    objects: (group, plural, namespace) => {
      const served = stored(core, group, plural);
      if (served === undefined) return [];
      return storage.list(served.bucket, prefixOf(served, namespace)).map((one) => show(core, served, one));
    },
    object: ({ group, plural }, name, namespace) => {
      const served = stored(core, group, plural);
      const found = served && storage.read(served.bucket, keyOf(served, namespace, name));
      return served && found && show(core, served, found);
    },
    kinds: () => catalog.resources(),
    equivalents: (resource) => {
      const bucket = catalog.of(resource)?.bucket;
      const all = catalog.all().filter((one) => one.bucket === bucket);
      return all.map(({ definition }) => definition);
    },
    convert: (object, from, to) => {
      const [source, target] = [catalog.of(from), catalog.of(to)];
      if (source === undefined || target === undefined)
        return Promise.reject(internalError(`unable to convert to ${apiVersionOf(to)}: unknown kind`));
      return convert(core, object, { from: source, to: target });
    },
    storeStatus,
    authority: core.authority,
    now: () => core.clock.now(),
    settle,
  };
}
