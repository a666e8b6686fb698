// Kinds of the group events.k8s.io, version v1.
import { type BuiltinKind, kind, type ObjectMeta } from '../../api/index.ts';
import type { EventSource, ObjectReference } from '../core/v1.ts';

export interface Event {
  apiVersion: 'events.k8s.io/v1';
  kind: 'Event';
  metadata: ObjectMeta;
  action?: string | undefined;
  deprecatedCount?: number | undefined;
  deprecatedFirstTimestamp?: string | undefined;
  deprecatedLastTimestamp?: string | undefined;
  deprecatedSource?: EventSource | undefined;
  eventTime: string;
  note?: string | undefined;
  reason?: string | undefined;
  regarding?: ObjectReference | undefined;
  related?: ObjectReference | undefined;
  reportingController?: string | undefined;
  reportingInstance?: string | undefined;
  series?: EventSeries | undefined;
  type?: string | undefined;
}
export const Event: BuiltinKind<Event> = /* @__PURE__ */ kind({
  group: 'events.k8s.io',
  version: 'v1',
  kind: 'Event',
  plural: 'events',
  scope: 'Namespaced',
  shortNames: ['ev'],
});

export interface EventSeries {
  count: number;
  lastObservedTime: string;
}
