// What whoever started an operator gets of it, over rooms that only write down what is asked of them.
import { describe, expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { controller } from '../controller/index.ts';
import type { Composed } from './compose.ts';
import { runningManager } from './manager.ts';
import { part } from './part.ts';
import { settle } from './lifecycle.test-support.ts';

const Box = kind<KubeObject>({
  group: 'example.com',
  version: 'v1',
  kind: 'Box',
  plural: 'boxes',
  scope: 'Namespaced',
});
const boxes = controller(Box, { name: 'boxes' }).reconcile(async () => undefined);
const everywhere = controller(Box, { name: 'everywhere', everyReplica: true }).reconcile(async () => undefined);

function setUp({ leading }: { leading?: boolean } = {}) {
  const log: unknown[] = [];
  const stopping = new AbortController();
  const note = (where: string) => ({
    add: ({ name }: { name: string }) => void log.push(`${name} to ${where}`),
    join: ({ name }: { name: string }) => void log.push(`${name} to ${where}`),
  });
  const runnerOf = ({ spec: { name } }: typeof boxes) => ({
    name,
    informers: [],
    connect: () => undefined,
    watch: (watched: object) => (log.push(watched), []),
    release: async () => undefined,
  });
  const composed = {
    parts: {
      runners: note('runners'),
      replicaRunners: note('runners of every replica'),
      leaderParts: note('parts of the leader'),
      replicaParts: note('parts of every replica'),
      election: leading === undefined ? undefined : { leading },
    },
    live: 'live',
    cache: { client: (live: unknown) => ({ over: live }), view: 'view', synchronized: async () => undefined },
    journal: 'journal',
    metrics: { text: () => 'text' },
    controllers: {
      runners: new Map([['boxes', runnerOf(boxes)]]),
      runnerOf,
      check: () => undefined,
      review: async ({ spec }: typeof boxes, signal: AbortSignal) =>
        void log.push(`review ${spec.name}, ${signal === stopping.signal ? 'until the stop' : 'for ever'}`),
    },
  };
  const manager = runningManager(composed as unknown as Composed, {
    lifecycle: { ready: Promise.resolve() } as never,
    done: Promise.resolve(),
    stopping: stopping.signal,
    stop: async () => void log.push('stop'),
  });
  return { manager, log, stopping };
}

test('a manager reads from the cache, writes to the server, and shows runs and metrics', async () => {
  const { manager, log } = setUp();
  expect([manager.client, manager.cache, manager.runs, manager.metrics()]).toEqual([
    { over: 'live' },
    'view',
    'journal',
    'text',
  ]);
  await manager[Symbol.asyncDispose]();
  expect(log).toEqual(['stop']);
});

test('without election it always leads, with one it says what that says', () => {
  expect([undefined, true, false].map((leading) => setUp({ leading: leading as never }).manager.leading)).toEqual([
    true,
    true,
    false,
  ]);
});

describe('MG-6: what is added', () => {
  test('a controller is reviewed until the stop at most, and joins those it belongs to', async () => {
    const { manager, log } = setUp();
    await manager.add(everywhere);
    expect(log).toEqual(['review everywhere, until the stop', 'everywhere to runners of every replica']);
    log.length = 0;
    await manager.add(controller(Box, { name: 'more' }).reconcile(async () => undefined));
    expect(log).toEqual(['review more, until the stop', 'more to runners']);
  });

  test('a part goes to those of the leader or of every replica, and to none once the stop has begun', async () => {
    const { manager, log, stopping } = setUp();
    manager.add(part('job', () => undefined));
    manager.add(part('page', { on: 'everyReplica' }, () => undefined));
    await settle();
    expect(log).toEqual(['job to parts of the leader', 'page to parts of every replica']);
    stopping.abort();
    expect(() => manager.add(part('late', () => undefined))).toThrow(
      expect.objectContaining({ code: 'MANAGER_STOPPED' }) as Error,
    );
  });

  test.each([[undefined], [null], [{}], [{ name: 'x' }], [{ run: () => undefined }], [controller(Box)]])(
    'neither one nor the other is refused with what to do: %j',
    (given) => {
      const { manager, log } = setUp();
      expect(() => manager.add(given as never)).toThrow(
        expect.objectContaining({ code: 'MANAGER_PART_INVALID' }) as Error,
      );
      expect(log).toEqual([]);
    },
  );

  test('a watch goes to the controller that is named, with its mapper', async () => {
    const { manager, log } = setUp();
    const map = (): string[] => [];
    await manager.watch(boxes, { kind: Box, map });
    expect(log).toEqual([{ kind: Box, map, options: {} }]);
  });
});
