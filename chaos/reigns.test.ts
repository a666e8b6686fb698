import { describe, expect, test } from 'vitest';
import { Reigns } from './reigns.ts';

const lease = (user: string, holder: string, at: number, revision = at) => ({
  user,
  what: 'update leases default/op',
  received: at,
  answered: at,
  revision: BigInt(revision),
  holder,
  acquired: at,
});
const write = (user: string, at: number, revision: number | undefined = at) => ({
  user,
  what: 'patch deployments a/b',
  received: at,
  answered: at + 1,
  revision: revision === undefined ? undefined : BigInt(revision),
});

function judged(leases: readonly ReturnType<typeof lease>[], ...writes: readonly ReturnType<typeof write>[]) {
  const reigns = new Reigns();
  for (const one of leases) reigns.lease(one);
  for (const one of writes) reigns.write(one);
  return reigns.judge();
}

const handedOver = [lease('one', 'one_x', 10), lease('one', 'one_x', 20), lease('two', 'two_y', 40)];

describe('writes of old leaders, found in the record of a server', () => {
  test('each leader writes in its own term', () => {
    expect(judged(handedOver, write('one', 15), write('one', 39), write('two', 41))).toEqual([]);
  });

  test('what was stored after the next leader won is found, also where it was sent before', () => {
    expect(judged(handedOver, write('one', 41))).toEqual([
      expect.stringContaining('one patch deployments a/b: stored after its term as one_x had ended'),
    ]);
    expect(judged(handedOver, write('one', 39, 45))).toHaveLength(1);
  });

  test('a write after the release is found, though nobody leads yet', () => {
    expect(judged([lease('one', 'one_x', 10), lease('one', '', 20)], write('one', 25))).toHaveLength(1);
  });

  test('one who has never led is found', () => {
    expect(judged(handedOver, write('three', 15))).toEqual(['three patch deployments a/b: it has not led yet']);
  });

  test('a write that changed nothing answers with a revision of an earlier term, and is not one of it', () => {
    expect(judged(handedOver, write('two', 50, 15))).toEqual([]);
  });

  test('without a revision the time of the request decides', () => {
    expect(judged(handedOver, { ...write('one', 39), revision: undefined })).toEqual([]);
    expect(judged(handedOver, { ...write('one', 41), revision: undefined })).toHaveLength(1);
  });

  test('who leads again may write again', () => {
    expect(judged([...handedOver, lease('one', 'one_z', 60)], write('one', 65), write('one', 35))).toEqual([]);
  });

  test('the first write of a term may be missing from the record: it says itself when it was won', () => {
    const late = { ...lease('two', 'two_y', 44), acquired: 40 };
    expect(judged([lease('one', 'one_x', 10), late], write('two', 41))).toEqual([]);
  });

  test('what is told in another order is judged the same', () => {
    expect(judged(handedOver.toReversed(), write('two', 41), write('one', 15))).toEqual([]);
  });
});
