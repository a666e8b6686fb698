// API-R6: containers that join a Pod, and other amounts of cpu and memory, each through its own endpoint.
import type { Case, Step } from '../../src/case.ts';
import { claim, get, mergePatch, post, put, strategicPatch } from '../../src/steps.ts';
import type { Fields } from './definitions.ts';

const pods = '/api/v1/namespaces/{{ns}}/pods';
const container = (more: Fields = {}): Fields => ({ name: 'c', image: 'i', ...more });
const body = (spec: Fields = {}, metadata: Fields = {}): Fields => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { containers: [container()], ...spec },
});
const pod = (spec: Fields = {}): Step => post('pod', pods, body(spec), { setup: true });
const dumped = {
  mask: ['body.message', 'body.details.causes.0.message'],
  because: 'it ends in Go’s own print of what differs',
};
const debugging = `${pods}/p/ephemeralcontainers`;
const resizing = `${pods}/p/resize`;
const amounts = (requests: Fields, limits?: Fields): Fields => ({
  resources: { requests, ...(limits === undefined ? {} : { limits }) },
});
const small = amounts({ cpu: '100m', memory: '64Mi' }, { cpu: '200m', memory: '64Mi' });

const join = (step: string, ...containers: Fields[]): Step =>
  strategicPatch(step, debugging, { spec: { ephemeralContainers: containers } });
const resize = (step: string, resources: Fields): Step =>
  strategicPatch(step, resizing, { spec: { containers: [{ name: 'c', ...resources }] } });

export const podChanges: readonly Case[] = [
  {
    id: 'r6-ephemeral-containers',
    section: 'subresources-crds',
    shows: ['API-R6'],
    title: 'containers for debugging join a Pod through their own endpoint, and stay',
    steps: [
      pod(),
      get('read', debugging),
      join('first', { name: 'd', image: 'busybox', targetContainerName: 'c' }),
      join('second', { name: 'e', image: 'busybox', stdin: true, tty: true }),
      mergePatch('removed', debugging, { spec: { ephemeralContainers: [] } }),
      mergePatch(
        'through-pod',
        `${pods}/p`,
        { spec: { ephemeralContainers: [{ name: 'f', image: 'busybox' }] } },
        dumped,
      ),
      get('after', `${pods}/p`),
    ],
    claims: [
      claim('it joins', 'first.body.spec.ephemeralContainers.0.name', { is: 'd' }),
      claim('with defaults', 'first.body.spec.ephemeralContainers.0.imagePullPolicy', { is: 'Always' }),
      claim('another', 'second.body.spec.ephemeralContainers', { length: 2 }),
      claim('for ever', 'removed.status', { is: 422 }),
      claim('not through the Pod', 'through-pod.status', { is: 422 }),
    ],
  },
  {
    id: 'r6-ephemeral-refused',
    section: 'subresources-crds',
    shows: ['API-R6'],
    title: 'a container for debugging has no ports, probes or resources, and a name of its own',
    steps: [
      post('on-create', pods, body({ ephemeralContainers: [{ name: 'd', image: 'busybox' }] })),
      pod(),
      join('taken', { name: 'c', image: 'busybox' }),
      join('no-target', { name: 'd', image: 'busybox', targetContainerName: 'x' }),
      join('no-image', { name: 'd' }),
      join('ports', { name: 'd', image: 'busybox', ports: [{ containerPort: 80 }] }),
      join('resources', { name: 'd', image: 'busybox', ...amounts({ cpu: '1' }) }),
      join('probe', { name: 'd', image: 'busybox', livenessProbe: { exec: { command: ['true'] } } }),
      put('whole', debugging, {
        ...body(
          { containers: [container({ image: 'other' })], ephemeralContainers: [{ name: 'd', image: 'busybox' }] },
          { labels: { a: 'b' } },
        ),
      }),
      post('posted', debugging, body()),
      mergePatch('of-nothing', `${pods}/x/ephemeralcontainers`, { spec: {} }),
    ],
    claims: [
      claim('not on create', 'on-create.status', { is: 422 }),
      claim('a name of its own', 'taken.status', { is: 422 }),
      claim('the rest of the Pod stays', 'whole.body.spec.containers.0.image', { is: 'i' }),
      claim('its labels, too', 'whole.body.metadata.labels', { present: false }),
    ],
  },
  {
    id: 'r6-resize',
    section: 'subresources-crds',
    shows: ['API-R6'],
    title: 'cpu and memory change through resize, nothing else does',
    steps: [
      pod({ containers: [container(small)] }),
      get('read', resizing),
      resize('more', amounts({ cpu: '150m' })),
      mergePatch('through-pod', `${pods}/p`, { spec: { containers: [container(amounts({ cpu: '1' }))] } }, dumped),
      put('whole', resizing, {
        ...body(
          {
            containers: [
              container({
                ...amounts({ cpu: '120m', memory: '64Mi' }, { cpu: '200m', memory: '64Mi' }),
                image: 'other',
              }),
            ],
          },
          { labels: { a: 'b' } },
        ),
      }),
      get('after', `${pods}/p`),
    ],
    claims: [
      claim('changed', 'more.body.spec.containers.0.resources.requests.cpu', { is: '150m' }),
      claim('not through the Pod', 'through-pod.status', { is: 422 }),
      claim('the image stays', 'whole.body.spec.containers.0.image', { is: 'i' }),
      claim('it is a new generation', 'more.body.metadata.generation', { is: 2 }),
    ],
  },
  {
    id: 'r6-resize-refused',
    section: 'subresources-crds',
    shows: ['API-R6'],
    title: 'a resize keeps the class of service, the containers and what they asked for',
    steps: [
      pod({ containers: [container(small)] }),
      resize('other-class', amounts({ cpu: '200m', memory: '64Mi' })),
      mergePatch('removed', resizing, { spec: { containers: [container(amounts({ cpu: '100m', memory: '64Mi' }))] } }),
      mergePatch('renamed', resizing, { spec: { containers: [{ name: 'x', image: 'i', ...small }] } }),
      mergePatch('added', resizing, { spec: { containers: [container(small), { name: 'x', image: 'i' }] } }),
      resize('storage', amounts({ 'ephemeral-storage': '1Gi' })),
      post('posted', resizing, body()),
    ],
    claims: [
      claim('Guaranteed is another class', 'other-class.status', { is: 422 }),
      claim('nothing is taken away', 'removed.status', { is: 422 }),
      claim('no other names', 'renamed.status', { is: 422 }),
      claim('no other containers', 'added.status', { is: 422 }),
      claim('cpu and memory alone', 'storage.status', { is: 422 }),
    ],
  },
];
