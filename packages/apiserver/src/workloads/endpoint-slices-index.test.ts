// Which Services a change of a Pod concerns: a thousand of them must not each be looked at for every Pod.
import { expect, test } from 'vitest';
import type { Registry, StoredChange } from '../calls/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { EndpointSlices } from './endpoint-slices.ts';
import { LabelIndex, oneOf } from './label-index.ts';

function observed() {
  const slices = new EndpointSlices({} as Registry, {} as ResourceDefinition);
  const tell = (type: StoredChange['type'], kind: string, object: object): string[] =>
    slices.observe({ type, resource: { group: '', kind }, object } as unknown as StoredChange);
  const meta = (name: string, labels = {}) => ({ name, namespace: 'default', uid: name, labels });
  return {
    service: (name: string, selector: object, type: StoredChange['type'] = 'ADDED') =>
      tell(type, 'Service', { metadata: meta(name), spec: { selector } }),
    pod: (name: string, labels: object, type: StoredChange['type'] = 'ADDED') =>
      tell(type, 'Pod', { metadata: meta(name, labels), spec: { containers: [] } }),
  };
}

test('a Pod concerns the Services that select it and those that did, and no other', () => {
  const { service, pod } = observed();
  for (let n = 0; n < 50; n += 1) service(`s${n}`, { app: `a${n}` });
  service('both', { app: 'a7', tier: 'front' });
  expect(pod('p', { app: 'a7' })).toEqual(['s7']);
  expect(pod('p', { app: 'a7', tier: 'front' }, 'MODIFIED').toSorted()).toEqual(['both', 's7']);
  expect(pod('p', { app: 'a8', tier: 'front' }, 'MODIFIED').toSorted()).toEqual(['both', 's7', 's8']);
  expect(pod('p', { app: 'a8', tier: 'front' }, 'DELETED')).toEqual(['s8']);
});

test('a Service that selects others, none or is gone is not concerned any more', () => {
  const { service, pod } = observed();
  service('s', { app: 'a' });
  service('s', { app: 'b' }, 'MODIFIED');
  expect([pod('p', { app: 'a' }), pod('q', { app: 'b' })]).toEqual([[], ['s']]);
  service('s', {}, 'MODIFIED');
  expect(pod('q', { app: 'b', more: 'x' }, 'MODIFIED')).toEqual([]);
  service('s', { app: 'b' }, 'MODIFIED');
  service('s', { app: 'b' }, 'DELETED');
  expect(pod('q', { app: 'b' }, 'MODIFIED')).toEqual([]);
});

test('what is found by a label has it, in its namespace, and is found once', () => {
  const index = new LabelIndex<string>();
  index.add('x', 'a', { k: '1', l: '2' });
  index.add('y', 'b', { k: '1' });
  expect([...index.withAny('a', { k: '1', l: '2' })]).toEqual(['x']);
  expect([...index.withAny('a', { k: '2' })]).toEqual([]);
  index.remove('x', 'a', { k: '1', l: '2' });
  expect([...index.withAny('a', { k: '1', l: '2' }), ...index.withAny('b', { k: '1' })]).toEqual(['y']);
  expect([oneOf({ z: '1', b: '2' }), oneOf({}), oneOf(undefined)]).toEqual([{ b: '2' }, {}, {}]);
});
