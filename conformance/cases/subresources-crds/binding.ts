// API-R5: pods/binding, what a scheduler posts.
import type { Case, Step } from '../../src/case.ts';
import { claim, get, post, remove } from '../../src/steps.ts';
import type { Fields } from './definitions.ts';

const pods = '/api/v1/namespaces/{{ns}}/pods';

const pod = (name: string, { metadata, ...spec }: Fields = {}): Step =>
  post(
    `pod-${name}`,
    pods,
    {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, ...(metadata as Fields | undefined) },
      spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
    },
    { setup: true },
  );

const binding = (name: string, more: Fields = {}): Fields => {
  const { metadata, ...rest } = more;
  return {
    apiVersion: 'v1',
    kind: 'Binding',
    metadata: { name, ...(metadata as Fields | undefined) },
    target: { apiVersion: 'v1', kind: 'Node', name: 'node-of-{{id}}' },
    ...rest,
  };
};

const bind = (step: string, name: string, more?: Fields): Step =>
  post(step, `${pods}/${name}/binding`, binding(name, more));

export const bindings: readonly Case[] = [
  {
    id: 'r5-bound',
    section: 'subresources-crds',
    shows: ['API-R5'],
    title: 'a binding puts the pod on its node, with a condition and its annotations',
    steps: [
      pod('x', { metadata: { annotations: { kept: 'yes', over: 'old' } } }),
      bind('bind', 'x', { metadata: { annotations: { over: 'new', more: 'yes' }, labels: { zone: 'a' } } }),
      get('bound', `${pods}/x`),
      bind('again', 'x'),
    ],
    claims: [
      claim('201', 'bind.status', { is: 201 }),
      claim('Success', 'bind.body.status', { is: 'Success' }),
      claim('on the node', 'bound.body.spec.nodeName', { is: 'node-of-{{id}}' }),
      claim('the condition', 'bound.body.status.conditions.0.type', { is: 'PodScheduled' }),
      claim('annotations are added', 'bound.body.metadata.annotations', {
        is: { kept: 'yes', over: 'new', more: 'yes' },
      }),
      claim('once', 'again.status', { is: 409 }),
    ],
  },
  {
    id: 'r5-refused',
    section: 'subresources-crds',
    shows: ['API-R5'],
    title: 'bindings that are refused',
    steps: [
      pod('x'),
      bind('missing', 'nobody'),
      bind('another-name', 'x', { metadata: { name: 'y' } }),
      bind('no-name', 'x', { metadata: { name: '' } }),
      bind('no-target', 'x', { target: {} }),
      bind('another-kind', 'x', { target: { kind: 'Minion', name: 'n' } }),
      bind('another-uid', 'x', { metadata: { uid: 'another' } }),
      post('another-version', `${pods}/x/binding`, binding('x', { metadata: { resourceVersion: '1' } }), {
        only: ['status', 'body.reason', 'body.details'],
        because: 'the message quotes the version of the pod',
      }),
      post('no-binding', `${pods}/x/binding`, { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'x' } }),
      post('no-object', `${pods}/x/binding`, []),
      get('still', `${pods}/x`),
    ],
    claims: [
      claim('no pod', 'missing.status', { is: 404 }),
      claim('the name of the URL', 'another-name.status', { is: 400 }),
      claim('another object', 'another-uid.status', { is: 409 }),
      claim('another version', 'another-version.body.message', {
        matches: 'Precondition failed: ResourceVersion in precondition: 1, ResourceVersion in object meta: [0-9]+$',
      }),
      claim('nothing was bound', 'still.body.spec.nodeName', { present: false }),
    ],
  },
  {
    id: 'r5-held-back',
    section: 'subresources-crds',
    shows: ['API-R5'],
    title: 'a pod with gates, and one that is going, are not bound',
    steps: [
      pod('gated', { schedulingGates: [{ name: 'example.com/gate' }] }),
      bind('gate', 'gated'),
      pod('going', { metadata: { finalizers: ['example.com/hold'] } }),
      remove('delete', `${pods}/going`, { setup: true }),
      bind('deleted', 'going'),
    ],
    claims: [claim('gates', 'gate.status', { is: 409 }), claim('going', 'deleted.status', { is: 409 })],
  },
  {
    id: 'r5-methods',
    section: 'subresources-crds',
    shows: ['API-R5'],
    title: 'a binding can be made and nothing else; a dry run makes none',
    steps: [
      pod('x'),
      post('dry', `${pods}/x/binding?dryRun=All`, binding('x')),
      get('unbound', `${pods}/x`),
      get('read', `${pods}/x/binding`),
      remove('delete', `${pods}/x/binding`),
      post('unknown-field', `${pods}/x/binding?fieldValidation=Strict`, binding('x', { more: 1 })),
      get('core', '/api/v1', { only: ['status'], because: 'the whole document is of the section discovery' }),
    ],
    claims: [
      claim('as if', 'dry.status', { is: 201 }),
      claim('not stored', 'unbound.body.spec.nodeName', { present: false }),
      claim('not read', 'read.status', { is: 405 }),
      claim('discovery', 'core.body.resources', {
        contains: { name: 'pods/binding', singularName: '', namespaced: true, kind: 'Binding', verbs: ['create'] },
      }),
    ],
  },
];
