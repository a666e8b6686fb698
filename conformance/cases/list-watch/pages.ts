import type { Case, Step } from '../../src/case.ts';
import { claim, configMap, configMaps, get, post, remove, thing, things, thingsPath } from '../../src/steps.ts';
import { ready } from './manifests.ts';

const five = (path: string, make: (name: string) => { [key: string]: string } | object): Step[] =>
  ['p1', 'p2', 'p3', 'p4', 'p5'].map((name) => post(name, path, make(name) as never, { setup: true }));

const labelled = (name: string): object => configMap(name, { metadata: { labels: { all: 'yes' } } });

// {"v":"meta.k8s.io/v1","rv":1,"start":"/p1\u0000"}: a snapshot no history reaches back to.
const oldToken = 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MSwic3RhcnQiOiIvcDFcdTAwMDAifQ';
// {"v":"meta.k8s.io/v1","rv":0,"start":"/p1\u0000"}
const zeroToken = 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6MCwic3RhcnQiOiIvcDFcdTAwMDAifQ';
// {"v":"meta.k8s.io/v2","rv":5,"start":"/p1\u0000"}
const otherVersionToken = 'eyJ2IjoibWV0YS5rOHMuaW8vdjIiLCJydiI6NSwic3RhcnQiOiIvcDFcdTAwMDAifQ';
// {"v":"meta.k8s.io/v1","rv":5}
const nowhereToken = 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NX0';
// {"v":"meta.k8s.io/v1","rv":5,"start":"/../x"}
const outsideToken = 'eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6NSwic3RhcnQiOiIvLi4veCJ9';

export const pages: readonly Case[] = [
  {
    id: 'l5-pages',
    section: 'list-watch',
    shows: ['API-L5'],
    title: 'pages come from the snapshot of the first and carry its version',
    steps: [
      ...five(configMaps, (name) => configMap(name)),
      get('first', `${configMaps}?limit=2`),
      post('inserted', configMaps, configMap('p2-later'), { setup: true }),
      remove('removed', `${configMaps}/p3`, { setup: true }),
      get('second', `${configMaps}?limit=2&continue={{first.body.metadata.continue}}`),
      get('third', `${configMaps}?limit=2&continue={{second.body.metadata.continue}}`),
      get('rest', `${configMaps}?continue={{first.body.metadata.continue}}`),
      get('now', configMaps),
    ],
    claims: [
      claim('limit', 'first.body.items', { length: 2 }),
      claim('remainingItemCount without selector', 'first.body.metadata.remainingItemCount', { is: 3 }),
      claim('the token’s form', 'first.body.metadata.continue', { matches: '^eyJ2IjoibWV0YS5rOHMuaW8vdjEiLCJydiI6' }),
      claim('from the snapshot: p3, since deleted', 'second.body.items.0.metadata.name', { is: 'p3' }),
      claim('from the snapshot: p4', 'second.body.items.1.metadata.name', { is: 'p4' }),
      claim('its RV', 'second.body.metadata.resourceVersion', { sameAs: 'first.body.metadata.resourceVersion' }),
      claim('remaining', 'second.body.metadata.remainingItemCount', { is: 1 }),
      claim('the last page', 'third.body.items', { length: 1 }),
      claim('the last page has the RV as well', 'third.body.metadata.resourceVersion', {
        sameAs: 'first.body.metadata.resourceVersion',
      }),
      claim('no token on the last page', 'third.body.metadata.continue', { present: false }),
      claim('nothing remains', 'third.body.metadata.remainingItemCount', { present: false }),
      claim('continue without limit: all the rest', 'rest.body.items', { length: 3 }),
      claim('a new list sees the changes', 'now.body.items.2.metadata.name', { is: 'p2-later' }),
      claim('a new list sees the changes', 'now.body.items.3.metadata.name', { is: 'p4' }),
    ],
  },
  {
    id: 'l5-pages-of-custom-resources',
    section: 'list-watch',
    shows: ['API-L5'],
    title: 'custom resources are paged alike',
    steps: [
      ...ready(things({ type: 'object' })),
      ...five(thingsPath, (name) => thing(name)),
      get('first', `${thingsPath}?limit=3`),
      remove('removed', `${thingsPath}/p5`, { setup: true }),
      get('second', `${thingsPath}?limit=3&continue={{first.body.metadata.continue}}`),
    ],
    claims: [
      claim('limit', 'first.body.items', { length: 3 }),
      claim('remainingItemCount', 'first.body.metadata.remainingItemCount', { is: 2 }),
      claim('from the snapshot', 'second.body.items.1.metadata.name', { is: 'p5' }),
      claim('its RV', 'second.body.metadata.resourceVersion', { sameAs: 'first.body.metadata.resourceVersion' }),
    ],
  },
  {
    id: 'l5-pages-with-selector',
    section: 'list-watch',
    shows: ['API-L5'],
    title: 'with a selector nobody says how many remain, and a page is full of what matches',
    steps: [
      ...five(configMaps, labelled),
      post('q', configMaps, configMap('p2-unlabelled'), { setup: true }),
      get('by-label', `${configMaps}?limit=3&labelSelector=all%3Dyes`),
      get(
        'by-label-rest',
        `${configMaps}?limit=3&labelSelector=all%3Dyes&continue={{by-label.body.metadata.continue}}`,
      ),
      get('by-field', `${configMaps}?limit=2&fieldSelector=metadata.name!%3Dp1`),
      get('exactly', `${configMaps}?limit=5&labelSelector=all%3Dyes`),
    ],
    claims: [
      claim('a full page', 'by-label.body.items', { length: 3 }),
      claim('goes on', 'by-label.body.metadata.continue', { present: true }),
      claim('remainingItemCount only without selector', 'by-label.body.metadata.remainingItemCount', {
        present: false,
      }),
      claim('the rest', 'by-label-rest.body.items', { length: 2 }),
      claim('nor with a field selector', 'by-field.body.metadata.remainingItemCount', { present: false }),
      claim('goes on', 'by-field.body.metadata.continue', { present: true }),
      claim('as many as match', 'exactly.body.items', { length: 5 }),
      claim('nothing follows', 'exactly.body.metadata.continue', { present: false }),
    ],
  },
  {
    id: 'l5-limits',
    section: 'list-watch',
    shows: ['API-L5'],
    title: 'limits that are not a page',
    steps: [
      ...five(configMaps, (name) => configMap(name)),
      get('zero', `${configMaps}?limit=0`),
      get('exact', `${configMaps}?limit=5`),
      get('larger', `${configMaps}?limit=500`),
      get('from-cache', `${configMaps}?limit=2&resourceVersion=0`),
      get('negative', `${configMaps}?limit=-1`),
      get('no-number', `${configMaps}?limit=x`),
    ],
    claims: [
      claim('0 is not a limit', 'zero.body.items', { length: 5 }),
      claim('all fit', 'exact.body.metadata.continue', { present: false }),
      claim('more than there are', 'larger.body.items', { length: 5 }),
      claim('RV 0 ignores the limit', 'from-cache.body.items', { length: 5 }),
    ],
  },
  {
    id: 'l5-continue-with-version',
    section: 'list-watch',
    shows: ['API-L5', 'API-L7'],
    title: 'a token already says its version',
    steps: [
      ...five(configMaps, (name) => configMap(name)),
      get('first', `${configMaps}?limit=2`),
      get(
        'with-version',
        `${configMaps}?limit=2&continue={{first.body.metadata.continue}}&resourceVersion={{first.body.metadata.resourceVersion}}`,
      ),
      get('with-zero', `${configMaps}?limit=2&continue={{first.body.metadata.continue}}&resourceVersion=0`),
      get(
        'with-match',
        `${configMaps}?limit=2&continue={{first.body.metadata.continue}}&resourceVersionMatch=NotOlderThan`,
      ),
      get(
        'with-match-and-version',
        `${configMaps}?limit=2&continue={{first.body.metadata.continue}}&resourceVersion=0&resourceVersionMatch=NotOlderThan`,
      ),
    ],
    claims: [
      claim('another RV: 400', 'with-version.status', { is: 400 }),
      claim('the message', 'with-version.body.message', {
        is: 'specifying resource version is not allowed when using continue',
      }),
      claim('0 is allowed', 'with-zero.status', { is: 200 }),
      claim('the second page', 'with-zero.body.items.0.metadata.name', { is: 'p3' }),
      claim('match without RV: 422', 'with-match.status', { is: 422 }),
      claim('match with continue: 422', 'with-match-and-version.status', { is: 422 }),
      claim('the message', 'with-match-and-version.body.message', {
        matches: 'resourceVersionMatch is forbidden when continue is provided',
      }),
    ],
  },
  {
    id: 'l5-bad-tokens',
    section: 'list-watch',
    shows: ['API-L5', 'API-E1'],
    title: 'invalid tokens',
    steps: [
      get('no-base64', `${configMaps}?limit=2&continue=!!!`),
      get('no-json', `${configMaps}?limit=2&continue=abcd`),
      get('version-zero', `${configMaps}?limit=2&continue=${zeroToken}`),
      get('other-version', `${configMaps}?limit=2&continue=${otherVersionToken}`),
      get('nowhere', `${configMaps}?limit=2&continue=${nowhereToken}`),
      get('outside', `${configMaps}?limit=2&continue=${outsideToken}`),
    ],
    claims: ['no-base64', 'no-json', 'version-zero', 'other-version', 'nowhere', 'outside'].map((step) =>
      claim('400', `${step}.status`, { is: 400 }),
    ),
  },
  {
    id: 'l6-expired-token',
    section: 'list-watch',
    shows: ['API-L6', 'API-E7'],
    title: 'a token whose snapshot is gone is answered with one that goes on at the latest revision',
    steps: [
      ...five(configMaps, (name) => configMap(name)),
      get('expired', `${configMaps}?limit=2&continue=${oldToken}`),
      post('added', configMaps, configMap('p2-later'), { setup: true }),
      get('goes-on', `${configMaps}?limit=2&continue={{expired.body.metadata.continue}}`),
      get('next', `${configMaps}?limit=2&continue={{goes-on.body.metadata.continue}}`),
      get('rest', `${configMaps}?limit=2&continue={{next.body.metadata.continue}}`),
    ],
    claims: [
      claim('410', 'expired.status', { is: 410 }),
      claim('Expired', 'expired.body.reason', { is: 'Expired' }),
      claim('the message', 'expired.body.message', { matches: '^The provided continue parameter is too old ' }),
      claim('with metadata.continue', 'expired.body.metadata.continue', { matches: '^eyJ2' }),
      claim('it goes on', 'goes-on.status', { is: 200 }),
      claim('after the same name', 'goes-on.body.items.0.metadata.name', { is: 'p2' }),
      claim('at the latest revision', 'goes-on.body.items.1.metadata.name', { is: 'p2-later' }),
      claim('whose RV is new', 'goes-on.body.metadata.resourceVersion', {
        atLeast: 'added.body.metadata.resourceVersion',
      }),
      claim('and to the end', 'rest.body.items.0.metadata.name', { is: 'p5' }),
      claim('which is the end', 'rest.body.metadata.continue', { present: false }),
    ],
  },
];
