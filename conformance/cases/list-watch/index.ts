import type { Case } from '../../src/case.ts';
import {
  claim,
  define,
  events,
  get,
  mergePatch,
  post,
  remove,
  thing,
  things,
  thingsPath,
  watch,
} from '../../src/steps.ts';

export const listWatch: readonly Case[] = [
  {
    id: 'w1-events',
    section: 'list-watch',
    shows: ['API-W1'],
    title: 'a watch sends what happens as lines, and a deletion with its own version',
    steps: [
      ...define('crd', things({ type: 'object', properties: { n: { type: 'integer' } } })),
      get('list', thingsPath),
      watch('w', `${thingsPath}?watch=1&resourceVersion={{list.body.metadata.resourceVersion}}`),
      post('create', thingsPath, thing('a', { spec: { n: 1 } })),
      mergePatch('change', `${thingsPath}/a`, { spec: { n: 2 } }),
      remove('gone', `${thingsPath}/a`),
      events('seen', 'w', { count: 3, quietMs: 300 }),
    ],
    claims: [
      claim('one line each', 'seen.events', { length: 3 }),
      claim('200', 'seen.status', { is: 200 }),
      claim('DELETED has the deletion’s version', 'seen.events.2.object.metadata.resourceVersion', {
        greaterThan: 'change.body.metadata.resourceVersion',
      }),
    ],
  },
];
