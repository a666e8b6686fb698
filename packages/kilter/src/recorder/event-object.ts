import { formatMicroTime } from '../api/index.ts';
import { Event, type EventSeries } from '../k8s/events/v1.ts';
import type { Series } from './correlator.ts';
import type { Occurrence } from './occurrence.ts';
import { isDnsSubdomain } from './options.ts';

export interface Reporter {
  readonly reportingController: string;
  readonly reportingInstance: string;
}

/** Names Events so that no two of this process are equal, however fast they come. */
export function eventNames(uuid: () => string): (object: string, at: number) => string {
  let last = 0n;
  return (object, at) => {
    const nanoseconds = BigInt(Math.floor(at * 1000)) * 1000n;
    last = nanoseconds > last ? nanoseconds : last + 1n;
    const name = `${object}.${last.toString(16)}`;
    // Names of roles may hold colons, and any name may be too long for what is appended.
    return isDnsSubdomain(name) ? name : uuid();
  };
}

export function seriesOf({ count }: Series, { at }: Occurrence): EventSeries {
  return { count, lastObservedTime: formatMicroTime(at) };
}

/** The Event as it is created; one that occurred before, and could not be sent or was lost, tells how often. */
export function eventOf(
  name: string,
  occurrence: Occurrence,
  { reporter, series }: { reporter: Reporter; series: Series },
): Event {
  const { regarding, type, reason, action, at } = occurrence;
  return Event.build({
    name,
    // Objects without a namespace have their Events in `default`: the server allows no other.
    namespace: regarding.namespace ?? 'default',
    eventTime: formatMicroTime(at),
    type,
    reason,
    action,
    note: series.note,
    regarding: { ...regarding },
    ...reporter,
    ...(series.count > 1 && { series: seriesOf(series, occurrence) }),
  });
}
