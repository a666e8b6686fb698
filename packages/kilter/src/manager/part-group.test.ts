import { describe, expect, test } from 'vitest';
import { virtualClock } from '../internal/index.ts';
import { ConfigMap } from '../k8s/core/v1.ts';
import { silentLogger } from '../telemetry/index.ts';
import { PartGroup } from './part-group.ts';
import { checkParts, type Part, part, type PartContext } from './part.ts';

function groupOf(...parts: Part[]) {
  const clock = virtualClock();
  const lines: unknown[] = [];
  const cache = { informer: () => expect.unreachable('nothing is read') };
  const logger = { ...silentLogger, error: (fields: object | string) => void lines.push(fields) };
  const group = new PartGroup(parts, { clock, logger, cache, contextOf: (_, signal) => ({ signal }) as PartContext });
  return { group, clock, lines };
}
const never = (): Promise<void> => new Promise(() => undefined);

describe('a ticker', () => {
  test('is called again, so long after each end', async () => {
    const calls: number[] = [];
    const { group, clock } = groupOf(part('tick', { every: '10s' }, async () => void calls.push(clock.monotonic())));
    group.start();
    await clock.advance(25_000);
    expect(calls.map((at) => at - (calls[0] ?? 0))).toEqual([0, 10_000, 20_000]);
    group.stop(new Error('enough'));
    await clock.advance(60_000);
    expect(calls).toHaveLength(3);
    await group.ends[0]?.ended;
  });

  test('that throws is logged with a code and called again; others go on', async () => {
    let calls = 0;
    const bad = part('bad', { every: '1s' }, () => {
      calls += 1;
      throw new Error('boom');
    });
    const { group, clock, lines } = groupOf(bad, part('good', never));
    group.start();
    await clock.advance(2_500);
    expect(calls).toBe(3);
    expect(lines[0]).toMatchObject({ part: 'bad', err: { code: 'MANAGER_PART_FAILED' } });
    group.stop(new Error('enough'));
  });
});

describe('MG-6: a part that is added later', () => {
  test('starts at once where its group runs, else with it', async () => {
    const told: string[] = [];
    const { group } = groupOf();
    group.add(part('early', () => void told.push('early')));
    expect(told).toEqual([]);
    group.start();
    group.add(part('late', () => void told.push('late')));
    expect(told).toEqual(['early', 'late']);
  });

  test('leaves nothing behind once it is done: its name is free, and nobody waits for it', async () => {
    const told: string[] = [];
    const { group, clock } = groupOf();
    group.start();
    for (const n of [1, 2, 3]) {
      group.add(part('job', async () => void told.push(`job ${n}`)));
      expect(() => group.add(part('job', never))).toThrow('two parts are named job');
      await clock.settle();
      expect(group.ends).toEqual([]);
    }
    group.add(part('fails', { optional: true }, () => Promise.reject(new Error('no'))));
    await clock.settle();
    expect([told, group.ends]).toEqual([['job 1', 'job 2', 'job 3'], []]);
  });

  test('is refused after the stop has begun, or under a name that is taken', () => {
    const { group } = groupOf(part('a', never));
    expect(() => group.add(part('a', never))).toThrow(expect.objectContaining({ code: 'MANAGER_PART_INVALID' }));
    group.start();
    expect(() => group.add(part('a', never))).toThrow('two parts are named a');
    group.stop(new Error('enough'));
    expect(() => group.add(part('b', never))).toThrow(expect.objectContaining({ code: 'MANAGER_STOPPED' }));
  });
});

test.each([
  [() => part('', never), 'a part has a name of 1 to 63 letters'],
  [() => part('a', undefined as never), 'the part a takes a function, not undefined'],
  [() => part('a', { on: 'follower' as never }, never), "runs on 'leader' or 'everyReplica', not 'follower'"],
  [() => part('a', { every: '0s' }, never), 'every of the part a must be a duration above zero'],
  [
    () => part('a', { evry: '1s' } as never, never),
    "the part a has no option 'evry'; it has on, every, optional, reads, writes",
  ],
  [() => part('a', { writes: [{ kind: ConfigMap, verb: ['delete'] }] as never }, never), "has no option 'verb'"],
  [() => part('a', { reads: [{}] as never }, never), 'the part a: reads takes a kind, not {}'],
  [() => part('a', { reads: ConfigMap as never }, never), 'reads of the part a is not a list'],
  [() => part('a', { writes: [undefined] as never }, never), 'the part a: writes takes a kind, not undefined'],
  [() => part('a', { writes: [{ kind: ConfigMap, verbs: ['list' as never] }] }, never), 'verbs are some of create'],
  [() => checkParts([part('a', never), part('a', never)]), 'two parts are named a'],
  [() => checkParts([{} as Part]), 'parts[0] is not a part'],
])('%s is refused', (make, message) => {
  expect(make).toThrow(expect.objectContaining({ code: 'MANAGER_PART_INVALID' }));
  expect(make).toThrow(message);
});

test('what parts read is watched from the start, also of those that are added', () => {
  const watched: unknown[] = [];
  const cache = { informer: (declaration: object) => void watched.push(declaration) } as never;
  const contextOf = (_: Part, signal: AbortSignal) => ({ signal }) as PartContext;
  const group = new PartGroup([], { clock: virtualClock(), logger: silentLogger, cache, contextOf });
  group.add(checkParts([part('reader', { reads: [ConfigMap] }, never)])[0] as Part);
  expect(watched).toEqual([{ kind: ConfigMap }]);
});
