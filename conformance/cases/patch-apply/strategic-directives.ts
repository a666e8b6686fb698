import type { Case, Json } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post, strategicPatch } from '../../src/steps.ts';
import { deployment, deployments, podPatch, podSpecOf, service, services } from './manifests.ts';

const d = `${deployments}/d`;
const container = (name: string): { [key: string]: Json } => ({ name, image: `${name}:1` });
const named = (...names: string[]): Json[] => names.map((name) => ({ name }));
const abcd = deployment('d', { containers: ['a', 'b', 'c', 'd'].map(container) });
const containers = (step: string, ...more: string[]): string => [podSpecOf(step), 'containers', ...more].join('.');
const order = {
  only: ['status', 'body.spec.template.spec.containers', 'body.message'],
  because: 'the rest of the Deployment is in other cases',
};
const inOrder = (step: string, names: readonly string[]) =>
  names.map((name, index) =>
    claim(`${name} is number ${index}`, containers(step, String(index), 'name'), { is: name }),
  );

export const strategicDirectives: readonly Case[] = [
  {
    id: 'p4-patch-replace',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: '$patch: replace takes the place of an object, and in a list of the whole list',
    steps: [
      post('create', deployments, abcd),
      strategicPatch('list', d, podPatch({ containers: [{ $patch: 'replace' }, container('x')] })),
      strategicPatch('list-last', d, podPatch({ containers: [container('y'), { $patch: 'replace' }] })),
      strategicPatch('item', d, podPatch({ containers: [{ $patch: 'replace', name: 'y', image: 'y:2' }] })),
      strategicPatch('object', d, { spec: { strategy: { $patch: 'replace', type: 'Recreate' } } }),
      strategicPatch(
        'pod-spec',
        d,
        podPatch({ $patch: 'replace', containers: [container('z')], restartPolicy: 'Always' }),
      ),
      post(
        'create-map',
        configMaps,
        configMap('x', { data: { a: '1', b: '2' }, metadata: { finalizers: ['example.com/a'] } }),
      ),
      strategicPatch('map', `${configMaps}/x`, { data: { $patch: 'replace', c: '3' } }),
      strategicPatch('primitives', `${configMaps}/x`, {
        metadata: { finalizers: [{ $patch: 'replace' }, 'example.com/b'] },
      }),
      strategicPatch('root', `${configMaps}/x`, { $patch: 'replace', metadata: { name: 'x' }, data: { d: '4' } }),
      get('end', `${configMaps}/x`),
    ],
    claims: [
      claim('the whole list', containers('list'), { length: 1 }),
      claim('by what stands beside', containers('list', '0', 'name'), { is: 'x' }),
      claim('wherever the mark stands', containers('list-last', '0', 'name'), { is: 'y' }),
      claim('an object', 'object.body.spec.strategy', { is: { type: 'Recreate' } }),
      claim('a map', 'map.body.data', { is: { c: '3' } }),
    ],
  },
  {
    id: 'p4-patch-delete',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: '$patch: delete removes an item by its key, or empties an object',
    steps: [
      post('create', deployments, abcd),
      strategicPatch('item', d, podPatch({ containers: [{ $patch: 'delete', name: 'b' }] }), order),
      strategicPatch(
        'items',
        d,
        podPatch({
          containers: [
            { $patch: 'delete', name: 'a' },
            { name: 'c', image: 'c:2' },
            { $patch: 'delete', name: 'none' },
          ],
        }),
        order,
      ),
      strategicPatch('without-key', d, podPatch({ containers: [{ $patch: 'delete' }] })),
      strategicPatch('null-item-field', d, podPatch({ containers: [{ name: 'c', command: null }] }), order),
      strategicPatch('object', d, { spec: { strategy: { $patch: 'delete' } } }),
      post('create-map', configMaps, configMap('x', { data: { a: '1', b: '2' } })),
      strategicPatch('map', `${configMaps}/x`, { data: { $patch: 'delete', c: '3' } }),
      strategicPatch('key', `${configMaps}/x`, { data: { a: '1', b: '2' } }),
      strategicPatch('null-key', `${configMaps}/x`, { data: { a: null, none: null } }),
    ],
    claims: [
      claim('by key', containers('item'), { length: 3 }),
      ...inOrder('item', ['a', 'c', 'd']),
      claim('together with changes, and of what is not there', containers('items'), { length: 2 }),
      claim('the key is needed', 'without-key.body.message', { matches: 'does not contain declared merge key: name' }),
      claim('a map is emptied', 'map.body.data', { present: false }),
      claim('null deletes a key', 'null-key.body.data', { is: { b: '2' } }),
    ],
  },
  {
    id: 'p4-patch-merge',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: '$patch: merge is an error, as is any other word',
    steps: [
      post('create', deployments, abcd, { setup: true }),
      strategicPatch('merge', d, { spec: { strategy: { $patch: 'merge', type: 'Recreate' } } }),
      strategicPatch('merge-item', d, podPatch({ containers: [{ $patch: 'merge', name: 'a', image: 'a:2' }] })),
      strategicPatch('unknown', d, { spec: { strategy: { $patch: 'remove', type: 'Recreate' } } }),
      strategicPatch('unknown-item', d, podPatch({ containers: [{ $patch: 'remove', name: 'a' }] })),
      strategicPatch('number', d, { spec: { strategy: { $patch: 1 } } }),
      strategicPatch('root', d, { $patch: 'merge' }),
      get('unchanged', d, order),
    ],
    claims: [
      claim('merge is an error', 'merge.status', { is: 500 }),
      claim('unknown patch type', 'merge.body.message', { matches: '^unknown patch type: merge in map: ' }),
      claim('in a list', 'merge-item.body.message', { is: 'merging lists cannot yet be specified in the patch' }),
      claim('another word', 'unknown.body.message', { matches: '^unknown patch type: remove in map: ' }),
    ],
  },
  {
    id: 'p4-directive-on-nothing',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'an object with $patch vanishes where the document has nothing',
    steps: [
      post('create', deployments, deployment('d')),
      strategicPatch('replace-missing', d, podPatch({ affinity: { $patch: 'replace', nodeAffinity: {} } })),
      strategicPatch('delete-missing', d, podPatch({ affinity: { $patch: 'delete' } })),
      strategicPatch(
        'item-of-missing-list',
        d,
        podPatch({
          volumes: [
            { $patch: 'delete', name: 'v' },
            { name: 'w', emptyDir: {} },
          ],
        }),
      ),
      strategicPatch(
        'nested',
        d,
        podPatch({
          affinity: { nodeAffinity: { $patch: 'replace', preferredDuringSchedulingIgnoredDuringExecution: [] } },
        }),
      ),
      strategicPatch('map', d, podPatch({ nodeSelector: { $patch: 'replace', a: '1' } })),
      strategicPatch(
        'unknown-word',
        d,
        podPatch({ securityContext: null, hostAliases: [{ $patch: 'merge', ip: '10.0.0.1' }] }),
      ),
      post('create-map', configMaps, configMap('x')),
      strategicPatch('data', `${configMaps}/x`, { data: { $patch: 'replace', a: '1' } }),
      strategicPatch('primitive-list', `${configMaps}/x`, {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] },
      }),
    ],
    claims: [
      claim('replace vanishes', `${podSpecOf('replace-missing')}.affinity`, { present: false }),
      claim('delete vanishes', `${podSpecOf('delete-missing')}.affinity`, { present: false }),
      claim('an item of a missing list too', `${podSpecOf('item-of-missing-list')}.volumes`, {
        is: [{ name: 'w', emptyDir: {} }],
      }),
      claim('a map', `${podSpecOf('map')}.nodeSelector`, { present: false }),
      claim('data', 'data.body.data', { present: false }),
    ],
  },
  {
    id: 'p4-delete-from-primitive-list',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: '$deleteFromPrimitiveList takes values out of a list of texts',
    steps: [
      post(
        'create',
        configMaps,
        configMap('x', { metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] } }),
      ),
      strategicPatch('one', `${configMaps}/x`, {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/b', 'example.com/none'] },
      }),
      strategicPatch('and-add', `${configMaps}/x`, {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'], finalizers: ['example.com/d'] },
      }),
      strategicPatch('no-field', `${configMaps}/x`, { metadata: { $deleteFromPrimitiveList: ['example.com/c'] } }),
      strategicPatch('no-list', `${configMaps}/x`, {
        metadata: { '$deleteFromPrimitiveList/finalizers': 'example.com/c' },
      }),
      post(
        'create-deployment',
        deployments,
        deployment('d', { containers: [{ name: 'app', image: 'app:1', args: ['a', 'b', 'c', 'b'] }] }),
        { setup: true },
      ),
      strategicPatch(
        'replaced-list',
        d,
        podPatch({ containers: [{ name: 'app', '$deleteFromPrimitiveList/args': ['b'] }] }),
        order,
      ),
    ],
    claims: [
      claim('taken out', 'one.body.metadata.finalizers', { is: ['example.com/a', 'example.com/c'] }),
      claim('together with a new one', 'and-add.body.metadata.finalizers', { length: 2 }),
      claim('of which list must be said', 'no-field.status', { is: 400 }),
      claim('of a list without a strategy too', containers('replaced-list', '0', 'args'), { is: ['a', 'c'] }),
    ],
  },
  {
    id: 'p4-set-element-order',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: '$setElementOrder sets the order; a leftover stays before the first of them that followed it',
    steps: [
      post('create', deployments, abcd),
      strategicPatch('reverse', d, podPatch({ '$setElementOrder/containers': named('d', 'c', 'b', 'a') }), order),
      strategicPatch('some', d, podPatch({ '$setElementOrder/containers': named('a', 'd') }), order),
      strategicPatch(
        'with-new',
        d,
        podPatch({ '$setElementOrder/containers': named('x', 'a', 'd'), containers: [container('x')] }),
        order,
      ),
      strategicPatch(
        'with-delete',
        d,
        podPatch({
          '$setElementOrder/containers': named('d', 'x', 'a'),
          containers: [{ $patch: 'delete', name: 'c' }],
        }),
        order,
      ),
      strategicPatch(
        'unlisted-new',
        d,
        podPatch({ '$setElementOrder/containers': named('d', 'x'), containers: [container('y')] }),
      ),
      strategicPatch(
        'contradiction',
        d,
        podPatch({
          '$setElementOrder/containers': named('d', 'x'),
          containers: [
            { name: 'x', image: 'x:2' },
            { name: 'd', image: 'd:2' },
          ],
        }),
      ),
      strategicPatch('no-list', d, podPatch({ '$setElementOrder/containers': 'a' })),
      strategicPatch('no-field', d, podPatch({ $setElementOrder: named('a') })),
      strategicPatch('missing-list', d, podPatch({ '$setElementOrder/volumes': named('v') }), order),
      strategicPatch(
        'new-list',
        d,
        podPatch({
          '$setElementOrder/volumes': named('v', 'w'),
          volumes: [
            { name: 'v', emptyDir: {} },
            { name: 'w', emptyDir: {} },
          ],
        }),
      ),
    ],
    claims: [
      ...inOrder('reverse', ['d', 'c', 'b', 'a']),
      ...inOrder('some', ['c', 'b', 'a', 'd']),
      ...inOrder('with-new', ['x', 'c', 'b', 'a', 'd']),
      ...inOrder('with-delete', ['b', 'd', 'x', 'a']),
      claim('a new one must be in the order', 'unlisted-new.body.message', {
        matches: "doesn't match \\$setElementOrder list",
      }),
      claim('the patch may not contradict it', 'contradiction.body.message', { matches: '^The order in patch list:' }),
      claim('a new list', `${podSpecOf('new-list')}.volumes`, { length: 2 }),
    ],
  },
  {
    id: 'p4-set-order-primitives',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: '$setElementOrder of finalizers, and the order without it',
    steps: [
      post(
        'create',
        configMaps,
        configMap('x', { metadata: { finalizers: ['example.com/a', 'example.com/b', 'example.com/c'] } }),
      ),
      strategicPatch('primitives', `${configMaps}/x`, {
        metadata: { '$setElementOrder/finalizers': ['example.com/c', 'example.com/a'] },
      }),
      strategicPatch('primitives-new', `${configMaps}/x`, {
        metadata: {
          '$setElementOrder/finalizers': ['example.com/d', 'example.com/a', 'example.com/c'],
          finalizers: ['example.com/d'],
        },
      }),
      strategicPatch('primitives-without', `${configMaps}/x`, {
        metadata: { finalizers: ['example.com/e', 'example.com/b'] },
      }),
      post('create-deployment', deployments, abcd, { setup: true }),
      strategicPatch(
        'without',
        d,
        podPatch({
          containers: [container('x'), { name: 'd', image: 'd:2' }, container('y'), { name: 'b', image: 'b:2' }],
        }),
        order,
      ),
      strategicPatch('only-new', d, podPatch({ containers: [container('z')] }), order),
      strategicPatch(
        'only-old',
        d,
        podPatch({
          containers: [
            { name: 'd', image: 'd:3' },
            { name: 'a', image: 'a:3' },
          ],
        }),
        order,
      ),
    ],
    claims: [
      claim('leftovers keep their place before what followed them', 'primitives.body.metadata.finalizers', {
        is: ['example.com/b', 'example.com/c', 'example.com/a'],
      }),
      claim('new', 'primitives-new.body.metadata.finalizers.0', { is: 'example.com/d' }),
      claim('without it the patch’s own order counts', containers('without'), { length: 6 }),
      ...inOrder('without', ['x', 'a', 'c', 'd', 'y', 'b']),
      ...inOrder('only-new', ['z', 'x', 'a', 'c', 'd', 'y', 'b']),
      ...inOrder('only-old', ['z', 'x', 'c', 'd', 'a', 'y', 'b']),
    ],
  },
  {
    id: 'p4-retain-keys',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: '$retainKeys keeps the keys it names and drops the others',
    steps: [
      post(
        'create',
        deployments,
        deployment(
          'd',
          { volumes: [{ name: 'v', configMap: { name: 'c' } }] },
          { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } } },
        ),
      ),
      strategicPatch('strategy', d, { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }),
      strategicPatch(
        'volume',
        d,
        podPatch({ volumes: [{ name: 'v', emptyDir: {}, $retainKeys: ['name', 'emptyDir'] }] }),
      ),
      strategicPatch('keys-missing', d, {
        spec: { strategy: { $retainKeys: ['rollingUpdate'], type: 'RollingUpdate' } },
      }),
      strategicPatch('no-list', d, { spec: { strategy: { $retainKeys: 'type', type: 'Recreate' } } }),
      strategicPatch('null-key', d, {
        spec: { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } },
      }),
      strategicPatch('any-object', d, podPatch({ securityContext: { runAsUser: 1, fsGroup: 2 } }), order),
      strategicPatch('any-object-kept', d, podPatch({ securityContext: { $retainKeys: ['fsGroup'] } })),
      post('create-map', configMaps, configMap('x', { data: { a: '1', b: '2', c: '3' } }), { setup: true }),
      strategicPatch('map', `${configMaps}/x`, { data: { $retainKeys: ['a', 'd'], d: '4' } }),
    ],
    claims: [
      claim('the others go', 'strategy.body.spec.strategy', { is: { type: 'Recreate' } }),
      claim('a volume of another kind', `${podSpecOf('volume')}.volumes`, { is: [{ name: 'v', emptyDir: {} }] }),
      claim('every key of the patch must be kept', 'keys-missing.status', { is: 400 }),
      claim('the message', 'keys-missing.body.message', { is: 'invalid patch format of retainKeys' }),
      claim('a list is needed', 'no-list.body.message', { is: 'invalid patch format of retainKeys' }),
      claim('in any object', `${podSpecOf('any-object-kept')}.securityContext`, { is: { fsGroup: 2 } }),
      claim('in a map', 'map.body.data', { is: { a: '1', d: '4' } }),
    ],
  },
  {
    id: 'p4-bad-bodies',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'a strategic merge patch of the wrong shape is refused',
    steps: [
      post('create', services, service('s', { ports: [{ name: 'a', port: 80 }] }), { setup: true }),
      strategicPatch('list', `${services}/s`, [{ op: 'test', path: '/kind', value: 'Service' }]),
      strategicPatch('broken', `${services}/s`, { text: '{"spec":' }),
      strategicPatch('text-for-object', `${services}/s`, { spec: 'text' }),
      strategicPatch('text-for-list', `${services}/s`, { spec: { ports: 'text' } }),
      strategicPatch('texts-for-objects', `${services}/s`, { spec: { ports: ['text'] } }),
      strategicPatch('mixed', `${services}/s`, { spec: { ports: ['text', { port: 80 }] } }),
      strategicPatch('lists-of-lists', `${services}/s`, { spec: { ports: [[{ port: 80 }]] } }),
      strategicPatch('text-for-number', `${services}/s`, { spec: { ports: [{ port: 80, nodePort: 'x' }] } }),
      strategicPatch('unknown-field', `${services}/s`, { spec: { nope: 1 } }),
      strategicPatch('unknown-object', `${services}/s`, { spec: { nope: { deeper: 1 } } }),
      strategicPatch('unknown-field-strict', `${services}/s?fieldValidation=Strict`, { spec: { nope: 1 } }),
      strategicPatch('unknown-field-ignored', `${services}/s?fieldValidation=Ignore`, { spec: { nope: 1 } }),
      strategicPatch('repeated', `${services}/s`, {
        text: '{"spec":{"type":"ClusterIP"},"spec":{"type":"ClusterIP"}}',
      }),
      strategicPatch('invalid', `${services}/s`, { spec: { type: 'Nope' } }),
    ],
    claims: [
      claim('400', 'list.status', { is: 400 }),
      claim('broken', 'broken.status', { is: 400 }),
      claim('lists of lists', 'lists-of-lists.status', { isNot: 200 }),
      claim('warned', 'unknown-field.headers.warning', { matches: 'unknown field' }),
      claim('validated', 'invalid.status', { is: 422 }),
    ],
  },
];
