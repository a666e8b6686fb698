import { expect, test } from 'vitest';
import { AwsModel, failEvery, type ModelOptions } from './aws-model.ts';

const call = { signal: new AbortController().signal, leader: { identity: 'pod-1', epoch: 7 } };
const zeros = { min: 0, max: 0, desired: 0 };

function open(options: Partial<ModelOptions> = {}) {
  let now = 1_700_000_000_000;
  const model = new AwsModel({ now: () => now, ...options });
  const [first = ''] = model.addGroup({ name: 'a', min: 1, max: 3, desired: 2 });
  const aws = model.regions(undefined);
  const states = () => model.instancesNow().map(({ state }) => state);
  return { model, aws, first, states, pass: (ms: number) => void (now += ms) };
}

test('ER-63: an instance is shutting down for 20 s and its successor pending for 30 s', async () => {
  const { aws, first, states, pass } = open();
  await aws.terminate(first, call);
  expect(states()).toEqual(['shutting-down', 'running', 'pending']);
  pass(19_999);
  expect(states()).toEqual(['shutting-down', 'running', 'pending']);
  pass(1);
  expect(states()).toEqual(['terminated', 'running', 'pending']);
  pass(9999);
  expect(states()[2]).toBe('pending');
  pass(1);
  expect(states()[2]).toBe('running');
});

test('ER-63: a desired size outside the bounds is refused, and changes nothing', async () => {
  const { aws, model } = open();
  for (const sizes of [
    { min: 1, max: 3, desired: 4 },
    { min: 2, max: 3, desired: 1 },
  ]) {
    await expect(aws.resize('a', sizes, call)).rejects.toMatchObject({ problem: 'refused' });
  }
  expect(model.groupNow('a')).toMatchObject({ min: 1, max: 3, desired: 2 });
});

test('ER-63: without capacity nothing is launched; with some of it again, as many as fit', async () => {
  const { aws, model, states, pass } = open();
  model.capacity = 0;
  await aws.resize('a', { min: 1, max: 5, desired: 5 }, call);
  expect(states()).toHaveLength(2);
  model.capacity = 2;
  pass(1000);
  await aws.group('a', call);
  expect(states()).toHaveLength(4);
});

test('ER-63: reads lag behind writes', async () => {
  const { aws, first, pass } = open({ lag: 10_000 });
  await aws.resize('a', zeros, call);
  expect(await aws.group('a', call)).toMatchObject({ desired: 2 });
  expect((await aws.instances([first], call)).get(first)?.state).toBe('running');
  pass(10_000);
  expect(await aws.group('a', call)).toMatchObject(zeros);
  expect((await aws.instances([first], call)).get(first)?.state).toBe('shutting-down');
});

test('ER-63: every nth call is throttled, before it has an effect; an answer can be lost after it', async () => {
  const { aws, model } = open();
  failEvery(model, 2, 'throttled');
  await aws.tag('a', '1', call);
  await expect(aws.tag('a', '2', call)).rejects.toMatchObject({ problem: 'throttled' });
  expect(model.groupNow('a')?.original).toBe('1');
  model.intercept = (_, when) => {
    if (when === 'after') throw new Error('lost');
  };
  await expect(aws.tag('a', '3', call)).rejects.toThrow('lost');
  expect(model.groupNow('a')?.original).toBe('3');
});
