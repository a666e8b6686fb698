// What every implementation of the port must do: the model, the SDK over the fake, the SDK over moto.
import { expect, test } from 'vitest';
import type { Aws, Sizes } from './aws.ts';

export interface PortSubject extends AsyncDisposable {
  readonly aws: Aws;
  /** A group whose instances run. */
  makeGroup(name: string, sizes: Sizes): Promise<void>;
  /** Lets pass what instances need to come and go. */
  settle(): Promise<void>;
}

export interface PortTraits {
  /** ER-64: moto takes any desired size. */
  readonly boundsDesired: boolean;
  /** ER-64: moto answers 500 for an instance that is gone. */
  readonly knowsTheGone: boolean;
}

const call = { signal: new AbortController().signal, leader: { identity: 'pod-1', epoch: 7 } };
const name = 'asg-a';
const sizes = { min: 1, max: 4, desired: 2 };
const zeros = { min: 0, max: 0, desired: 0 };

export function portContract(
  ids: string,
  open: () => Promise<PortSubject>,
  { boundsDesired, knowsTheGone }: PortTraits,
): void {
  const idsOf = async ({ aws }: PortSubject) => (await aws.group(name, call))?.instances.map(({ id }) => id) ?? [];
  const opened = async () => {
    const subject = await open();
    await subject.makeGroup(name, sizes);
    return subject;
  };

  test(`${ids}: a group is described with its sizes and its instances; one that is not there is undefined`, async () => {
    await using subject = await opened();
    const group = await subject.aws.group(name, call);
    expect(group).toMatchObject({ name, ...sizes, original: undefined });
    expect(group?.instances.map(({ inService }) => inService)).toEqual([true, true]);
    expect(await subject.aws.group('nobody', call)).toBeUndefined();
  });

  test(`${ids}, ER-13: instances know their group; what AWS does not know is missing`, async () => {
    await using subject = await opened();
    const known = await idsOf(subject);
    const found = await subject.aws.instances([...known, 'i-0123456789abcdef0'], call);
    expect([...found.keys()].toSorted()).toEqual(known.toSorted());
    for (const one of found.values()) expect(one).toMatchObject({ state: 'running', group: name });
  });

  test(`${ids}, ER-32: the tag is on the group and not on its instances; setting and removing it can be repeated`, async () => {
    await using subject = await opened();
    const { aws } = subject;
    for (const value of ['1/4/2', '1/4/2']) await aws.tag(name, value, call);
    expect((await aws.group(name, call))?.original).toBe('1/4/2');
    await aws.untag(name, call);
    expect((await aws.group(name, call))?.original).toBeUndefined();
  });

  test(`${ids}, ER-31: an instance is replaced without a change of sizes; a repeat is a success, and so is one that is gone`, async () => {
    await using subject = await opened();
    const { aws } = subject;
    const [first = '', second = ''] = await idsOf(subject);
    await aws.terminate(first, call);
    if (knowsTheGone) await aws.terminate(first, call);
    await subject.settle();
    if (knowsTheGone) await aws.terminate(first, call);
    await subject.settle();
    expect(await aws.group(name, call)).toMatchObject(sizes);
    const after = await idsOf(subject);
    expect(after).toHaveLength(2);
    expect(after).toContain(second);
    expect(after).not.toContain(first);
    expect((await aws.instances([first], call)).get(first)?.state ?? 'terminated').toBe('terminated');
  });

  test(`${ids}, ER-35: to zero and back, each twice: all instances are new`, async () => {
    await using subject = await opened();
    const { aws } = subject;
    const old = await idsOf(subject);
    for (const _ of [1, 2]) await aws.resize(name, zeros, call);
    await subject.settle();
    expect(await aws.group(name, call)).toMatchObject({ ...zeros, instances: [] });
    for (const _ of [1, 2]) await aws.resize(name, sizes, call);
    await subject.settle();
    const after = await idsOf(subject);
    expect(after).toHaveLength(2);
    expect(after.filter((id) => old.includes(id))).toEqual([]);
  });
  refusals(ids, opened, boundsDesired);
}

function refusals(ids: string, opened: () => Promise<PortSubject>, boundsDesired: boolean): void {
  test(`${ids}: a group that is not there refuses, with a cure`, async () => {
    await using subject = await opened();
    await expect(subject.aws.resize('nobody', zeros, call)).rejects.toMatchObject({
      name: 'AwsError',
      problem: 'refused',
    });
  });

  const unless = boundsDesired ? '' : ' (skipped: it takes any desired size)';
  test.skipIf(!boundsDesired)(`${ids}: a desired size out of bounds is refused${unless}`, async () => {
    await using subject = await opened();
    await expect(subject.aws.resize(name, { min: 1, max: 2, desired: 3 }, call)).rejects.toMatchObject({
      problem: 'refused',
    });
  });
}
