import type { JsonObject } from 'kilter/api';

/** Each field of events.k8s.io/v1 with its name in core/v1, where the two differ. */
const names: readonly (readonly [modern: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['reportingController', 'reportingComponent'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
];

const toCore = new Map(names);
const toModern = new Map(names.map(([modern, core]) => [core, modern]));

function renamed(event: JsonObject, table: ReadonlyMap<string, string>, apiVersion: string): JsonObject {
  const entries = Object.entries(event).map(([field, value]) => [table.get(field) ?? field, value] as const);
  return { ...Object.fromEntries(entries), apiVersion };
}

/** The two groups of Events are two spellings of one store: this one is stored. */
export function coreEvent(event: JsonObject): JsonObject {
  return renamed(event, toCore, 'v1');
}

/** The new group leaves out what the old one always shows. */
export function modernEvent(event: JsonObject): JsonObject {
  const { reportingComponent, reportingInstance, ...rest } = event;
  const named = {
    ...rest,
    ...(reportingComponent !== '' && reportingComponent !== undefined && { reportingComponent }),
    ...(reportingInstance !== '' && reportingInstance !== undefined && { reportingInstance }),
  };
  return renamed(named, toModern, 'events.k8s.io/v1');
}
