// 400 and 415: numbers, media types and headers that cannot be read.
import type { Case, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post } from '../../src/steps.ts';

const numbers: readonly [step: string, query: string][] = [
  ['limit-large', 'limit=99999999999999999999'],
  ['limit-text', 'limit=abc'],
  ['limit-fraction', 'limit=1.5'],
  ['limit-empty', 'limit='],
  ['timeout-empty', 'timeoutSeconds'],
  ['timeout-large', 'timeoutSeconds=99999999999999999999'],
];

const contentTypes: readonly [step: string, type: string, status: number][] = [
  ['semicolons', ';;;', 415],
  ['no-value', 'application/json; charset', 415],
  ['twice', 'application/json; a=b; a=c', 415],
  ['a-list', 'application/json, text/plain', 415],
  ['one-word', 'application', 415],
  ['stars', '*/*', 415],
  ['trailing', 'application/json;', 201],
  ['quoted', 'application/json; a="b;c"', 201],
  ['capitals', 'APPLICATION/JSON', 201],
];

const impersonation: readonly [step: string, headers: Readonly<Record<string, string>>][] = [
  ['group', { 'impersonate-group': 'g' }],
  ['uid', { 'impersonate-uid': 'u' }],
  ['extra', { 'impersonate-extra-foo': 'x' }],
  ['group-and-uid', { 'impersonate-group': 'g', 'impersonate-uid': 'u' }],
  ['empty-group', { 'impersonate-group': '' }],
];

const sent = ([step, type]: (typeof contentTypes)[number]): Step =>
  post(step, `${configMaps}?dryRun=All`, configMap('x'), { send: { 'content-type': type } });

export const badRequests: readonly Case[] = [
  {
    id: 'e1-numbers',
    section: 'errors',
    shows: ['API-E1'],
    title: 'numbers of the query that are none, or too large for 64 bits',
    steps: numbers.map(([step, query]) => get(step, `${configMaps}?${query}`)),
    claims: numbers.map(([step]) => claim(step, `${step}.status`, { is: 400 })),
  },
  {
    id: 't4-not-media-types',
    section: 'errors',
    shows: ['API-T4'],
    title: 'a Content-Type that is not a media type is 415',
    steps: contentTypes.map(sent),
    claims: contentTypes.map(([step, , status]) => claim(step, `${step}.status`, { is: status })),
  },
  {
    id: 'e1-impersonation',
    section: 'errors',
    shows: ['API-E1'],
    title: 'groups, uid or extras of nobody are 400, an empty user is none',
    steps: [
      ...impersonation.map(([step, send]) => get(step, configMaps, { send })),
      get('empty-user', configMaps, {
        send: { 'impersonate-user': '' },
        only: ['status'],
        because: 'that it is served counts',
      }),
    ],
    claims: [
      ...impersonation.map(([step]) => claim(step, `${step}.status`, { is: 400 })),
      claim('an empty user is none', 'empty-user.status', { is: 200 }),
    ],
  },
];
