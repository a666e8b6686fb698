import { matchedByKey } from './metadata.ts';
import type { Site } from './normalize.ts';
import { intOrString, markOf, propertyOf, type Structural } from './structural.ts';

/** What the server demands of lists whose items it knows one by one. */
export function checkList(schema: Structural, site: Site): void {
  const { items } = schema;
  checkMatched(schema, refusal(site));
  const listType = schema['x-kubernetes-list-type'];
  if (items === undefined || (listType !== 'map' && listType !== 'set')) return;
  const refuse = refusal(site);
  if (items.nullable === true) refuse(`items of a list ${listType} cannot be null`, 'leave .nullable() out');
  if (listType === 'set') checkSet(items, refuse);
  else checkKeys(schema['x-kubernetes-list-map-keys'] ?? [], items, refuse);
}

type Refuse = (message: string, cure?: string) => void;

function refusal({ path, findings }: Site): Refuse {
  return (message, cure) => findings.refuse({ code: 'CRD_LIST_KEYS', path, message, cure });
}

/** What conversions tell items apart by is there, and plain. */
function checkMatched(schema: Structural, refuse: Refuse): void {
  const keys = markOf(schema, matchedByKey) as readonly string[] | undefined;
  if (keys === undefined) return;
  if (schema.items === undefined) return refuse('has matchedBy(), but is not a list', 'put it on the list');
  if (keys.length === 0) refuse('matchedBy() names no field', "use matchedBy('name')");
  for (const key of keys) {
    const property = propertyOf(schema.items, key);
    if (property === undefined) refuse(`matchedBy() names "${key}", which is not a field of the items`);
    else if (!scalars.has(property.type ?? '') && property[intOrString] !== true)
      refuse(`matchedBy() names "${key}", which is not a plain value`);
  }
}

function checkSet(items: Structural, refuse: Refuse): void {
  const isAtomicObject = items['x-kubernetes-map-type'] === 'atomic';
  if (items.type === 'object' && !isAtomicObject) {
    refuse('items of a set are objects that apply merges by field', 'use listMap(key), or atomic() on the items');
  }
  const inner = items['x-kubernetes-list-type'];
  if (items.type === 'array' && inner !== undefined && inner !== 'atomic') {
    refuse('items of a set are lists that apply merges', 'use listAtomic() on the items');
  }
}

function checkKeys(keys: readonly string[], items: Structural, refuse: Refuse): void {
  if (items.type !== 'object') return refuse('items of a list map must be objects', 'use listSet() for plain values');
  if (keys.length === 0) refuse('a list map needs a key', "use listMap('name')");
  for (const key of new Set(keys)) {
    const property = propertyOf(items, key);
    if (keys.filter((other) => other === key).length > 1) refuse(`the key "${key}" is named twice`);
    if (property === undefined) refuse(`the key "${key}" is not a field of the items`);
    else checkKey(key, property, { items, refuse });
  }
}

const scalars = new Set(['string', 'integer', 'number', 'boolean']);

function checkKey(key: string, property: Structural, { items, refuse }: { items: Structural; refuse: Refuse }): void {
  if (!scalars.has(property.type ?? '') && property[intOrString] !== true) refuse(`the key "${key}" is not a scalar`);
  if (property.nullable === true) refuse(`the key "${key}" may be null`, 'leave .nullable() out');
  const isGiven = items.required?.includes(key) === true || property.default !== undefined;
  if (!isGiven) refuse(`the key "${key}" is optional and has no default`, 'make it required, or give it a default');
}
