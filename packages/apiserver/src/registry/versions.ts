import { apiVersionOf, type JsonObject } from 'kilter/api';
import { ApplyError, type OtherVersion } from '../apply/index.ts';
import type { Served } from '../kinds/index.ts';
import { clone, textIn } from '../values/index.ts';
import { needsWebhook } from './conversions.ts';
import { converted, type Core } from './core.ts';

/**
 * The versions a kind is known in, for managers that wrote in another than the one that is written to now. What cannot be converted
 * fails an apply; an update goes untracked.
 */
export function versionsOf(
  core: Core,
  { bucket }: Served,
  use: 'apply' | 'update' = 'apply',
): ReadonlyMap<string, OtherVersion> {
  const convertedFor = use === 'apply' ? converted : convertedOrUntracked;
  const stored = core.catalog.storedIn(bucket);
  const served = core.catalog.all().filter((one) => one.bucket === bucket);
  const forms = new Map([...served, ...(stored === undefined ? [] : [stored])].map((one) => [nameOf(one), one]));
  const convertTo = (target: Served) => (object: JsonObject) => {
    const source = forms.get(textIn(object, 'apiVersion'));
    if (source === undefined || source === target) return object;
    // Fields that the other version does not know stay: whether it can be compared there is for its schema to say.
    if (target.definition.custom) return { ...convertedFor(core, target, clone(object)), apiVersion: nameOf(target) };
    return target.fromStored(source.toStored(clone(object)));
  };
  return new Map(
    [...forms].map(([name, one]) => [name, { schema: one.definition.schema, convert: convertTo(one) }] as const),
  );
}

function convertedOrUntracked({ conversions }: Core, target: Served, object: JsonObject): JsonObject {
  if (!needsWebhook(target, object)) return object;
  const found = conversions.convertIfPossible(target, object);
  if (found !== undefined) return found;
  throw new ApplyError(`failed to convert the object to ${nameOf(target)}`, { kind: 'invalid' });
}

const nameOf = ({ definition }: Served): string => apiVersionOf(definition);
