// How often Events occurred in a sliding window that is kept in a status: pure functions of what is stored, what is seen and the time.
export { type Sighting, sightingOf } from './sighting.ts';
export { countOccurrences, type CountedEvent, type OccurrenceWindow, type Tally, tallyOccurrences } from './window.ts';
