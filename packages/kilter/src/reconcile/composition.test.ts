import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { Deployment } from '../k8s/apps/v1.ts';
import { ConfigMap, Secret } from '../k8s/core/v1.ts';
import { readyCondition } from './compose-run.ts';
import { stepsOf } from './composition.ts';
import { observe } from './observed.ts';
import { readiness } from './readiness.ts';

const config = (name: string, namespace = 'default'): ConfigMap => ConfigMap.build({ name, namespace });

function refusal(value: unknown): string {
  try {
    stepsOf(value);
  } catch (error) {
    if (error instanceof KilterError) return `${error.code} ${error.summary}`;
    throw error;
  }
  return 'accepted';
}

describe('CP-2: what is composed', () => {
  test('is one step, or a list of them', () => {
    const [a, b] = [config('a'), config('b')];
    expect(stepsOf({ children: [a, b] }).steps).toEqual([[a, b]]);
    expect(stepsOf({ children: [[a], [], [b]] }).steps).toEqual([[a], [], [b]]);
    expect(stepsOf({ children: [] })).toEqual({ steps: [[]], status: undefined, again: undefined });
    expect(stepsOf({ children: [], status: { x: 1 }, again: '30s' })).toMatchObject({ status: { x: 1 }, again: '30s' });
  });
});

describe('CP-5: what cannot be composed is refused with what is wrong, and where', () => {
  const a = config('a');
  test.each([
    ['nothing', undefined, 'compose returned undefined'],
    ['a list', [a], 'compose returned [ { apiVersion'],
    ['a text', 'x', "compose returned 'x'"],
    ['a promise', Promise.resolve({ children: [] }), 'compose returned a promise'],
    ['no children', { status: {} }, 'children is not a list but undefined'],
    ['one child', { children: a }, 'children is not a list but ConfigMap default/a'],
    ['objects beside steps', { children: [a, [a]] }, 'children mixes objects and steps'],
    ['null for a child', { children: [a, null] }, 'children[1] is not an object but null'],
    ['a condition in vain', { children: [false] }, 'children[0] is not an object but false'],
    [
      'a child without a kind',
      { children: [[a], [{ metadata: { name: 'x' } }]] },
      'children[1][0] has no apiVersion and kind',
    ],
    ['a child without a name', { children: [{ ...a, metadata: {} }] }, 'children[0], a ConfigMap, has no name'],
    [
      'a child without metadata',
      { children: [{ apiVersion: 'v1', kind: 'Secret' }] },
      'children[0], a Secret, has no name',
    ],
    ['a status that is not one', { children: [], status: 3 }, 'status is not an object but 3'],
    ['no duration', { children: [], again: 'soon' }, "again: 'soon' is not a duration"],
  ])('%s', (_, value, message) => {
    const told = refusal(value);
    expect(told).toContain('RECONCILE_COMPOSITION_INVALID');
    expect(told).toContain(message);
  });
});

test("CP-5: a promise that is refused and fails is nobody's unhandled rejection", async () => {
  expect(refusal(Promise.reject(new Error('no')))).toContain('compose returned a promise');
  await new Promise((resolve) => void setImmediate(resolve));
});

describe('CP-7: observe() shows a compose function plain objects', () => {
  const secret = Secret.build({ name: 'a', namespace: 'one', labels: { app: 'x' } });
  const observed = observe({ children: [config('a'), config('b')], others: [secret, config('c')], now: 7 });

  test('children and others, by kind and name', () => {
    expect(observed.child(ConfigMap, 'b')?.metadata.name).toBe('b');
    expect(observed.child(ConfigMap, { name: 'a', namespace: 'elsewhere' })).toBeUndefined();
    expect(observed.child(Secret, 'a')).toBeUndefined();
    expect(observed.child(ConfigMap, 'c')).toBeUndefined();
    expect(observed.children(ConfigMap)).toHaveLength(2);
    expect(observed.find(Secret, { name: 'a', namespace: 'one' })).toBe(secret);
    expect(observed.find(ConfigMap, 'a')).toBeUndefined();
    expect(observed.now).toBe(7);
  });

  test('lists by namespace and labels', () => {
    expect(observed.list(Secret)).toEqual([secret]);
    expect(observed.list(Secret, { namespace: 'two' })).toEqual([]);
    expect(observed.list(Secret, { labels: { app: 'x' } })).toEqual([secret]);
    expect(observed.list(Secret, { labels: { app: 'y' } })).toEqual([]);
  });

  test('nothing, as for an object that is new', () => {
    expect(observe().children(ConfigMap)).toEqual([]);
    expect(observe().now).toBeGreaterThan(0);
  });
});

describe('CP-4: the Ready condition of a composed object', () => {
  const look = (child: ConfigMap | Deployment) => ({ child, readiness: readiness(child) });
  const deployment = (status: object = {}): Deployment => ({
    ...Deployment.build({
      name: 'd',
      namespace: 'n',
      spec: { replicas: 1, selector: {}, template: { spec: { containers: [] } } },
    }),
    status,
  });
  const late = {
    conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', message: 'too late' }],
  };

  test.each([
    [
      'all are ready',
      [look(config('a'))],
      1,
      { status: true, reason: 'ChildrenReady', message: '1 of 1 children are ready' },
    ],
    ['there are none', [], 0, { status: true, reason: 'ChildrenReady' }],
    [
      'one is on its way, and others follow',
      [look(config('a')), look(deployment())],
      3,
      {
        status: false,
        reason: 'ChildNotReady',
        message: '1 of 3 children are ready; Deployment n/d: LessReplicas: 0 of 1 replicas exist',
      },
    ],
    [
      'one has failed',
      [look(deployment()), look(deployment(late))],
      2,
      { status: false, reason: 'ChildFailed', message: 'Deployment n/d: ProgressDeadlineExceeded: too late' },
    ],
  ])('%s', (_, looked, wanted, condition) => {
    expect(readyCondition(looked, wanted)).toMatchObject({ type: 'Ready', ...condition });
  });
});
