import type { Case } from '../../src/case.ts';
import { claim, configMap, configMaps, post } from '../../src/steps.ts';

export const create: readonly Case[] = [
  {
    id: 'c5-duplicate',
    section: 'create-update',
    shows: ['API-C5'],
    title: 'a second create of the same name is refused, and the details name the resource',
    steps: [post('first', configMaps, configMap('x')), post('again', configMaps, configMap('x'))],
    claims: [
      claim('409', 'again.status', { is: 409 }),
      claim('AlreadyExists', 'again.body.reason', { is: 'AlreadyExists' }),
      claim('the message', 'again.body.message', { is: 'configmaps "x" already exists' }),
      claim('details.kind holds the resource', 'again.body.details.kind', { is: 'configmaps' }),
    ],
  },
];
