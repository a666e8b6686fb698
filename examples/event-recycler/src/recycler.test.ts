// The whole operator on the embedded server, with the model of AWS, on the virtual clock.
import { describe, expect, test } from 'vitest';
import { Stage } from './stage.test-support.ts';

const groups = [
  { name: 'eks-workers-7c1b', nodeGroup: 'workers', size: 2 },
  { name: 'asg-b', nodeGroup: 'b', size: 1 },
  { name: 'asg-c', nodeGroup: 'c', size: 1 },
  { name: 'asg-d', nodeGroup: 'd', size: 1 },
];

describe.each(['Replace', 'ScaleToZero'] as const)('a sick group, strategy %s', (strategy) => {
  test('ER-70, ER-74: every instance is replaced, the sizes are as before, and the history says so', async () => {
    await using stage = await Stage.open({ groups });
    await stage.start('one');
    await stage.recycler({ strategy });
    const before = stage.model.groupNow('eks-workers-7c1b');
    await stage.sicken('eks-workers-7c1b');
    const history = await stage.history(1);
    expect(history).toMatchObject([{ nodeGroup: 'workers', eventCount: 3, status: 'Succeeded' }]);
    const after = stage.model.groupNow('eks-workers-7c1b');
    expect(after).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
    const old = before?.instances.map(({ id }) => id) ?? [];
    expect(after?.instances.filter(({ id }) => old.includes(id))).toEqual([]);
    expect(stage.model.instancesNow().filter(({ group }) => group === 'eks-workers-7c1b')).toHaveLength(4);
    expect(await stage.cordoned()).toEqual([]);
    expect((await stage.status()).activeRecycles).toEqual([]);
    const others = stage.model.changes.filter(({ of }) => ['asg-b', 'asg-c'].includes(of));
    expect(others).toEqual([]);
  });
});
