import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { type ComposedBy, readyCondition, runComposition } from './compose-run.ts';
import type { ObjectRun } from './run-context.ts';
import { ConfigMap } from '../k8s/core/v1.ts';

const object: KubeObject = { apiVersion: 'e.com/v1', kind: 'App', metadata: { name: 'app', namespace: 'n' } };
/** Ready, or not, once it is applied. */
const child = (name: string, ready = true): KubeObject =>
  ({
    apiVersion: 'e.com/v1',
    kind: 'Part',
    metadata: { name, namespace: 'n' },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False', reason: ready ? 'Done' : 'Busy' }] },
  }) as KubeObject;

interface Given {
  readonly composition: (seen: unknown) => unknown;
  readonly refuse?: Readonly<Record<string, Error>>;
  readonly reports?: boolean;
  readonly owned?: readonly KubeObject[];
}

function setUp({ composition, refuse = {}, reports = true, owned = [] }: Given) {
  const log: unknown[] = [];
  const context = {
    now: () => 0,
    cache: { find: (...asked: unknown[]) => ({ asked }), list: (...asked: unknown[]) => [{ asked }] },
    owned: async () => owned,
    apply: async (one: KubeObject) => {
      const { name } = one.metadata;
      log.push(`apply ${name}`);
      if (refuse[name] !== undefined) throw refuse[name];
      return one;
    },
    status: async (patch: unknown) => void log.push({ status: patch }),
  };
  const intend = (children: readonly KubeObject[]): void =>
    void log.push(`intend ${children.map(({ metadata }) => metadata.name).join(' ')}`);
  const compose = (given: unknown, seen: unknown): unknown => {
    expect(given).toBe(object);
    return composition(seen);
  };
  const by = { compose, owned: [ConfigMap], reports } as unknown as ComposedBy;
  return { log, run: () => runComposition({ context, intend } as unknown as ObjectRun, object, by) };
}
const statusOf = (log: readonly unknown[]): unknown => (log.at(-1) as { status: unknown }).status;

describe('a run of a composed object', () => {
  test('says what it wants before it applies anything, and applies step by step while all is ready', async () => {
    const { log, run } = setUp({ composition: () => ({ children: [[child('a'), child('b')], [child('c')]] }) });
    expect(await run()).toEqual({ result: undefined, complete: true });
    expect(log.slice(0, -1)).toEqual(['intend a b c', 'apply a', 'apply b', 'apply c']);
    expect(statusOf(log)).toEqual({
      conditions: [{ type: 'Ready', status: true, reason: 'ChildrenReady', message: '3 of 3 children are ready' }],
    });
  });

  test('waits with the next step for one that is not ready, and is not complete then', async () => {
    const { log, run } = setUp({ composition: () => ({ children: [[child('a'), child('b', false)], [child('c')]] }) });
    expect(await run()).toEqual({ result: undefined, complete: false });
    expect(log.slice(0, -1)).toEqual(['intend a b c', 'apply a', 'apply b']);
    expect(statusOf(log)).toMatchObject({
      conditions: [
        {
          type: 'Ready',
          status: false,
          reason: 'ChildNotReady',
          message: expect.stringMatching(/^1 of 3 children are ready; .*b/) as string,
        },
      ],
    });
  });

  test('one child that cannot be applied keeps none of its step from it, and its error is what is thrown', async () => {
    const error = new Error('refused');
    const children = [[child('a'), child('b')], [child('c')]];
    const { log, run } = setUp({ composition: () => ({ children }), refuse: { a: error } });
    await expect(run()).rejects.toBe(error);
    expect(log).toEqual(['intend a b c', 'apply a', 'apply b']);
  });

  test('several are thrown together', async () => {
    const refuse = { a: new Error('no a'), b: new Error('no b') };
    const { run } = setUp({ composition: () => ({ children: [child('a'), child('b')] }), refuse });
    const thrown = await run().catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(AggregateError);
    expect((thrown as AggregateError).errors).toEqual([refuse.a, refuse.b]);
    expect((thrown as AggregateError).message).toBe('Error: no a; Error: no b');
  });

  test('sees what it owns and the cache, and may ask to be made again', async () => {
    const { run } = setUp({
      composition: (seen) => {
        const { find, list } = seen as Record<'find' | 'list', (...asked: unknown[]) => unknown>;
        expect([find('kind', 'ref'), list('kind', 'options')]).toEqual([
          { asked: ['kind', 'ref'] },
          [{ asked: ['kind', 'options'] }],
        ]);
        return { children: [], again: '5m' };
      },
    });
    expect(await run()).toMatchObject({ result: { after: '5m' }, complete: true });
  });

  test('a Ready condition of its own stays the only one; without one it gets it beside the others', async () => {
    const own = { phase: 'Up', conditions: [{ type: 'Ready', status: true, reason: 'Mine', message: '' }] };
    const { log, run } = setUp({ composition: () => ({ children: [], status: own }) });
    await run();
    expect(statusOf(log)).toEqual(own);
    const other = { conditions: [{ type: 'Synced', status: true, reason: 'Done', message: '' }] };
    const second = setUp({ composition: () => ({ children: [], status: other }) });
    await second.run();
    expect(statusOf(second.log)).toMatchObject({ conditions: [{ type: 'Synced' }, { type: 'Ready', status: true }] });
  });

  test('where the object has no place for a condition, nothing but the given status is written', async () => {
    const silent = setUp({ composition: () => ({ children: [child('a')] }), reports: false });
    await silent.run();
    expect(silent.log).toEqual(['intend a', 'apply a']);
    const given = setUp({ composition: () => ({ children: [], status: { phase: 'Up' } }), reports: false });
    await given.run();
    expect(statusOf(given.log)).toEqual({ phase: 'Up' });
  });
});

test('a child that has failed is what the condition tells, before those that are not ready yet', () => {
  const looked = (['InProgress', 'Failed', 'Current'] as const).map((status, at) => ({
    child: child(`c${at}`),
    readiness: { status, reason: 'Why', message: 'because' },
  }));
  expect(readyCondition(looked as never, 3)).toMatchObject({ status: false, reason: 'ChildFailed' });
  expect(readyCondition(looked as never, 3).message).toContain('c1');
});
