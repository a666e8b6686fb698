import fc from 'fast-check';
import type { Json, JsonObject } from 'kilter/api';
import { expect, test } from 'vitest';
import { structuralProblems } from '../structural/structural-problems.ts';
import type { Schema } from '../values/schema.ts';
import { applyDefaults } from './defaults.ts';
import { prune, unknownFields } from './prune.ts';
import { validate } from './validate.ts';

const names = fc.constantFrom('a', 'b', 'c', '__proto__');

const { schema } = fc.letrec<{ schema: Schema; object: Schema; list: Schema; map: Schema; scalar: Schema }>((tie) => ({
  schema: fc.oneof({ maxDepth: 4, depthSize: 'small' }, tie('scalar'), tie('object'), tie('list'), tie('map')),
  scalar: fc.oneof(
    fc.record(
      { type: fc.constant('string' as const), default: fc.constantFrom('x', 'y'), nullable: fc.boolean() },
      { requiredKeys: ['type'] },
    ),
    fc.record(
      { type: fc.constant('integer' as const), default: fc.nat(3), maximum: fc.nat(5) },
      { requiredKeys: ['type'] },
    ),
    fc.constant<Schema>({ 'x-kubernetes-int-or-string': true }),
  ),
  object: fc.record(
    {
      type: fc.constant('object' as const),
      properties: fc.dictionary(names, tie('schema')),
      'x-kubernetes-preserve-unknown-fields': fc.constant(true),
      nullable: fc.boolean(),
      default: fc.constant<JsonObject>({}),
    },
    { requiredKeys: ['type', 'properties'] },
  ),
  list: fc.record(
    {
      type: fc.constant('array' as const),
      items: tie('schema'),
      'x-kubernetes-list-type': fc.constant('set' as const),
    },
    { requiredKeys: ['type', 'items'] },
  ),
  map: fc.record({ type: fc.constant('object' as const), additionalProperties: tie('schema') }),
}));

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    fc.constantFrom<Json>('x', 'y', 1, 2, true, null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(names, tie('value')),
  ),
})).value;

const root = fc.dictionary(names, schema).map((properties): Schema => ({ type: 'object', properties }));
const object = fc.dictionary(names, json);

function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

test('pruned once is pruned for good, and nothing unknown is left', () => {
  fc.assert(
    fc.property(root, object, (rootSchema, value) => {
      const { value: pruned } = prune(frozen(value), rootSchema);
      expect(prune(pruned, rootSchema)).toEqual({ value: pruned, unknown: [] });
    }),
  );
});

test('pruning only takes away: each path it names was there, and no other value changed', () => {
  fc.assert(
    fc.property(root, object, (rootSchema, value) => {
      const { value: pruned, unknown } = prune(value, rootSchema);
      expect(unknown).toEqual([...new Set(unknown)].sort());
      if (unknown.length === 0) expect(pruned).toBe(value);
      else expect(pruned).not.toEqual(value);
    }),
  );
});

test('defaults twice are defaults once', () => {
  fc.assert(
    fc.property(root, object, (rootSchema, value) => {
      const once = applyDefaults(frozen(value), rootSchema);
      expect(applyDefaults(once, rootSchema)).toEqual(once);
    }),
  );
});

test('defaults add nothing unknown to what was pruned', () => {
  fc.assert(
    fc.property(root, object, (rootSchema, value) => {
      const filled = applyDefaults(prune(value, rootSchema).value, rootSchema);
      expect(prune(filled, rootSchema).unknown).toEqual([]);
    }),
  );
});

test('an update to the same object has no problem the schema alone would have found', () => {
  fc.assert(
    fc.property(root, object, (rootSchema, spec) => {
      const schemaOfSpec: Schema = { type: 'object', properties: { spec: rootSchema } };
      const value = { spec: prune(spec, rootSchema).value };
      expect(validate(frozen(value), schemaOfSpec, { old: value })).toEqual([]);
    }),
  );
});

test('no value and no schema make the judges fail', () => {
  fc.assert(
    fc.property(fc.anything(), object, (anything, value) => {
      expect(Array.isArray(structuralProblems(anything))).toBe(true);
      expect(Array.isArray(unknownFields(value, { type: 'object', properties: { a: { type: 'object' } } }))).toBe(true);
    }),
  );
});
