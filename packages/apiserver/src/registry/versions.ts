import { apiVersionOf, type JsonObject } from 'kilter/api';
import type { OtherVersion } from '../apply/index.ts';
import type { Served } from '../kinds/index.ts';
import { clone, textIn } from '../values/index.ts';
import { converted, type Core } from './core.ts';

/** The versions a kind is known in, for managers that wrote in another than the one that is written to now. */
export function versionsOf(core: Core, { bucket }: Served): ReadonlyMap<string, OtherVersion> {
  const stored = core.catalog.storedIn(bucket);
  const served = core.catalog.all().filter((one) => one.bucket === bucket);
  const forms = new Map([...served, ...(stored === undefined ? [] : [stored])].map((one) => [nameOf(one), one]));
  const convertTo = (target: Served) => (object: JsonObject) => {
    const source = forms.get(textIn(object, 'apiVersion'));
    if (source === undefined || source === target) return object;
    if (target.webhook !== undefined) return target.fromStored(converted(core, target, clone(object)));
    return target.fromStored(source.toStored(clone(object)));
  };
  return new Map(
    [...forms].map(([name, one]) => [name, { schema: one.definition.schema, convert: convertTo(one) }] as const),
  );
}

const nameOf = ({ definition }: Served): string => apiVersionOf(definition);
