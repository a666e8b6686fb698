import { FieldSet } from './field-set.ts';
import type { Managers } from './managers.ts';
import type { PathElement } from './path-element.ts';
import type { Type } from './type.ts';
import type { Endpoint } from './write.ts';

/**
 * The set as it reads under a schema that changed after it was written: where a list or map was owned in parts and is
 * atomic now, its owner owns it whole. The other direction needs nothing.
 */
export function underSchema(fields: FieldSet, type: Type): FieldSet {
  const members = new Set(fields.members);
  const children = new Map<PathElement, FieldSet>();
  for (const [element, set] of fields.children) {
    const inner = typeBelow(type, element);
    if (inner === undefined) children.set(element, set);
    else if (isAtomic(inner)) members.add(element);
    else children.set(element, underSchema(set, inner));
  }
  return new FieldSet(members, children);
}

/** Each set under the schema of its own version; those of an unknown version stay, to be dropped by the next change. */
export function managersUnder(managers: Managers, endpoint: Pick<Endpoint, 'inVersion'>): Managers {
  return new Map(
    [...managers].map(([identity, entry]) => {
      const type = endpoint.inVersion(entry.apiVersion)?.type;
      return [identity, type === undefined ? entry : { ...entry, fields: underSchema(entry.fields, type) }];
    }),
  );
}

function typeBelow(type: Type, element: PathElement): Type | undefined {
  if (type.map) return type.map.untyped || !element.startsWith('f:') ? undefined : type.map.field(element.slice(2));
  return type.scalar ? undefined : type.list?.item();
}

const isAtomic = ({ map, scalar, list }: Type): boolean =>
  map ? map.atomic && !map.untyped : scalar === undefined && list?.atomic === true;
