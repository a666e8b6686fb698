import { describe, expect, test } from 'vitest';
import type { Answer } from './ask-version.ts';
import type { Standing } from './installation.ts';
import { plan, type State } from './plan.ts';
import { type BinaryName, binaryNames, pinnedVersions } from './versions.ts';

function state(changes: Partial<Record<BinaryName, Standing>>, more: Partial<State> = {}): State {
  const standing = Object.fromEntries(binaryNames.map((name) => [name, changes[name] ?? 'installed']));
  return { standing: standing as State['standing'], answers: {}, wanted: pinnedVersions, force: false, ...more };
}

describe('plan', () => {
  test('nothing for a complete installation', () => {
    expect(plan(state({}))).toEqual({ steps: [], foreign: [] });
  });

  test('what is missing is built, what an API server needs first', () => {
    const nothing = Object.fromEntries(binaryNames.map((name) => [name, 'missing'])) as Record<BinaryName, Standing>;
    const { steps } = plan(state(nothing));
    expect(steps.map(({ binary }) => binary).slice(0, 2)).toEqual(['etcd', 'kube-apiserver']);
    expect(steps.every((step) => step.do === 'build' && step.why === 'missing')).toBe(true);
    expect(steps).toHaveLength(binaryNames.length);
  });

  test('all is built when forced, whatever is there', () => {
    const { steps, foreign } = plan(state({ etcd: 'missing', kwok: 'doubtful' }, { force: true }));
    expect(steps.map((step) => (step.do === 'build' ? step.why : step.do))).toEqual([
      'missing',
      ...Array(5).fill('forced'),
    ]);
    expect(foreign).toEqual([]);
  });

  test.each<[string, Answer | undefined, unknown]>([
    ['of the wanted version is kept', { version: 'v3.6.8' }, { steps: [{ do: 'adopt', binary: 'etcd' }], foreign: [] }],
    [
      'of another version stands in the way',
      { version: 'v3.4.0' },
      { steps: [], foreign: [{ binary: 'etcd', found: 'v3.4.0', wanted: 'v3.6.8' }] },
    ],
    [
      'that cannot be run is built again',
      { unusable: 'broken' },
      { steps: [{ do: 'build', binary: 'etcd', why: 'the existing file cannot be used: broken' }], foreign: [] },
    ],
    [
      'that nobody asked is built again',
      undefined,
      {
        steps: [{ do: 'build', binary: 'etcd', why: 'the existing file cannot be used: it was not asked' }],
        foreign: [],
      },
    ],
  ])('an unknown file %s', (_what, answer, expected) => {
    const answers = answer === undefined ? {} : { etcd: answer };
    expect(plan(state({ etcd: 'doubtful' }, { answers }))).toEqual(expected);
  });
});
