import type { Case, Step } from '../../src/case.ts';
import {
  claim,
  events,
  get,
  mergePatch,
  post,
  put,
  remove,
  thing,
  things,
  thingsPath,
  watch,
} from '../../src/steps.ts';
import { choosing } from './choosing.ts';
import { encoded, ready } from './manifests.ts';

const colourful = things(
  { type: 'object', properties: { colour: { type: 'string' }, size: { type: 'integer' }, on: { type: 'boolean' } } },
  {
    version: { selectableFields: [{ jsonPath: '.spec.colour' }, { jsonPath: '.spec.size' }, { jsonPath: '.spec.on' }] },
  },
);

const colours: readonly Step[] = [
  ...ready(colourful),
  post('red', thingsPath, thing('a', { spec: { colour: 'red', size: 1, on: true } }), { setup: true }),
  post('blue', thingsPath, thing('b', { spec: { colour: 'blue', size: 2, on: false } }), { setup: true }),
  post('none', thingsPath, thing('c', { spec: {} }), { setup: true }),
];

const customFields = choosing(
  thingsPath,
  ['a', 'b', 'c'],
  [
    ['spec.colour', 'red', ['a']],
    ['spec.colour', '', ['c']],
    ['spec.size', '2', ['b']],
    ['spec.on', 'true', ['a']],
  ],
);

export const selectableFields: readonly Case[] = [
  {
    id: 'l4-list',
    section: 'list-watch',
    shows: ['API-L4'],
    title: 'a definition’s selectable fields choose in lists',
    steps: [
      ...colours,
      ...customFields.steps,
      get('two-fields', `${thingsPath}?fieldSelector=${encoded('spec.colour!=red,spec.size=2,metadata.name=b')}`),
      get('other', `${thingsPath}?fieldSelector=${encoded('spec.weight=1')}`),
    ],
    claims: [
      ...customFields.claims,
      claim('together with metadata.name', 'two-fields.body.items', { length: 1 }),
      claim('fields not declared are refused', 'other.body.message', { is: 'field label not supported: spec.weight' }),
    ],
  },
  {
    id: 'l4-watch',
    section: 'list-watch',
    shows: ['API-L4', 'API-W7'],
    title: 'a definition’s selectable fields choose in watches',
    steps: [
      ...colours,
      watch(
        'w',
        `${thingsPath}?watch=1&resourceVersion={{none.body.metadata.resourceVersion}}&fieldSelector=spec.colour%3Dred`,
      ),
      mergePatch('stays-blue', `${thingsPath}/b`, { spec: { size: 3 } }),
      mergePatch('turns-red', `${thingsPath}/b`, { spec: { colour: 'red' } }),
      mergePatch('stays-red', `${thingsPath}/b`, { spec: { size: 4 } }),
      mergePatch('turns-green', `${thingsPath}/b`, { spec: { colour: 'green' } }),
      remove('gone-red', `${thingsPath}/a`),
      events('seen', 'w', { count: 4, quietMs: 200 }),
    ],
    claims: [
      claim('only what matches', 'seen.events', { length: 4 }),
      claim('starts to match', 'seen.events.0.type', { is: 'ADDED' }),
      claim('goes on matching', 'seen.events.1.type', { is: 'MODIFIED' }),
      claim('stops to match', 'seen.events.2.type', { is: 'DELETED' }),
      claim('with the last matching content', 'seen.events.2.object.spec.colour', { is: 'red' }),
      claim('deleted', 'seen.events.3.object.metadata.name', { is: 'a' }),
    ],
  },
  {
    id: 'l4-deletecollection',
    section: 'list-watch',
    shows: ['API-L4', 'API-X8'],
    title: 'a definition’s selectable fields choose what deletecollection deletes',
    steps: [
      ...colours,
      remove('blue-ones', `${thingsPath}?fieldSelector=spec.colour%3Dblue`),
      get('left', thingsPath),
      remove('unknown', `${thingsPath}?fieldSelector=spec.weight%3D1`),
      put('still-there', `${thingsPath}/a`, {
        apiVersion: '{{group}}/v1',
        kind: 'Thing',
        metadata: { name: 'a', resourceVersion: '{{red.body.metadata.resourceVersion}}' },
        spec: { colour: 'red' },
      }),
    ],
    claims: [
      claim('the blue one was deleted', 'blue-ones.body.items.0.metadata.name', { is: 'b' }),
      claim('the others stay', 'left.body.items', { length: 2 }),
      claim('fields not declared are refused', 'unknown.status', { is: 400 }),
      claim('and nothing is deleted', 'still-there.status', { is: 200 }),
    ],
  },
];
