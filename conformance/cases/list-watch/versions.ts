import type { Case } from '../../src/case.ts';
import { claim, configMap, configMaps, get, mergePatch, post, thing, things, thingsPath } from '../../src/steps.ts';
import { ready } from './manifests.ts';

const far = '999999999999';
const expired = 'The resourceVersion for the provided list is too old.';

export const versions: readonly Case[] = [
  {
    id: 'l7-versions-of-a-list',
    section: 'list-watch',
    shows: ['API-L7'],
    title: 'which snapshot a list is of: unset, 0, not older than, exact',
    steps: [
      post('a', configMaps, configMap('a')),
      post('b', configMaps, configMap('b')),
      get('unset', configMaps),
      get('zero', `${configMaps}?resourceVersion=0`, {
        until: { at: 'zero.body.items.1.metadata.name', is: 'b' },
      }),
      get('zero-not-older', `${configMaps}?resourceVersion=0&resourceVersionMatch=NotOlderThan`, {
        until: { at: 'zero-not-older.body.items.1.metadata.name', is: 'b' },
      }),
      get(
        'not-older',
        `${configMaps}?resourceVersion={{b.body.metadata.resourceVersion}}&resourceVersionMatch=NotOlderThan`,
      ),
      get(
        'not-older-than-a',
        `${configMaps}?resourceVersion={{a.body.metadata.resourceVersion}}&resourceVersionMatch=NotOlderThan`,
        {
          until: { at: 'not-older-than-a.body.items.1.metadata.name', is: 'b' },
        },
      ),
      get('exact', `${configMaps}?resourceVersion={{a.body.metadata.resourceVersion}}&resourceVersionMatch=Exact`),
      get('alone', `${configMaps}?resourceVersion={{b.body.metadata.resourceVersion}}`),
      get('alone-with-limit', `${configMaps}?resourceVersion={{a.body.metadata.resourceVersion}}&limit=10`),
      get(
        'not-older-with-limit',
        `${configMaps}?resourceVersion={{b.body.metadata.resourceVersion}}&resourceVersionMatch=NotOlderThan&limit=1`,
      ),
    ],
    claims: [
      claim('unset: most recent', 'unset.body.items', { length: 2 }),
      claim('unset: its RV', 'unset.body.metadata.resourceVersion', { atLeast: 'b.body.metadata.resourceVersion' }),
      claim('0: any', 'zero.status', { is: 200 }),
      claim('N NotOlderThan', 'not-older.body.items', { length: 2 }),
      claim('N NotOlderThan: its RV', 'not-older.body.metadata.resourceVersion', {
        atLeast: 'b.body.metadata.resourceVersion',
      }),
      claim('N Exact: that snapshot', 'exact.body.items', { length: 1 }),
      claim('N Exact: that RV', 'exact.body.metadata.resourceVersion', { sameAs: 'a.body.metadata.resourceVersion' }),
      claim('N alone: NotOlderThan', 'alone.body.metadata.resourceVersion', {
        atLeast: 'b.body.metadata.resourceVersion',
      }),
      claim('N alone: NotOlderThan', 'alone.body.items', { length: 2 }),
      claim('N alone with limit: Exact', 'alone-with-limit.body.items', { length: 1 }),
      claim('N alone with limit: that RV', 'alone-with-limit.body.metadata.resourceVersion', {
        sameAs: 'a.body.metadata.resourceVersion',
      }),
      claim('NotOlderThan holds with limit', 'not-older-with-limit.body.metadata.resourceVersion', {
        atLeast: 'b.body.metadata.resourceVersion',
      }),
    ],
  },
  {
    id: 'l7-exact-pages',
    section: 'list-watch',
    shows: ['API-L7', 'API-L5'],
    title: 'an exact list can be paged',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      post('b', configMaps, configMap('b'), { setup: true }),
      mergePatch('change', `${configMaps}/b`, { data: { k: 'v' } }, { setup: true }),
      get(
        'first',
        `${configMaps}?resourceVersion={{b.body.metadata.resourceVersion}}&resourceVersionMatch=Exact&limit=1`,
      ),
      get('second', `${configMaps}?limit=1&continue={{first.body.metadata.continue}}`),
    ],
    claims: [
      claim('that RV', 'first.body.metadata.resourceVersion', { sameAs: 'b.body.metadata.resourceVersion' }),
      claim('that RV on the second page', 'second.body.metadata.resourceVersion', {
        sameAs: 'b.body.metadata.resourceVersion',
      }),
      claim('the content of then', 'second.body.items.0.data', { present: false }),
    ],
  },
  {
    id: 'l7-exact-custom',
    section: 'list-watch',
    shows: ['API-L7'],
    title: 'exact lists of custom resources',
    steps: [
      ...ready(things({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true })),
      post('a', thingsPath, thing('a', { spec: { n: 1 } })),
      mergePatch('change', `${thingsPath}/a`, { spec: { n: 2 } }),
      get('exact', `${thingsPath}?resourceVersion={{a.body.metadata.resourceVersion}}&resourceVersionMatch=Exact`),
      get('alone', `${thingsPath}?resourceVersion={{change.body.metadata.resourceVersion}}`),
    ],
    claims: [
      claim('N Exact: that snapshot', 'exact.body.items.0.spec.n', { is: 1 }),
      claim('N alone: NotOlderThan', 'alone.body.items.0.spec.n', { is: 2 }),
    ],
  },
  {
    id: 'l7-future',
    section: 'list-watch',
    shows: ['API-L7', 'API-E13'],
    title: 'a version that does not come in 3 s is a timeout',
    steps: [
      {
        do: 'together',
        name: 'lists',
        requests: [
          get('alone', `${configMaps}?resourceVersion=${far}`, { headers: ['retry-after'] }),
          get('not-older', `${configMaps}?resourceVersion=${far}&resourceVersionMatch=NotOlderThan`),
        ],
      },
      get('exact', `${configMaps}?resourceVersion=${far}&resourceVersionMatch=Exact`),
    ],
    claims: [
      claim('504', 'lists.answers.0.status', { is: 504 }),
      claim('Timeout', 'lists.answers.0.body.reason', { is: 'Timeout' }),
      claim('the message', 'lists.answers.0.body.message', {
        matches: `^Timeout: Too large resource version: ${far}, current: \\d+$`,
      }),
      claim('the cause', 'lists.answers.0.body.details.causes.0.reason', { is: 'ResourceVersionTooLarge' }),
      claim('N NotOlderThan: 504', 'lists.answers.1.status', { is: 504 }),
      claim('N Exact: 504', 'exact.status', { is: 504 }),
    ],
  },
  {
    id: 'l7-gone',
    section: 'list-watch',
    shows: ['API-L7', 'API-E7'],
    title: 'an exact version that is gone',
    steps: [
      get('exact', `${configMaps}?resourceVersion=1&resourceVersionMatch=Exact`),
      get('alone-with-limit', `${configMaps}?resourceVersion=1&limit=5`),
      get('not-older', `${configMaps}?resourceVersion=1&resourceVersionMatch=NotOlderThan`),
    ],
    claims: [
      claim('410', 'exact.status', { is: 410 }),
      claim('Expired', 'exact.body.reason', { is: 'Expired' }),
      claim('the message', 'exact.body.message', { is: expired }),
      claim('N with limit is Exact: 410', 'alone-with-limit.status', { is: 410 }),
      claim('not older than 1: any', 'not-older.status', { is: 200 }),
    ],
  },
  {
    id: 'l7-refused',
    section: 'list-watch',
    shows: ['API-L7', 'API-E1'],
    title: 'versions and matches that contradict each other',
    steps: [
      get('match-alone', `${configMaps}?resourceVersionMatch=NotOlderThan`),
      get('exact-alone', `${configMaps}?resourceVersionMatch=Exact`),
      get('exact-zero', `${configMaps}?resourceVersion=0&resourceVersionMatch=Exact`),
      get('unknown-match', `${configMaps}?resourceVersion=1&resourceVersionMatch=Newest`),
      get('no-number', `${configMaps}?resourceVersion=abc`),
      get('negative', `${configMaps}?resourceVersion=-1`),
      get('initial-events', `${configMaps}?sendInitialEvents=true`),
    ],
    claims: [
      claim('match without RV: 422', 'match-alone.status', { is: 422 }),
      claim('of ListOptions', 'match-alone.body.details.kind', { is: 'ListOptions' }),
      claim('match without RV: 422', 'exact-alone.status', { is: 422 }),
      claim('Exact with 0: 422', 'exact-zero.status', { is: 422 }),
      claim('an unknown match: 422', 'unknown-match.status', { is: 422 }),
      claim('no version: 400', 'no-number.status', { is: 400 }),
      claim('the message', 'no-number.body.message', { matches: '^(invalid resource version|Invalid value)' }),
      claim('sendInitialEvents is for watches: 422', 'initial-events.status', { is: 422 }),
    ],
  },
  {
    id: 'l8-get',
    section: 'list-watch',
    shows: ['API-L8'],
    title: 'the version of a get: unset is the most recent, N not older than N',
    steps: [
      post('create', configMaps, configMap('a', { data: { k: '1' } })),
      mergePatch('change', `${configMaps}/a`, { data: { k: '2' } }),
      get('unset', `${configMaps}/a`),
      get('not-older', `${configMaps}/a?resourceVersion={{change.body.metadata.resourceVersion}}`),
      get('older', `${configMaps}/a?resourceVersion={{create.body.metadata.resourceVersion}}`, {
        until: { at: 'older.body.data.k', is: '2' },
      }),
      get('zero', `${configMaps}/a?resourceVersion=0`, { until: { at: 'zero.body.data.k', is: '2' } }),
      get('no-number', `${configMaps}/a?resourceVersion=abc`),
      get('missing', `${configMaps}/nobody?resourceVersion=0`),
    ],
    claims: [
      claim('unset: most recent', 'unset.body.data.k', { is: '2' }),
      claim('N: not older', 'not-older.body.metadata.resourceVersion', {
        atLeast: 'change.body.metadata.resourceVersion',
      }),
      claim('N is not an exact version', 'older.body.data.k', { is: '2' }),
    ],
  },
  {
    id: 'l8-get-future',
    section: 'list-watch',
    shows: ['API-L8', 'API-E13'],
    title: 'a get of a version that does not come in 3 s is a timeout',
    steps: [post('create', configMaps, configMap('a')), get('future', `${configMaps}/a?resourceVersion=${far}`)],
    claims: [
      claim('504', 'future.status', { is: 504 }),
      claim('the message', 'future.body.message', {
        matches: `^Timeout: Too large resource version: ${far}, current: \\d+$`,
      }),
    ],
  },
];
