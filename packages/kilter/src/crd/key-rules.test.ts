import { expect, test } from 'vitest';
import { z } from 'zod';
import { customResource } from './index.ts';

test('CRD-A10: keys that no rule can see, for want of a type of the values, with the schema of the keys as the reason', () => {
  for (const values of [z.any(), z.array(z.unknown()), z.record(z.string(), z.any())]) {
    const kind = customResource({
      group: 'example.com',
      version: 'v1',
      kind: 'Thing',
      spec: z.object({ x: z.record(z.string().regex(/^a/), values) }),
    });
    expect(kind.warnings).toEqual([
      {
        code: 'CRD_SCHEMA_DISAGREES',
        path: 'spec.x',
        message:
          'the schema of its keys (k.matches("^a")) cannot be expressed for the server, since its values have no type',
        cure: 'give the values a type, or take keys of any kind: z.record(z.string(), …)',
      },
    ]);
    expect(() => kind.build({ name: 'x', spec: { x: { b: [] } } as never })).toThrow('CRD_OBJECT_INVALID');
  }
});
