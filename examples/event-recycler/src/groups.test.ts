// Groups of all sorts: with lifecycle hooks, with weights, that the role may not touch, whose Nodes resist. None holds up another one.
import { expect, test } from 'vitest';
import { AwsError } from './aws.ts';
import { Stage, type StageOptions } from './stage.test-support.ts';

const sick = 'asg-sick';
const groups = [{ name: sick, nodeGroup: 'workers', size: 2 }, ...['b', 'c', 'd'].map((name) => ({ name, size: 1 }))];

async function open(options: StageOptions = {}): Promise<Stage> {
  const stage = await Stage.open({ groups, ...options });
  await stage.start('one');
  return stage;
}
const reaches = (stage: Stage, phase: string) =>
  stage.until(async () => (await stage.status()).activeRecycles?.[0]?.phase === phase);
const launched = (stage: Stage) => stage.model.instancesNow().filter(({ group }) => group === sick).length;

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-31: %s of a group with a lifecycle hook: what it keeps running for three minutes is terminated once, and waited for',
  async (strategy) => {
    await using stage = await open({ hook: 3 * 60_000 });
    await stage.recycler({ strategy });
    await stage.sicken(sick);
    expect(await stage.history(1)).toMatchObject([{ status: 'Succeeded' }]);
    const once = stage.model.changes.filter(({ call }) => call === 'terminate').map(({ of }) => of);
    expect(once).toHaveLength(strategy === 'Replace' ? 2 : 0);
    expect(new Set(once).size).toBe(once.length);
    expect(launched(stage)).toBe(4);
    expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
  },
);

test.each(['Replace', 'ScaleToZero'] as const)(
  'ER-34, ER-35: %s of a group that weighs its instance types ends when their weights reach the desired size',
  async (strategy) => {
    await using stage = await open();
    // By memory, in MiB.
    stage.model.addGroup({ name: 'mixed', weight: 131_072, min: 0, max: 524_288, desired: 262_144 });
    await stage.pass(5000);
    await stage.recycler({ strategy });
    await stage.sicken('mixed');
    expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'mixed', status: 'Succeeded' }]);
    expect(stage.model.groupNow('mixed')).toMatchObject({
      min: 0,
      max: 524_288,
      desired: 262_144,
      original: undefined,
    });
    expect(stage.model.instancesNow().filter(({ group }) => group === 'mixed')).toHaveLength(4);
  },
);

test('ER-37, ER-41: a group that the role may not touch is reported, and holds the others up no longer than recycleTimeout', async () => {
  await using stage = await open();
  stage.model.intercept = ({ call, of }, when) => {
    if (when === 'before' && of === sick && /tag|resize/.test(call))
      throw new AwsError('denied', 'AccessDenied: not authorized to perform autoscaling:CreateOrUpdateTags');
  };
  await stage.recycler({ breakerPercent: 100, recycleTimeout: '10m' });
  await stage.sicken(sick);
  await reaches(stage, 'Planned');
  await stage.pass(5000);
  expect((await stage.condition('Ready'))?.message).toMatch(/AccessDenied.*check the role/);
  await stage.sicken('b');
  expect(await stage.history(2)).toMatchObject([
    { nodeGroup: 'b', status: 'Succeeded' },
    {
      nodeGroup: 'workers',
      status: 'Failed: timed out after 10m in phase Planned, waiting for the tag with the original sizes',
    },
  ]);
  await stage.pass(60_000);
  expect((await stage.condition('Ready'))?.status).toBe('True');
});

test('ER-37, ER-38: a Node that nobody may write keeps no group at zero, and holds up no other recycle', async () => {
  await using stage = await open({ hook: 10 * 60_000 });
  await stage.recycler({ strategy: 'ScaleToZero', breakerPercent: 100, maxConcurrentRecycles: 2 });
  for (const name of [sick, 'b']) await stage.sicken(name);
  await stage.until(() => [sick, 'b'].every((name) => stage.model.groupNow(name)?.desired === 0));
  const [first = ''] = await stage.cordoned();
  const fault = { type: 'status', code: 403, reason: 'Forbidden' } as const;
  const heal = stage.env.server.fail({ kind: 'Node', verb: 'patch', name: first, fault });
  await stage.patchSpec({ dryRun: true });
  await stage.pass(60_000);
  for (const name of [sick, 'b']) expect(stage.model.groupNow(name)?.desired).not.toBe(0);
  expect(stage.model.groupNow('b')).toMatchObject({ original: undefined });
  expect(await stage.status()).toMatchObject({ recycleHistory: [{ nodeGroup: 'b' }] });
  expect(await stage.condition('Ready')).toMatchObject({ status: 'False', reason: 'Failed' });
  expect((await stage.condition('Recycling'))?.message).toBe('workers waits for the API server');
  heal();
  expect(await stage.history(2)).toHaveLength(2);
  expect(await stage.cordoned()).toEqual([]);
});

test('ER-31, ER-53: while the server does not tell who else recycles, nothing starts, and what is under way goes on to its end', async () => {
  await using stage = await open();
  await stage.recycler({ strategy: 'ScaleToZero', breakerPercent: 100, maxConcurrentRecycles: 2 });
  await stage.sicken(sick);
  await stage.until(() => stage.model.groupNow(sick)?.desired === 0);
  await stage.sicken('b');
  const fault = { type: 'status', code: 403, reason: 'Forbidden' } as const;
  const heal = stage.env.server.fail({ kind: 'EventRecycler', verb: 'list', fault });
  await stage.pass(4 * 60_000);
  expect(await stage.condition('Ready')).toMatchObject({ status: 'False', reason: 'Failed' });
  expect(await stage.history(1)).toMatchObject([{ nodeGroup: 'workers', status: 'Succeeded' }]);
  expect(stage.model.groupNow(sick)).toMatchObject({ min: 1, max: 4, desired: 2, original: undefined });
  expect(stage.model.changes.filter(({ of }) => of === 'b')).toEqual([]);
  heal();
  expect(await stage.history(2)).toMatchObject([{ nodeGroup: 'b', status: 'Succeeded' }, {}]);
});
