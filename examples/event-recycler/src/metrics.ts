// What the operator measures beside what Kilter does. By node group and EventRecycler, never by Event or Pod: those are many, and
// others name them.
import { counter, gauge } from 'kilter';

const byGroup = { node_group: 'any' } as const;
const byRecycler = { recycler: 'any' } as const;
const byBoth = { ...byGroup, ...byRecycler };
const byResult = { ...byGroup, result: ['succeeded', 'failed'] } as const;

export const matching = gauge('kaws_matching_events', { help: 'Matching Events when last counted.', labels: byBoth });
export const unresolved = gauge('kaws_unresolved_events', { help: 'Matches without a group.', labels: byRecycler });
export const trips = counter('kaws_trips_total', { help: 'Trips acted on, dry runs included.', labels: byGroup });
export const recycles = counter('kaws_recycles_total', { help: 'Recycles that ended, by result.', labels: byResult });
export const breakerOpen = gauge('kaws_breaker_open', { help: '1 while nothing may start.', labels: byRecycler });

export const metrics = [matching, unresolved, trips, recycles, breakerOpen];
