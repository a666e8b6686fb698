import type { Case } from '../../src/case.ts';
import {
  claim,
  configMap,
  configMaps,
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
import { ready } from './manifests.ts';

const open = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
const end = ['metadata', 'annotations', 'k8s.io/initial-events-end'];
const initial = 'watch=1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
const watchList = `${initial}&allowWatchBookmarks=true`;
const onlyEnd = {
  untilEnd: true,
  only: ['status', 'ended'],
  because: 'another bookmark may follow or not: their timer has a jitter of a quarter of a second',
};
const far = '999999999999';
const tables = 'application/json;as=Table;v=v1;g=meta.k8s.io';
const metadata = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';

export const bookmarks: readonly Case[] = [
  {
    id: 'w5-before-the-timeout',
    section: 'list-watch',
    shows: ['API-W5'],
    title: 'a bookmark comes before the timeout, and only to watches that asked for it',
    steps: [
      ...ready(things(open)),
      get('list', thingsPath, { setup: true }),
      post('a', configMaps, configMap('a')),
      watch(
        'asked',
        `${configMaps}?watch=1&allowWatchBookmarks=true&timeoutSeconds=3&resourceVersion={{a.body.metadata.resourceVersion}}`,
      ),
      watch('unasked', `${configMaps}?watch=1&timeoutSeconds=3&resourceVersion={{a.body.metadata.resourceVersion}}`),
      watch(
        'denied',
        `${configMaps}?watch=1&allowWatchBookmarks=false&timeoutSeconds=3&resourceVersion={{a.body.metadata.resourceVersion}}`,
      ),
      watch(
        'custom',
        `${thingsPath}?watch=1&allowWatchBookmarks=true&timeoutSeconds=4&resourceVersion={{list.body.metadata.resourceVersion}}`,
      ),
      mergePatch('a2', `${configMaps}/a`, { data: { k: '2' } }),
      post('t', thingsPath, thing('t')),
      events('seen', 'asked', { count: 2 }),
      events('custom-seen', 'custom', { count: 2 }),
      events('end', 'asked', onlyEnd),
      events('unasked-seen', 'unasked', { untilEnd: true }),
      events('denied-seen', 'denied', { untilEnd: true }),
      events('custom-end', 'custom', onlyEnd),
    ],
    claims: [
      claim('the event first', 'seen.events.0.type', { is: 'MODIFIED' }),
      claim('BOOKMARK', 'seen.events.1.type', { is: 'BOOKMARK' }),
      claim('kind', 'seen.events.1.object.kind', { is: 'ConfigMap' }),
      claim('apiVersion', 'seen.events.1.object.apiVersion', { is: 'v1' }),
      claim('its RV is not below one already sent', 'seen.events.1.object.metadata.resourceVersion', {
        atLeast: 'a2.body.metadata.resourceVersion',
      }),
      claim('metadata.resourceVersion only', 'seen.events.1.object.metadata', { length: 1 }),
      claim('and nothing else', 'seen.events.1.object', { length: 3 }),
      claim('the timeout', 'end.ended', { is: true }),
      claim('the timeout', 'custom-end.ended', { is: true }),
      claim('never unasked', 'unasked-seen.events', { length: 1 }),
      claim('never where it is declined', 'denied-seen.events', { length: 1 }),
      claim('of a custom resource', 'custom-seen.events.1.type', { is: 'BOOKMARK' }),
      claim('kind', 'custom-seen.events.1.object.kind', { is: 'Thing' }),
      claim('its RV is not below one already sent', 'custom-seen.events.1.object.metadata.resourceVersion', {
        atLeast: 't.body.metadata.resourceVersion',
      }),
    ],
  },
  {
    id: 'w6-watch-list',
    section: 'list-watch',
    shows: ['API-W6'],
    title: 'WatchList: what there is, a bookmark, then what happens',
    steps: [
      post('b', configMaps, configMap('b')),
      post('a', configMaps, configMap('a')),
      watch('w', `${configMaps}?${watchList}`),
      events('burst', 'w', { count: 3 }),
      post('c', configMaps, configMap('c')),
      remove('b-gone', `${configMaps}/b`),
      events('live', 'w', { count: 2, quietMs: 200, passBookmarks: true }),
    ],
    claims: [
      claim('ADDED for all', 'burst.events.0.type', { is: 'ADDED' }),
      claim('by key', 'burst.events.0.object.metadata.name', { is: 'a' }),
      claim('ADDED for all', 'burst.events.1.type', { is: 'ADDED' }),
      claim('by key', 'burst.events.1.object.metadata.name', { is: 'b' }),
      claim('a BOOKMARK', 'burst.events.2.type', { is: 'BOOKMARK' }),
      claim('annotated', ['burst', 'events', '2', 'object', ...end], { is: 'true' }),
      claim('with the snapshot’s RV', 'burst.events.2.object.metadata.resourceVersion', {
        atLeast: 'a.body.metadata.resourceVersion',
      }),
      claim('then live events', 'live.events.0.type', { is: 'ADDED' }),
      claim('then live events', 'live.events.1.type', { is: 'DELETED' }),
      claim('and no more', 'live.events', { length: 2 }),
    ],
  },
  ...(['Metadata', 'Object', 'None'] as const).map((include): Case => ({
    id: `w6-watch-list-table-${include.toLowerCase()}`,
    section: 'list-watch',
    shows: ['API-W6', 'API-L10'],
    title: `the bookmark that ends a WatchList as a Table is a row, which shows its mark (includeObject=${include})`,
    steps: [
      post('a', configMaps, configMap('a')),
      watch('w', `${configMaps}?${watchList}&includeObject=${include}`, { send: { accept: tables } }),
      // The columns come with it, whose descriptions are Kubernetes' own.
      events('first', 'w', { count: 1, setup: true }),
      events('end', 'w', {
        count: 1,
        mask: ['events.0.object.metadata.resourceVersion', 'events.0.object.rows.0.object.metadata.resourceVersion'],
        because: 'others may have written between the object and the watch',
      }),
    ],
    claims: [
      claim('a row', 'end.events.0.object.rows', { length: 1 }),
      claim('with the mark', ['end', 'events', '0', 'object', 'rows', '0', 'object', ...end], { is: 'true' }),
    ],
  })),
  {
    id: 'w6-watch-list-metadata',
    section: 'list-watch',
    shows: ['API-W6', 'API-L10'],
    title: 'WatchList of metadata: what was stored, and a bookmark with its mark',
    steps: [
      post(
        'a',
        configMaps,
        configMap('a', { metadata: { labels: { l: 'x' }, annotations: { n: '<y>' } }, data: { d: 'z' } }),
      ),
      watch('w', `${configMaps}?${watchList}`, { send: { accept: metadata } }),
      events('burst', 'w', { count: 2 }),
    ],
    claims: [
      claim('labels', 'burst.events.0.object.metadata.labels.l', { is: 'x' }),
      claim('no data', 'burst.events.0.object.data', { present: false }),
      claim('annotated', ['burst', 'events', '1', 'object', ...end], { is: 'true' }),
    ],
  },
  {
    id: 'w6-watch-list-custom',
    section: 'list-watch',
    shows: ['API-W6'],
    title: 'WatchList of custom resources, full and empty',
    steps: [
      ...ready(things(open)),
      watch('empty', `${thingsPath}?${watchList}`),
      events('nothing', 'empty', { count: 1 }),
      post('a', thingsPath, thing('a', { spec: { n: 1 } })),
      watch('w', `${thingsPath}?${watchList}`),
      events('burst', 'w', { count: 2 }),
      mergePatch('change', `${thingsPath}/a`, { spec: { n: 2 } }),
      events('live', 'w', { count: 1, quietMs: 200, passBookmarks: true }),
      events('live-of-empty', 'empty', { count: 2, quietMs: 100, passBookmarks: true }),
    ],
    claims: [
      claim('nothing but the bookmark', 'nothing.events.0.type', { is: 'BOOKMARK' }),
      claim('annotated', ['nothing', 'events', '0', 'object', ...end], { is: 'true' }),
      claim('ADDED for all', 'burst.events.0.type', { is: 'ADDED' }),
      claim('a BOOKMARK', 'burst.events.1.type', { is: 'BOOKMARK' }),
      claim('annotated', ['burst', 'events', '1', 'object', ...end], { is: 'true' }),
      claim('with the snapshot’s RV', 'burst.events.1.object.metadata.resourceVersion', {
        atLeast: 'a.body.metadata.resourceVersion',
      }),
      claim('then live events', 'live.events.0.type', { is: 'MODIFIED' }),
      claim('live events after an empty burst', 'live-of-empty.events', { length: 2 }),
    ],
  },
  {
    id: 'w6-versions',
    section: 'list-watch',
    shows: ['API-W6'],
    title: 'the version of a WatchList: unset is consistent, 0 is any, N at least N',
    steps: [
      post('a', configMaps, configMap('a', { data: { k: '1' } }), { setup: true }),
      mergePatch('a2', `${configMaps}/a`, { data: { k: '2' } }, { setup: true }),
      watch('unset', `${configMaps}?${watchList}`),
      events('unset-seen', 'unset', { count: 2 }),
      watch('zero', `${configMaps}?${watchList}&resourceVersion=0`),
      events('zero-seen', 'zero', { count: 2 }),
      watch('n', `${configMaps}?${watchList}&resourceVersion={{a2.body.metadata.resourceVersion}}`),
      events('n-seen', 'n', { count: 2 }),
      watch('old', `${configMaps}?${watchList}&resourceVersion=1`),
      events('old-seen', 'old', { count: 2 }),
    ],
    claims: [
      claim('unset: a consistent snapshot', 'unset-seen.events.0.object.data.k', { is: '2' }),
      claim('unset: its RV', 'unset-seen.events.1.object.metadata.resourceVersion', {
        atLeast: 'a2.body.metadata.resourceVersion',
      }),
      claim('0: any', 'zero-seen.events.1.type', { is: 'BOOKMARK' }),
      claim('N: at least N', 'n-seen.events.1.object.metadata.resourceVersion', {
        atLeast: 'a2.body.metadata.resourceVersion',
      }),
      claim('an old N is not too old', 'old-seen.events.1.type', { is: 'BOOKMARK' }),
    ],
  },
  {
    id: 'w6-future-version',
    section: 'list-watch',
    shows: ['API-W6', 'API-E13'],
    title: 'a WatchList from a version that does not come',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      watch('w', `${configMaps}?${watchList}&resourceVersion=${far}`),
      events('seen', 'w', { untilEnd: true }),
    ],
    claims: [
      claim('ERROR', 'seen.events.0.type', { is: 'ERROR' }),
      claim('504', 'seen.events.0.object.code', { is: 504 }),
      claim('the end', 'seen.ended', { is: true }),
      claim('the message', 'seen.events.0.object.message', { matches: `^Timeout: Too large resource version: ${far}` }),
    ],
  },
  {
    id: 'w6-without-bookmarks',
    section: 'list-watch',
    shows: ['API-W6'],
    title: 'without allowWatchBookmarks the bookmark is missing',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      watch('w', `${configMaps}?${initial}`),
      events('burst', 'w', { count: 1, quietMs: 300 }),
      post('b', configMaps, configMap('b'), { setup: true }),
      events('live', 'w', { count: 1, quietMs: 100 }),
    ],
    claims: [
      claim('ADDED', 'burst.events.0.type', { is: 'ADDED' }),
      claim('and no bookmark', 'burst.events', { length: 1 }),
      claim('live events', 'live.events.0.object.metadata.name', { is: 'b' }),
    ],
  },
  {
    id: 'w6-changes-only',
    section: 'list-watch',
    shows: ['API-W6'],
    title: 'sendInitialEvents=false sends changes only',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      get('cached', `${configMaps}?resourceVersion={{a.body.metadata.resourceVersion}}`, { setup: true }),
      watch(
        'unset',
        `${configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      ),
      watch(
        'zero',
        `${configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true&resourceVersion=0`,
      ),
      watch(
        'n',
        `${configMaps}?watch=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion={{a.body.metadata.resourceVersion}}`,
      ),
      post('b', configMaps, configMap('b'), { setup: true }),
      events('unset-seen', 'unset', { count: 1, quietMs: 200, passBookmarks: true }),
      events('zero-seen', 'zero', { count: 1, quietMs: 100, passBookmarks: true }),
      events('n-seen', 'n', { count: 1, quietMs: 100, passBookmarks: true }),
    ],
    claims: ['unset', 'zero', 'n'].flatMap((name) => [
      claim('changes only', `${name}-seen.events`, { length: 1 }),
      claim('the change', `${name}-seen.events.0.object.metadata.name`, { is: 'b' }),
    ]),
  },
  {
    id: 'w6-refused',
    section: 'list-watch',
    shows: ['API-W6', 'API-E9'],
    title: 'parameters of a WatchList that contradict each other',
    steps: [
      get('no-match', `${configMaps}?watch=1&sendInitialEvents=true&allowWatchBookmarks=true`),
      get('exact', `${configMaps}?watch=1&sendInitialEvents=true&resourceVersionMatch=Exact&resourceVersion=5`),
      get('match-alone', `${configMaps}?watch=1&resourceVersionMatch=NotOlderThan`),
      get('match-with-version', `${configMaps}?watch=1&resourceVersionMatch=NotOlderThan&resourceVersion=5`),
      get('false-without-match', `${configMaps}?watch=1&sendInitialEvents=false`),
      get('with-continue', `${configMaps}?${watchList}&continue=abc`),
    ],
    claims: [
      claim('422', 'no-match.status', { is: 422 }),
      claim('of ListOptions', 'no-match.body.details.kind', { is: 'ListOptions' }),
      claim('the message', 'no-match.body.message', {
        matches: 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      }),
      claim('Exact: 422', 'exact.status', { is: 422 }),
      claim('422', 'match-alone.status', { is: 422 }),
      claim('the message', 'match-alone.body.message', {
        matches: 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      }),
      claim('422', 'match-with-version.status', { is: 422 }),
      claim('false wants it as well', 'false-without-match.status', { is: 422 }),
    ],
  },
  {
    id: 'w6-plain-watch',
    section: 'list-watch',
    shows: ['API-W6'],
    title: 'a plain watch from unset or 0 with bookmarks ends its burst with the annotated bookmark',
    steps: [
      post('a', configMaps, configMap('a'), { setup: true }),
      get('cached', `${configMaps}?resourceVersion={{a.body.metadata.resourceVersion}}`, { setup: true }),
      watch('unset', `${configMaps}?watch=1&allowWatchBookmarks=true`),
      watch('zero', `${configMaps}?watch=1&allowWatchBookmarks=true&resourceVersion=0`),
      watch('n', `${configMaps}?watch=1&allowWatchBookmarks=true&resourceVersion={{a.body.metadata.resourceVersion}}`),
      events('unset-seen', 'unset', { count: 2 }),
      events('zero-seen', 'zero', { count: 2 }),
      events('n-seen', 'n', { count: 0, quietMs: 300, passBookmarks: true }),
    ],
    claims: [
      claim('unset: the burst', 'unset-seen.events.0.type', { is: 'ADDED' }),
      claim('unset: the bookmark', 'unset-seen.events.1.type', { is: 'BOOKMARK' }),
      claim('unset: annotated', ['unset-seen', 'events', '1', 'object', ...end], { is: 'true' }),
      claim('0: the burst', 'zero-seen.events.0.type', { is: 'ADDED' }),
      claim('0: annotated', ['zero-seen', 'events', '1', 'object', ...end], { is: 'true' }),
      claim('from N: none', 'n-seen.events', { is: [] }),
    ],
  },
  {
    id: 'w6-selectors',
    section: 'list-watch',
    shows: ['API-W6', 'API-W7'],
    title: 'a WatchList with selectors',
    steps: [
      post('a', configMaps, configMap('a', { metadata: { labels: { on: 'yes' } } }), { setup: true }),
      post('b', configMaps, configMap('b'), { setup: true }),
      watch('by-label', `${configMaps}?${watchList}&labelSelector=on%3Dyes`),
      watch('by-name', `${configMaps}?${watchList}&fieldSelector=metadata.name%3Db`),
      watch('nobody', `${configMaps}?${watchList}&fieldSelector=metadata.name%3Dnobody`),
      events('label-seen', 'by-label', { count: 2 }),
      events('name-seen', 'by-name', { count: 2 }),
      events('nobody-seen', 'nobody', { count: 1 }),
    ],
    claims: [
      claim('what matches', 'label-seen.events.0.object.metadata.name', { is: 'a' }),
      claim('then the bookmark', 'label-seen.events.1.type', { is: 'BOOKMARK' }),
      claim('the one object', 'name-seen.events.0.object.metadata.name', { is: 'b' }),
      claim('then the bookmark', 'name-seen.events.1.type', { is: 'BOOKMARK' }),
      claim('nothing but the bookmark', 'nobody-seen.events.0.type', { is: 'BOOKMARK' }),
    ],
  },
];
