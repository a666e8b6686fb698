// Bodies and paths nobody writes on purpose: broken texts, values of other types, nesting without end, names every object of JavaScript has.
import type { Case, Json, Step } from '../../src/case.ts';
import { apply, claim, configMap, configMaps, get, post, put, remove } from '../../src/steps.ts';

const yaml = { send: { 'content-type': 'application/yaml' } };
const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

/** A definition with something else in its subresources, or in its schema. */
const definition = (
  version: { readonly [key: string]: Json },
  schema: { readonly [key: string]: Json } = {},
): Json => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'things.{{group}}' },
  spec: {
    group: '{{group}}',
    scope: 'Namespaced',
    names: { plural: 'things', kind: 'Thing' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', ...schema } },
        ...version,
      },
    ],
  },
});

const broken: readonly (readonly [step: string, text: string])[] = [
  ['nothing', ''],
  ['half', '{"apiVersion":"v1","kind":"ConfigMap"'],
  ['comma', '{"apiVersion":"v1",}'],
  ['quote', '{"apiVersion":"v1","kind":"ConfigMap","data":{"a":"b}}'],
  ['word', 'nope'],
  ['list', '[1]'],
  ['number', '7'],
  ['after', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"}} {}'],
];

const inYaml: readonly (readonly [step: string, text: string])[] = [
  ['yaml-flow', 'a: ['],
  ['yaml-word', 'nope'],
  ['yaml-tab', 'a:\n\tb: c'],
  ['yaml-alias', 'a: *b'],
];

/** Nothing of a refusal is stored: the list stays empty. */
const unchanged: Step = get('left', configMaps, { only: ['body.items'], because: 'that nothing was stored counts' });

const typed: readonly (readonly [step: string, body: Json])[] = [
  ['status-text', definition({ subresources: { status: 'a' } })],
  ['status-list', definition({ subresources: { status: [] } })],
  ['status-true', definition({ subresources: { status: true } })],
  ['additional', definition({}, { properties: { a: { type: 'object', additionalProperties: 0 } } })],
  ['additional-text', definition({}, { additionalItems: 'x' })],
];

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];

const emptySteps = [
  '/api//v1',
  '/api/v1//namespaces',
  '/api/v1/namespaces//default',
  '/apis//apps/v1/deployments',
  '/apis/apps//v1/deployments',
  '/healthz/',
  '/livez/ping/',
];

const up = '/api/v1/namespaces/../configmaps';

export const badInput: readonly Case[] = [
  {
    id: 'e1-broken-bodies',
    section: 'errors',
    shows: ['API-E1'],
    title: 'bodies that cannot be read are 400, and store nothing',
    steps: [
      ...broken.map(([step, text]) => post(step, `${configMaps}?fieldSelector=x`, { text })),
      ...inYaml.map(([step, text]) => post(step, configMaps, { text }, yaml)),
      unchanged,
    ],
    claims: [...broken, ...inYaml].map(([step]) => claim(step, `${step}.status`, { is: 400 })),
  },
  {
    id: 'e1-types-of-definitions',
    section: 'errors',
    shows: ['API-E1'],
    title: 'values of another type in a definition are 400, before its rules are looked at',
    steps: typed.map(([step, body]) => post(step, `${definitions}?dryRun=All`, body)),
    claims: typed.map(([step]) => claim(step, `${step}.status`, { is: 400 })),
  },
  {
    id: 'e1-deep-bodies',
    section: 'errors',
    shows: ['API-E1'],
    title: 'lists and objects in each other without end are 400',
    steps: [
      post('lists', configMaps, { text: `{"a":${'['.repeat(20_000)}` }),
      post('objects', configMaps, { text: '{"a":'.repeat(20_000) }),
      unchanged,
    ],
    claims: [claim('400', 'lists.status', { is: 400 }), claim('400', 'objects.status', { is: 400 })],
  },
  {
    id: 'e1-names-of-prototypes',
    section: 'errors',
    shows: ['API-E1'],
    title: 'fields with the names every object of JavaScript has are fields like any other',
    steps: [
      post('unknown', `${configMaps}?fieldValidation=Strict`, {
        text: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},${names.map((name) => `"${name}":{"a":1}`).join(',')}}`,
      }),
      post('data', `${configMaps}?dryRun=All`, {
        text: `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x"},"data":{${names.map((name) => `"${name}":"v"`).join(',')}}}`,
      }),
      post('labels', `${configMaps}?dryRun=All`, {
        text: '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","labels":{"constructor":"a","__proto__":"b"}}}',
      }),
      get('selector', `${configMaps}?labelSelector=toString%3Da`, {
        only: ['status', 'body.items'],
        because: 'the rest is time',
      }),
    ],
    claims: [
      claim('unknown fields', 'unknown.status', { is: 400 }),
      claim('keys of data', 'data.body.data.constructor', { is: 'v' }),
    ],
  },
  {
    id: 't13-empty-steps',
    section: 'errors',
    shows: ['API-T13'],
    title: 'two slashes lead nowhere, nor does one behind a health check',
    steps: emptySteps.map((path, index) => get(`path${index}`, path)),
    claims: emptySteps.map((path, index) => claim(path, `path${index}.status`, { is: 404 })),
  },
  {
    id: 't13-namespace-up',
    section: 'errors',
    shows: ['API-T13'],
    title: 'a namespace of dots is not a key of the store',
    steps: [
      get('list', up),
      get('read', `${up}/a`),
      get('here', '/api/v1/namespaces/./pods'),
      post('create', up, configMap('a')),
      put('put', `${up}/a`, configMap('a')),
      remove('delete', `${up}/a`),
      remove('delete-all', up),
    ],
    claims: ['list', 'read', 'here', 'create', 'put', 'delete', 'delete-all'].map((step) =>
      claim(step, `${step}.status`, { is: 500 }),
    ),
  },
  {
    id: 'p-apply-other-name',
    section: 'errors',
    shows: ['API-E1'],
    title: 'an apply of another name is told of conflicts and wrong types first',
    steps: [
      post('create', configMaps, configMap('x', { data: { k: 'v' } }), { setup: true }),
      apply('conflict', `${configMaps}/x?fieldManager=m`, configMap('y', { data: { k: 'w' } })),
      apply('typed', `${configMaps}/x?fieldManager=m`, { ...(configMap('y') as object), odd: 1 } as Json),
      apply('name', `${configMaps}/x?fieldManager=m`, configMap('y', { data: { k: 'v' } })),
    ],
    claims: [
      claim('409', 'conflict.status', { is: 409 }),
      claim('500', 'typed.status', { is: 500 }),
      claim('400', 'name.status', { is: 400 }),
    ],
  },
];
