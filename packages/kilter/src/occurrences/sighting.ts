import { parseTime, type Stored } from '../api/index.ts';
import type { Event } from '../k8s/events/v1.ts';

/** What an Event says about how often and when it occurred. Times in milliseconds since 1970. */
export interface Sighting {
  readonly uid: string;
  /** What its occurrences are counted for, for example the machine behind it. */
  readonly group: string;
  /** At least 1. */
  readonly count: number;
  readonly first: number;
  readonly last: number;
  /** Set by the API server. Everything else is only as trustworthy as whoever may create Events. */
  readonly created: number;
}

/** What is not a time lies before all others. */
export const timeOf = (text: string | null | undefined): number => parseTime(text ?? '') ?? 0;

/** Events are written in two ways, with a count or with a series: the higher number is used. */
export function sightingOf(event: Stored<Event>, group: string): Sighting {
  const { metadata, series, eventTime, deprecatedCount, deprecatedFirstTimestamp, deprecatedLastTimestamp } = event;
  const created = timeOf(metadata.creationTimestamp);
  const times = [series?.lastObservedTime, deprecatedLastTimestamp, eventTime].filter((time) => time != null);
  return {
    uid: metadata.uid,
    group,
    count: Math.max(1, deprecatedCount ?? 1, series?.count ?? 1),
    first: timeOf(deprecatedFirstTimestamp ?? eventTime ?? metadata.creationTimestamp),
    last: times.length === 0 ? created : Math.max(...times.map(timeOf)),
    created,
  };
}
