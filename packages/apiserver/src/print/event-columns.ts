import type { JsonObject } from 'kilter/api';
import { column, type Column, wide } from './column.ts';
import { at, count, since, text } from './fields.ts';

/** Where an event of either API keeps what both have. */
export interface EventFields {
  readonly object: 'involvedObject' | 'regarding';
  readonly message: 'message' | 'note';
  readonly reporter: 'reportingComponent' | 'reportingController';
}

function firstSeen(event: JsonObject): string {
  return text(event, 'firstTimestamp') || text(event, 'deprecatedFirstTimestamp') || text(event, 'eventTime');
}

function lastSeen(event: JsonObject): string {
  const series = text(event, 'series', 'lastObservedTime');
  return series || text(event, 'lastTimestamp') || text(event, 'deprecatedLastTimestamp') || firstSeen(event);
}

function occurrences(event: JsonObject): number {
  return count(event, 'series', 'count') || count(event, 'count') || count(event, 'deprecatedCount') || 1;
}

function source(event: JsonObject, { reporter }: EventFields): string {
  const origin = at(event, 'source') ?? at(event, 'deprecatedSource');
  const parts = [text(origin, 'component') || text(event, reporter), text(origin, 'host')];
  return parts.filter((part) => part !== '').join(', ');
}

export function eventColumns(fields: EventFields): readonly Column[] {
  const about = (event: JsonObject): string => {
    const kind = text(event, fields.object, 'kind').toLowerCase();
    const name = text(event, fields.object, 'name');
    return name === '' ? kind : `${kind}/${name}`;
  };
  return [
    column('Last Seen', (event, now) => since(lastSeen(event), now)),
    column('Type', (event) => text(event, 'type')),
    column('Reason', (event) => text(event, 'reason')),
    column('Object', about),
    wide('Subobject', (event) => text(event, fields.object, 'fieldPath')),
    wide('Source', (event) => source(event, fields)),
    column('Message', (event) => text(event, fields.message).trim()),
    wide('First Seen', (event, now) => since(firstSeen(event), now)),
    wide('Count', occurrences),
    column('Name', (event) => text(event, 'metadata', 'name'), { format: 'name', priority: 1 }),
  ];
}
