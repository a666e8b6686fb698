import { expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import { afterTurn } from '../internal/index.ts';
import { checkedKeys, indexKeys } from './index-keys.ts';
import { reportOf } from './report.ts';
import { broken, named, setup } from './trigger.test-support.ts';

test.each<[string, unknown, readonly string[]]>([
  ['nothing', undefined, []],
  ['null', null, []],
  ['one key', 'n1', ['n1']],
  ['the empty key', '', ['']],
  ['several', ['n1', 'n2'], ['n1', 'n2']],
  ['one of them twice', ['n1', 'n2', 'n1'], ['n1', 'n2']],
])('an index function may answer %s', (_, answer, keys) => {
  expect(checkedKeys('node', answer)).toEqual(keys);
});

test.each<[string, unknown]>([
  ['a number', 7],
  ['a list with a number', ['n1', 7]],
  ['a promise', Promise.resolve('n1')],
  ['an object', { key: 'n1' }],
])('%s as an index key is refused with a code', (_, answer) => {
  const refused = expect.objectContaining({
    code: 'TRIGGER_INDEX_INVALID',
    message: expect.stringContaining('the index node returned'),
  });
  expect(() => checkedKeys('node', answer)).toThrow(refused);
});

test('PH-6: promises in a list of keys are refused too, and where one is rejected that ends no process', async () => {
  const unheard: unknown[] = [];
  const hear = (error: unknown): void => void unheard.push(error);
  process.on('unhandledRejection', hear);
  const answer = [Promise.reject(new Error('unheard'))];
  expect(() => checkedKeys('node', answer)).toThrow(expect.objectContaining({ code: 'TRIGGER_INDEX_INVALID' }));
  await new Promise<void>((turn) => afterTurn(turn));
  process.off('unhandledRejection', hear);
  expect(unheard).toEqual([]);
});

test('PH-6: an object an index function fails for is left out, reported with its key and counted', () => {
  const { context, lines, metrics } = setup();
  const key = (object: KubeObject): string => (object.metadata.name === 'bad' ? broken() : 'n1');
  const keysOf = indexKeys({ name: 'node', key }, reportOf(context, 'primary'));
  expect(keysOf(named('default/good'))).toEqual(['n1']);
  expect(lines).toEqual([]);
  expect(keysOf(named('default/bad'))).toEqual([]);
  expect(lines).toMatchObject([
    { key: 'default/bad', err: { message: 'broken' }, msg: 'the index node failed; the object is not in it' },
  ]);
  expect(metrics.text()).toContain('kilter_trigger_errors_total{controller="webapp",source="primary"} 1');
});
