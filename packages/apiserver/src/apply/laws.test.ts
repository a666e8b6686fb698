import type { Json, JsonObject } from 'kilter/api';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { ApplyError } from './apply-error.ts';
import { applyPatch } from './apply-patch.ts';
import { FieldSet } from './field-set.ts';
import { decodeManagers, managedFieldsOf, withoutManagers } from './managers.ts';
import { fieldSetOf } from './owned-fields.ts';
import { trackUpdate } from './track-update.ts';
import { typeOf } from './type.ts';
import { withoutUntracked } from './write.ts';

const text: Schema = { type: 'string' };
const schema: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    kind: text,
    metadata: { type: 'object', properties: { name: text, labels: { type: 'object', additionalProperties: text } } },
    spec: {
      type: 'object',
      properties: {
        image: text,
        env: {
          type: 'array',
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: { type: 'object', properties: { name: text, value: text, note: text } },
        },
        hosts: { type: 'array', 'x-kubernetes-list-type': 'set', items: text },
        args: { type: 'array', items: text },
        settings: { type: 'object', additionalProperties: { type: 'object', additionalProperties: text } },
        free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
      },
    },
  },
};
const type = typeOf(schema);

const word = fc.constantFrom('a', 'b', 'c');
const words = fc.dictionary(word, word, { minKeys: 1 });
const spec = fc.record(
  {
    image: word,
    env: fc.uniqueArray(
      fc
        .tuple(word, fc.record({ value: word, note: word }, { requiredKeys: [] }))
        .map(([name, rest]) => ({ name, ...rest })),
      { selector: ({ name }) => name, minLength: 1 },
    ),
    hosts: fc.uniqueArray(word, { minLength: 1 }),
    args: fc.array(word, { minLength: 1 }),
    settings: fc.dictionary(word, words, { minKeys: 1 }),
    free: fc.dictionary(word, fc.oneof(word, fc.array(word, { minLength: 1 }), words), { minKeys: 1 }),
  },
  { requiredKeys: [] },
);
const configuration = fc
  .record({ labels: words, spec: spec.filter((fields) => Object.keys(fields).length > 0) })
  .map(({ labels, spec: fields }): JsonObject => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name: 'w', labels },
    spec: fields as JsonObject,
  }));
const manager = fc.constantFrom('m1', 'm2', 'm3');
const step = fc.record({ manager, applied: configuration, force: fc.boolean(), update: fc.boolean() });
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const write = { schema, apiVersion: 'example.com/v1', now: '2030-01-01T00:00:00Z' };

/** The stored object after a step: an apply that conflicts changes nothing, nor does one that validation refuses. */
function after(live: JsonObject | undefined, { manager: name, applied, force, update }: Step): JsonObject | undefined {
  if (update) return trackUpdate({ ...write, live, manager: name, updated: applied });
  try {
    const { object } = applyPatch({ ...write, live, manager: name, applied, force });
    return JSON.stringify(object).includes('null') ? live : object;
  } catch (error) {
    if (error instanceof ApplyError && error.kind === 'conflict') return live;
    throw error;
  }
}

const history = fc.array(step, { maxLength: 5 }).map((steps) => steps.reduce<JsonObject | undefined>(after, undefined));

const ownedBy = (object: JsonObject | undefined, name: string): FieldSet =>
  [...(decodeManagers(managedFieldsOf(object)) ?? [])]
    .filter(([, entry]) => entry.manager === name && entry.operation === 'Apply')
    .reduce((set, [, entry]) => set.union(entry.fields), FieldSet.empty);
const claimsOf = (applied: JsonObject): FieldSet => withoutUntracked(fieldSetOf(applied, type));
const exists = (object: JsonObject): FieldSet => fieldSetOf(withoutManagers(object), type);

describe('whatever was written before', () => {
  test('API-S7: applying the same configuration twice is a no-op the second time', () => {
    fc.assert(
      fc.property(history, configuration, (live, applied) => {
        const once = applyPatch({ ...write, live, manager: 'm1', applied, force: true }).object;
        const twice = applyPatch({
          ...write,
          live: once,
          manager: 'm1',
          applied,
          force: false,
          now: '2031-01-01T00:00:00Z',
        });
        expect(twice.changed).toBe(false);
        expect(twice.object).toBe(once);
      }),
    );
  });

  test('API-S5: after a forced apply its manager owns every leaf of the configuration, and nothing else', () => {
    fc.assert(
      fc.property(history, configuration, (live, applied) => {
        const { object } = applyPatch({ ...write, live, manager: 'm1', applied, force: true });
        expect(ownedBy(object, 'm1').equals(claimsOf(applied))).toBe(true);
        expect(claimsOf(applied).leaves().difference(exists(object)).isEmpty).toBe(true);
      }),
    );
  });

  test('API-S5: an apply without force fails, or takes nothing from anybody', () => {
    fc.assert(
      fc.property(history, configuration, (live, applied) => {
        const next = after(live, { manager: 'm1', applied, force: false, update: false });
        for (const other of ['m2', 'm3']) expect(ownedBy(next, other).equals(ownedBy(live, other))).toBe(true);
      }),
    );
  });

  test('API-S5: an applier that leaves everything out takes along what it alone brought', () => {
    const nothing: JsonObject = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } };
    fc.assert(
      fc.property(configuration, configuration, (first, second) => {
        const live = applyPatch({ ...write, manager: 'm1', applied: first, force: false }).object;
        const both = after(live, { manager: 'm2', applied: second, force: false, update: false });
        const back = applyPatch({ ...write, live: both, manager: 'm2', applied: nothing, force: false }).object;
        expect(exists(back).equals(exists(live))).toBe(true);
        expect(managersOf(back)).toEqual(['m1']);
      }),
    );
  });

  test('API-S4: every leaf of an object that was tracked from its creation has an owner', () => {
    fc.assert(
      fc.property(history, (live) => {
        if (live === undefined) return;
        const owned = [...(decodeManagers(managedFieldsOf(live)) ?? [])].reduce(
          (set, [, { fields }]) => set.union(fields),
          FieldSet.empty,
        );
        expect(withoutUntracked(exists(live).leaves()).difference(owned).isEmpty).toBe(true);
        expect(owned.leaves().difference(exists(live).union(everyNode(live))).isEmpty).toBe(true);
      }),
    );
  });
});

const managersOf = (object: JsonObject): Json[] =>
  ((managedFieldsOf(object) ?? []) as JsonObject[]).map((entry) => entry['manager'] ?? null);

/** Declared fields too, which updates own. */
const everyNode = (object: JsonObject): FieldSet =>
  FieldSet.of([...exists(object).paths()].flatMap((path) => path.map((_, end) => path.slice(0, end + 1))));
