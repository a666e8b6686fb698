// Subresources that lead to a kubelet: what the server says where there is none to reach.
import type { Case, Step } from '../../src/case.ts';
import { claim, get, post, remove } from '../../src/steps.ts';
import { pod, podSpec, pods } from '../create-update/manifests.ts';

const asked: readonly [step: string, path: string][] = [
  ['log', 'log'],
  ['log-container', 'log?container=x'],
  ['log-lines', 'log?tailLines=-1'],
  ['exec', 'exec?command=ls&stdout=true'],
  ['exec-container', 'exec?command=ls&stdout=true&container=x'],
  ['attach', 'attach?stdout=true'],
  ['portforward', 'portforward?ports=80'],
  ['proxy', 'proxy/x'],
];

const onPod = (name: string): Step[] => [
  ...asked.map(([step, path]) => get(`${name}-${step}`, `${pods}/${name}/${path}`)),
  post(`${name}-post-exec`, `${pods}/${name}/exec?command=ls`, { text: '' }),
  post(`${name}-post-log`, `${pods}/${name}/log`, { text: '' }),
  remove(`${name}-delete-exec`, `${pods}/${name}/exec`),
];

const twoContainers = [
  { name: 'c', image: 'example.com/c:1' },
  { name: 'd', image: 'example.com/c:1' },
];

export const connecting: readonly Case[] = [
  {
    id: 'r4-connecting',
    section: 'subresources-crds',
    shows: ['API-R4'],
    title: 'logs, exec, attach, port-forward and proxy of a Pod that no kubelet runs',
    steps: [
      post('waiting', pods, pod('waiting'), { setup: true }),
      post('elsewhere', pods, pod('elsewhere', { spec: { ...podSpec, nodeName: '{{id}}-node' } }), { setup: true }),
      post('several', pods, pod('several', { spec: { containers: twoContainers } }), { setup: true }),
      ...['waiting', 'elsewhere', 'missing'].flatMap(onPod),
      get('several-log', `${pods}/several/log`),
      get('several-d', `${pods}/several/log?container=d`),
      get('node', '/api/v1/nodes/{{id}}-node/proxy/'),
      get('service', '/api/v1/namespaces/{{ns}}/services/s/proxy/'),
    ],
    claims: [
      claim('a Pod that waits has no log', 'waiting-log.status', { is: 204 }),
      claim('and no host', 'waiting-exec.status', { is: 400 }),
      claim('an unknown node', 'elsewhere-log.status', { is: 404 }),
      claim('an unknown Pod', 'missing-attach.status', { is: 404 }),
      claim('one of several containers is to be named', 'several-log.status', { is: 400 }),
      claim('a log is only read', 'waiting-post-log.status', { is: 405 }),
    ],
  },
];
