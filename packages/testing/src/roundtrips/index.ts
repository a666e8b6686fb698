// Whether conversions between the versions of a resource lose anything: objects made from schemas, there and back.
export { RoundTripError } from './round-trip-error.ts';
export { roundTrips, type RoundTripsOptions, type RoundTripsReport } from './round-trips.ts';
export type { VersionedKind } from './versions.ts';
