// Which members Go writes as null: lists and maps that are nil and not left out, times that are zero, pointers to nothing.
import type { SchemaFact } from './facts.ts';
import type { GoField } from './go-source.ts';
import type { NullFact } from './members.ts';

const isTime = /^(?:\w+\.)?(?:Micro)?Time$/;
const isRaw = /^runtime\.RawExtension$/;

export function nullFactOf({ type, options }: GoField, schema: SchemaFact, required: boolean): NullFact | undefined {
  // A zero time was written as null before it could be left out; older servers still do.
  if (isTime.test(type)) return required ? 'null' : 'gone';
  if (options.includes('omitempty') || options.includes('omitzero')) {
    return isRaw.test(type) && !required ? 'gone' : undefined;
  }
  if (schema.type === 'array') return 'list';
  if (schema.type === 'object' && type.startsWith('map[')) return 'map';
  // What is required and not a list is checked before it is stored; what has a default is never nil.
  const canBeNil = (type.startsWith('*') && schema.default === undefined) || type === '[]byte' || isRaw.test(type);
  return canBeNil && !required ? 'gone' : undefined;
}
