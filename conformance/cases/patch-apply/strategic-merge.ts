import type { Case, Json } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post, strategicPatch } from '../../src/steps.ts';
import { deployment, deployments, podPatch, podSpecOf, pods, service, services } from './manifests.ts';

const d = `${deployments}/d`;
const two = [
  { name: 'app', image: 'app:1' },
  { name: 'side', image: 'side:1' },
];
const names = (step: string, list: string, ...more: string[]): string => [podSpecOf(step), list, ...more].join('.');

const inApp = (container: { [key: string]: Json }): Json => podPatch({ containers: [{ name: 'app', ...container }] });
const withApp = (container: { [key: string]: Json }): { [key: string]: Json } =>
  deployment('d', { containers: [{ name: 'app', image: 'app:1', ...container }] });

export const strategicLists: readonly Case[] = [
  {
    id: 'p4-containers',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'containers and init containers are merged by name, new ones come in front',
    steps: [
      post('create', deployments, deployment('d', { containers: two, initContainers: [{ name: 'i1', image: 'i:1' }] })),
      strategicPatch('change', d, podPatch({ containers: [{ name: 'side', image: 'side:2' }] })),
      strategicPatch(
        'add',
        d,
        podPatch({ containers: [{ name: 'new', image: 'new:1' }], initContainers: [{ name: 'i2', image: 'i:2' }] }),
      ),
      strategicPatch(
        'both',
        d,
        podPatch({
          containers: [
            { name: 'last', image: 'last:1' },
            { name: 'app', image: 'app:2' },
          ],
        }),
      ),
      strategicPatch('no-key', d, podPatch({ containers: [{ image: 'app:3' }] })),
      strategicPatch('empty', d, podPatch({ containers: [] })),
      strategicPatch('null', d, podPatch({ containers: null })),
      get('end', d),
    ],
    claims: [
      claim('containers by name', names('change', 'containers', '1', 'image'), { is: 'side:2' }),
      claim('the other stays', names('change', 'containers', '0', 'image'), { is: 'app:1' }),
      claim('added', names('add', 'containers'), { length: 3 }),
      claim('init containers by name', names('add', 'initContainers'), { length: 2 }),
      claim('both at once', names('both', 'containers'), { length: 4 }),
      claim('the merge key is needed', 'no-key.body.message', { matches: 'does not contain declared merge key: name' }),
      claim('an empty list changes nothing', names('empty', 'containers'), { length: 4 }),
    ],
  },
  {
    id: 'p4-env-volumes',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'env and volumes are merged by name, volumeMounts by mountPath, envFrom and args are replaced',
    steps: [
      post(
        'create',
        deployments,
        deployment('d', {
          containers: [
            {
              name: 'app',
              image: 'app:1',
              env: [
                { name: 'A', value: '1' },
                { name: 'B', value: '2' },
              ],
              envFrom: [{ configMapRef: { name: 'one' } }],
              args: ['a', 'b'],
              volumeMounts: [
                { name: 'v1', mountPath: '/one' },
                { name: 'v1', mountPath: '/two' },
              ],
            },
          ],
          volumes: [
            { name: 'v1', emptyDir: {} },
            { name: 'v2', configMap: { name: 'c' } },
          ],
        }),
      ),
      strategicPatch(
        'env',
        d,
        inApp({
          env: [
            { name: 'B', value: '3' },
            { name: 'C', value: '4' },
          ],
        }),
      ),
      strategicPatch('env-from', d, inApp({ envFrom: [{ configMapRef: { name: 'two' } }], args: ['c'] })),
      strategicPatch(
        'mounts',
        d,
        inApp({
          volumeMounts: [
            { name: 'v2', mountPath: '/two' },
            { name: 'v2', mountPath: '/three' },
          ],
        }),
      ),
      strategicPatch(
        'volumes',
        d,
        podPatch({
          volumes: [
            { name: 'v2', configMap: { name: 'other' } },
            { name: 'v3', emptyDir: {} },
          ],
        }),
      ),
      strategicPatch(
        'volume-of-another-kind',
        d,
        podPatch({ volumes: [{ name: 'v2', emptyDir: {}, configMap: null }] }),
      ),
      strategicPatch('volume-of-two-kinds', d, podPatch({ volumes: [{ name: 'v3', configMap: { name: 'c' } }] })),
      strategicPatch(
        'value-from',
        d,
        inApp({ env: [{ name: 'A', value: null, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }),
      ),
    ],
    claims: [
      claim('env by name', names('env', 'containers', '0', 'env'), { contains: { name: 'B', value: '3' } }),
      claim('the others stay', names('env', 'containers', '0', 'env'), { contains: { name: 'A', value: '1' } }),
      claim('lists without a key are replaced', names('env-from', 'containers', '0', 'args'), { is: ['c'] }),
      claim('envFrom is replaced', names('env-from', 'containers', '0', 'envFrom'), { length: 1 }),
      claim('volumeMounts by mountPath', names('mounts', 'containers', '0', 'volumeMounts'), {
        contains: { name: 'v2', mountPath: '/two' },
      }),
      claim('three of them', names('mounts', 'containers', '0', 'volumeMounts'), { length: 3 }),
      claim('volumes by name', names('volumes', 'volumes'), { length: 3 }),
      claim('null inside an item deletes', names('volume-of-another-kind', 'volumes'), {
        contains: { name: 'v2', emptyDir: {} },
      }),
    ],
  },
  {
    id: 'p4-ports',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'container ports are merged by containerPort, Service ports by port',
    steps: [
      post(
        'create',
        deployments,
        withApp({
          ports: [
            { containerPort: 80, name: 'http' },
            { containerPort: 443, name: 'https' },
          ],
        }),
      ),
      strategicPatch('container', d, inApp({ ports: [{ containerPort: 443, name: 'tls' }, { containerPort: 8080 }] })),
      strategicPatch('number-as-text', d, inApp({ ports: [{ containerPort: '443', name: 'text' }] })),
      post(
        'create-service',
        services,
        service('s', {
          ports: [
            { name: 'a', port: 80 },
            { name: 'b', port: 443 },
          ],
        }),
      ),
      strategicPatch('service', `${services}/s`, {
        spec: {
          ports: [
            { port: 443, targetPort: 8443 },
            { name: 'c', port: 81 },
          ],
        },
      }),
      post(
        'create-protocols',
        services,
        service('dns', {
          ports: [
            { name: 'udp', port: 53, protocol: 'UDP' },
            { name: 'tcp', port: 53, protocol: 'TCP' },
          ],
        }),
      ),
      strategicPatch('protocols', `${services}/dns`, {
        spec: { ports: [{ port: 53, protocol: 'TCP', targetPort: 5353 }] },
      }),
    ],
    claims: [
      claim('container ports by containerPort', names('container', 'containers', '0', 'ports'), {
        contains: { containerPort: 443, name: 'tls', protocol: 'TCP' },
      }),
      claim('three', names('container', 'containers', '0', 'ports'), { length: 3 }),
      claim('Service ports by port', 'service.body.spec.ports', { length: 3 }),
      claim('merged', 'service.body.spec.ports', {
        contains: { name: 'b', port: 443, targetPort: 8443, protocol: 'TCP' },
      }),
    ],
  },
  {
    id: 'p4-conditions',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'conditions are merged by type, of Deployments and of Pods',
    steps: [
      post('create', deployments, deployment('d'), { setup: true }),
      strategicPatch('first', `${d}/status`, {
        status: {
          conditions: [
            {
              type: 'Available',
              status: 'True',
              reason: 'A',
              message: 'm',
              lastUpdateTime: '2020-01-01T00:00:00Z',
              lastTransitionTime: '2020-01-01T00:00:00Z',
            },
            { type: 'Progressing', status: 'True', reason: 'P' },
          ],
        },
      }),
      strategicPatch('change', `${d}/status`, { status: { conditions: [{ type: 'Available', status: 'False' }] } }),
      post(
        'create-pod',
        pods,
        {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name: 'p' },
          spec: { containers: [{ name: 'app', image: 'app:1' }] },
        },
        { setup: true },
      ),
      strategicPatch('pod', `${pods}/p/status`, {
        status: {
          conditions: [
            { type: 'Ready', status: 'False', reason: 'Wait' },
            { type: 'example.com/gate', status: 'True' },
          ],
        },
      }),
      strategicPatch('pod-change', `${pods}/p/status`, {
        status: { conditions: [{ type: 'Ready', status: 'True' }], podIPs: [{ ip: '10.0.0.1' }] },
      }),
      strategicPatch('pod-delete', `${pods}/p/status`, {
        status: { conditions: [{ $patch: 'delete', type: 'example.com/gate' }] },
      }),
    ],
    claims: [
      claim('two conditions', 'first.body.status.conditions', { length: 2 }),
      claim('by type', 'change.body.status.conditions', { length: 2 }),
      claim('merged', 'change.body.status.conditions', {
        contains: {
          type: 'Available',
          status: 'False',
          reason: 'A',
          message: 'm',
          lastUpdateTime: '2020-01-01T00:00:00Z',
          lastTransitionTime: '2020-01-01T00:00:00Z',
        },
      }),
      claim('of a Pod', 'pod-change.body.status.conditions', {
        contains: { type: 'Ready', status: 'True', reason: 'Wait' },
      }),
      claim('deleted by its type', 'pod-delete.body.status.conditions', { length: 1 }),
    ],
  },
  {
    id: 'p4-metadata',
    section: 'patch-apply',
    shows: ['API-P4'],
    title: 'ownerReferences are merged by uid, finalizers are a set',
    steps: [
      post(
        'create',
        configMaps,
        configMap('x', {
          metadata: {
            finalizers: ['example.com/a', 'example.com/b'],
            labels: { a: '1', b: '2' },
            ownerReferences: [
              { apiVersion: 'v1', kind: 'ConfigMap', name: 'o1', uid: '00000000-0000-4000-8000-000000000001' },
            ],
          },
        }),
      ),
      strategicPatch('owner', `${configMaps}/x`, {
        metadata: {
          ownerReferences: [
            { uid: '00000000-0000-4000-8000-000000000001', controller: true },
            { apiVersion: 'v1', kind: 'ConfigMap', name: 'o2', uid: '00000000-0000-4000-8000-000000000002' },
          ],
        },
      }),
      strategicPatch('owner-gone', `${configMaps}/x`, {
        metadata: { ownerReferences: [{ $patch: 'delete', uid: '00000000-0000-4000-8000-000000000001' }] },
      }),
      strategicPatch('owner-without-uid', `${configMaps}/x`, {
        metadata: { ownerReferences: [{ name: 'o2', controller: true }] },
      }),
      strategicPatch('finalizers', `${configMaps}/x`, { metadata: { finalizers: ['example.com/b', 'example.com/c'] } }),
      strategicPatch('finalizer-gone', `${configMaps}/x`, {
        metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] },
      }),
      strategicPatch('labels', `${configMaps}/x`, { metadata: { labels: { a: null, c: '3' } } }),
      strategicPatch('all-finalizers', `${configMaps}/x`, { metadata: { finalizers: null } }),
    ],
    claims: [
      claim('by uid', 'owner.body.metadata.ownerReferences', { length: 2 }),
      claim('merged', 'owner.body.metadata.ownerReferences', {
        contains: {
          apiVersion: 'v1',
          kind: 'ConfigMap',
          name: 'o1',
          uid: '00000000-0000-4000-8000-000000000001',
          controller: true,
        },
      }),
      claim('deleted by uid', 'owner-gone.body.metadata.ownerReferences', { length: 1 }),
      claim('finalizers a set', 'finalizers.body.metadata.finalizers', { length: 3 }),
      claim('one is deleted', 'finalizer-gone.body.metadata.finalizers', { length: 2 }),
      claim('maps merge', 'labels.body.metadata.labels', { is: { b: '2', c: '3' } }),
      claim('null deletes the list', 'all-finalizers.body.metadata.finalizers', { present: false }),
    ],
  },
];
