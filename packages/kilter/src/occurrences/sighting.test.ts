import { expect, test } from 'vitest';
import type { Stored } from '../api/index.ts';
import type { Event } from '../k8s/events/v1.ts';
import { sightingOf } from './sighting.ts';

const early = '2026-01-01T00:00:00Z';
const created = '2026-01-01T00:10:00Z';
const late = '2026-01-01T00:20:00.500000Z';
const event = (given: Partial<Event>): Stored<Event> =>
  ({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'n', uid: 'u', resourceVersion: '1', creationTimestamp: created },
    ...given,
  }) as Stored<Event>;
const at = (time: string): number => Date.parse(time);

test.each<[string, Partial<Event>, object]>([
  ['nothing but its creation', {}, { count: 1, first: at(created), last: at(created) }],
  ['a count of the old form', { deprecatedCount: 7 }, { count: 7 }],
  ['a series', { deprecatedCount: 7, series: { count: 9, lastObservedTime: late } }, { count: 9, last: at(late) }],
  ['a series that says less', { deprecatedCount: 7, series: { count: 2, lastObservedTime: late } }, { count: 7 }],
  [
    'a series that is older than its count',
    { deprecatedCount: 7, deprecatedLastTimestamp: late, series: { count: 2, lastObservedTime: early } },
    { count: 7, last: at(late) },
  ],
  ['a count that is not positive', { deprecatedCount: -3, series: { count: 0, lastObservedTime: late } }, { count: 1 }],
  [
    'times of the old form',
    { deprecatedFirstTimestamp: early, deprecatedLastTimestamp: late },
    { first: at(early), last: at(late) },
  ],
  ['one time', { eventTime: early }, { first: at(early), last: at(early) }],
  ['a time that is not one', { eventTime: 'soon' }, { first: 0, last: 0 }],
])('OC-5: an Event that has %s', (_, given, told) => {
  expect(sightingOf(event(given), 'g')).toMatchObject({ uid: 'u', group: 'g', created: at(created), ...told });
});
