// Odd paths: nothing is tidied up on the way to the handler.
import type { Case } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post, remove } from '../../src/steps.ts';

export const paths: readonly Case[] = [
  {
    id: 't13-dot-segments',
    section: 'transport',
    shows: ['API-T13'],
    title: 'dot segments are names, and refused as such: nothing above them is reached',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      remove('up', `${configMaps}/%2e%2e`),
      remove('up-plain', `${configMaps}/..`),
      remove('here', `${configMaps}/%2E`),
      get('read', `${configMaps}/%2e%2e`),
      get('escaped', `${configMaps}/a%25b`),
      get('twice', `${configMaps}/%252e%252e`),
      get('cluster-wide', '/api/v1/nodes/%2e%2e'),
      get('there', `${configMaps}/x`),
    ],
    claims: [
      claim('400', 'up.status', { is: 400 }),
      claim('why', 'up.body.message', { contains: "may not be '..'" }),
      claim('the namespace is still there', 'there.status', { is: 200 }),
    ],
  },
  {
    id: 't13-slashes',
    section: 'transport',
    shows: ['API-T13'],
    title: 'an encoded slash is a slash',
    steps: [
      post('create', configMaps, configMap('x'), { setup: true }),
      get('encoded', '/api/v1/namespaces/{{ns}}%2Fconfigmaps/x'),
      get('inside-the-name', `${configMaps}/x%2Fstatus`),
    ],
    claims: [claim('read as a slash', 'encoded.status', { is: 200 })],
  },
];
