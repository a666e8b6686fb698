import { deepEqual } from '../internal/index.ts';
import { preserve, type Structural, valuesOf } from './structural.ts';

/** Whether two specs have the same fields of the same types. Without a conversion the server prunes what one of them lacks. */
export function hasSameFields(one: Structural, other: Structural): boolean {
  return deepEqual(fields(one), fields(other));
}

function fields(schema: Structural): unknown {
  const values = valuesOf(schema);
  return {
    type: schema.type,
    nullable: schema.nullable,
    preserve: schema[preserve],
    properties:
      schema.properties &&
      Object.fromEntries(Object.entries(schema.properties).map(([name, part]) => [name, fields(part)])),
    items: schema.items && fields(schema.items),
    values: values && fields(values),
  };
}
