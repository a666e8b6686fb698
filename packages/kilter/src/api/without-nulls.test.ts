import { describe, expect, test } from 'vitest';
import { metaGroup, readFacts, type SchemaFact } from '../../../../tools/kubernetes/facts.ts';
import { type NullFact, readMembers } from '../../../../tools/kubernetes/members.ts';
import { absentWhenNull, apiVersionOf, withoutNulls } from './index.ts';

const facts = readFacts();
const members = readMembers();
const components = new Map(facts.flatMap((one) => Object.entries(one.components)));
const kinds = facts
  .filter(({ group }) => group !== metaGroup)
  .flatMap((one) =>
    [...one.resources, ...one.spoken].map(({ kind, component }) => ({
      apiVersion: apiVersionOf(one),
      kind,
      component,
    })),
  );

interface Found {
  readonly path: readonly string[];
  readonly fact: NullFact;
}

const referenceOf = ({ $ref, items, additionalProperties }: SchemaFact): [string, string] | undefined => {
  if ($ref !== undefined) return ['', $ref];
  if (items?.$ref !== undefined) return ['[]', items.$ref];
  return additionalProperties?.$ref === undefined ? undefined : ['{}', additionalProperties.$ref];
};

/** Every member below a component that Go may write as null, walked in the facts and not in the generated table. */
function* nullsBelow(component: string, path: readonly string[] = [], above: readonly string[] = []): Generator<Found> {
  for (const [name, schema] of Object.entries(components.get(component)?.properties ?? {})) {
    if (path.length === 0 && name === 'metadata') continue;
    const fact = members[component]?.fields?.[name]?.null;
    if (fact !== undefined && fact !== 'null') yield { path: [...path, name], fact };
    const below = referenceOf(schema);
    if (below === undefined || above.includes(below[1])) continue;
    yield* nullsBelow(below[1], [...path, name, ...(below[0] === '' ? [] : [below[0]])], [...above, below[1]]);
  }
}

/** An object with nothing but a value at the path. */
function at(path: readonly string[], value: unknown): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  if (first === '[]') return [at(rest, value)];
  return first === '{}' ? { key: at(rest, value) } : { [first]: at(rest, value) };
}

const emptyOf: Readonly<Record<string, unknown>> = { list: [], map: {} };

describe('CL-16: nulls of Go in built-in kinds', () => {
  test('lists become [], maps {}, and the rest is left out, at every place of every kind', () => {
    const places = kinds.flatMap((one) => [...nullsBelow(one.component)].map((found) => ({ ...one, ...found })));
    expect(places.length).toBeGreaterThan(200);
    for (const { apiVersion, kind, path, fact } of places) {
      const object = { apiVersion, kind, ...(at(path, null) as object) };
      const parent = fact === 'gone' ? at(path.slice(0, -1), {}) : at(path, emptyOf[fact]);
      expect({ path, object: withoutNulls(object) }).toEqual({
        path,
        object: { apiVersion, kind, ...(parent as object) },
      });
    }
  });

  test.each<[string, object, object]>([
    ['a driver list', { kind: 'CSINode', spec: { drivers: null } }, { spec: { drivers: [] } }],
    [
      'a list inside a list',
      { kind: 'CSINode', spec: { drivers: [{ name: 'a', nodeID: 'n', topologyKeys: null }] } },
      { spec: { drivers: [{ name: 'a', nodeID: 'n', topologyKeys: [] }] } },
    ],
    [
      'values that are there',
      { kind: 'CSINode', spec: { drivers: [] }, more: null },
      { spec: { drivers: [] }, more: null },
    ],
    ['what is absent', { kind: 'CSINode', spec: {} }, { spec: {} }],
    ['a shape nobody expects', { kind: 'CSINode', spec: ['x'] }, { spec: ['x'] }],
  ])('%s', (_, given, expected) => {
    const head = { apiVersion: 'storage.k8s.io/v1', kind: 'CSINode' };
    expect(withoutNulls({ ...head, ...given })).toEqual({ ...head, ...expected });
  });

  test('kinds of other groups keep their nulls, whatever they are called', () => {
    const object = { apiVersion: 'storage.example.com/v1', kind: 'CSINode', spec: { drivers: null } };
    expect(withoutNulls(object)).toEqual({ ...object, spec: { drivers: null } });
  });
});

describe('the paths on which a null means nothing', () => {
  test('are those that are left out of an object, through lists', () => {
    const pod = absentWhenNull({ apiVersion: 'v1', kind: 'Pod' }).map((path) => path.join('.'));
    expect(pod).toContain('status.conditions.lastProbeTime');
    expect(pod).toContain('status.conditions.lastTransitionTime');
  });

  test('are none where a null is something empty, nor of a kind that is not built in', () => {
    expect(absentWhenNull({ apiVersion: 'storage.k8s.io/v1', kind: 'CSINode' })).not.toContainEqual([
      'spec',
      'drivers',
    ]);
    expect(absentWhenNull({ apiVersion: 'example.com/v1', kind: 'Pod' })).toEqual([]);
  });
});
