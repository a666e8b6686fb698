import { KilterError } from 'kilter';
import type { Json, KubeObject } from 'kilter/api';
import { optionMistakes, type OptionNames } from 'kilter/runtime';
import { fc } from './fast-check.ts';
import { type Found, type Loss, RoundTripError } from './round-trip-error.ts';
import { schemaValues } from './schema-values.ts';
import { lossOf, type Trip } from './trip.ts';
import { type Version, type VersionedKind, versionsOf } from './versions.ts';

/** The options of `roundTrips`: how many objects, from which seed. */
export interface RoundTripsOptions {
  /** How many objects are tried for each pair of versions. Default: 100. */
  readonly runs?: number | undefined;
  /** The seed from which the objects are generated. Default: 1, so that a test has the same result each time. */
  readonly seed?: number | undefined;
  /**
   * Values to use instead of generated ones, by path (`spec.image`, `spec.env[*].name`), in every version that has it.
   * Needed if rules or patterns refuse nearly everything else. Default: none.
   */
  readonly samples?: Readonly<Record<string, readonly Json[]>> | undefined;
  /**
   * By older version, what the newest cannot hold on purpose (`{ v1alpha1: ['spec.legacy'] }`): it lives in
   * `status.conversionData` alone while the object is of the newest version. Default: nothing.
   */
  readonly hiddenOnly?: Readonly<Record<string, readonly string[]>> | undefined;
  /** What a failure said: runs that one object again. Default: none. */
  readonly replay?: string | undefined;
}

/** What went through all versions and came back. */
export interface RoundTripsReport {
  /** Every pair of versions that was tried, as `v1alpha1 to v1`. */
  readonly pairs: readonly string[];
  /** How many objects were converted for each of them. */
  readonly runs: number;
  readonly seed: number;
}

const known: OptionNames<RoundTripsOptions> = { runs: true, seed: true, samples: true, hiddenOnly: true, replay: true };

/**
 * Tries the conversions of a resource with objects made from the schemas of its versions. For each two of them, an object
 * of one is valid in the other, comes back as it was, and arrives the same over a third; the newest version holds all that
 * older ones can say; what an older one does not show outlives a change made there, also in a list of which one item is
 * edited or removed; objects without a spec, or with an empty one, convert.
 *
 *     test('conversions lose nothing', () => { roundTrips(WebApp); });
 *
 * Throws a `RoundTripError` with the smallest object found that does not survive, the place, and how to see it again.
 */
export function roundTrips(kind: VersionedKind, options: RoundTripsOptions = {}): RoundTripsReport {
  const [mistake] = optionMistakes('roundTrips', options, known);
  if (mistake !== undefined) throw new KilterError('TESTING_OPTION_INVALID', mistake);
  const { runs = 100, seed = 1, replay } = options;
  const { newest, older } = versionsOf(kind);
  const trips = tripsOf(kind, { newest, older, hiddenOnly: options.hiddenOnly ?? {} });
  const again = replay === undefined ? undefined : replayOf(replay, trips);
  if (again !== undefined) {
    tryTrip(again.trip, { runs, samples: options.samples ?? {}, seed: again.seed, path: again.path });
    return { pairs: [nameOf(again.trip)], runs, seed: again.seed };
  }
  for (const trip of trips) {
    tryBare(trip, seed);
    tryTrip(trip, { runs, samples: options.samples ?? {}, seed });
  }
  return { pairs: trips.map(nameOf), runs, seed };
}

interface Known {
  readonly newest: Version;
  readonly older: readonly Version[];
  readonly hiddenOnly: Readonly<Record<string, readonly string[]>>;
}

/** Up from each older version first: what goes wrong there is said in the simplest words. */
function tripsOf(kind: VersionedKind, { newest, older, hiddenOnly }: Known): Trip[] {
  const all = [...older, newest];
  const trip = (from: Version, to: Version): Trip => ({
    kind,
    from,
    to,
    newest,
    others: all.filter((version) => version !== from && version !== to),
    hiddenOnly: hiddenOnly[from.name] ?? [],
  });
  return [
    ...older.map((version) => trip(version, newest)),
    ...older.map((version) => trip(newest, version)),
    ...older.flatMap((from) => older.filter((to) => to !== from).map((to) => trip(from, to))),
  ];
}

function nameOf({ from, to }: Trip): string {
  return `${from.name} to ${to.name}`;
}

function replayOf(text: string, trips: readonly Trip[]): { trip: Trip; seed: number; path: string } {
  const [, from, to, seed, path] = /^(.+)>(.+)#(-?\d+)#([\d:]+)$/.exec(text) ?? [];
  const trip = trips.find((each) => each.from.name === from && each.to.name === to);
  if (trip !== undefined && path !== undefined) return { trip, seed: Number(seed), path };
  throw new KilterError(
    'TESTING_KIND_INVALID',
    `replay "${text}" does not match any pair of versions of this resource`,
    {
      cure: 'copy it from the message of the failure',
    },
  );
}

/** The server converts such objects too, when it works out who owns which field. */
function tryBare(trip: Trip, seed: number): void {
  for (const spec of [undefined, {}]) {
    const object = trip.from.objectOf(spec);
    try {
      trip.kind.convert(trip.kind.convert(object, trip.to.name), trip.from.name);
    } catch (error) {
      const what = `${spec === undefined ? 'is absent' : 'is empty'} and cannot be converted: ${error instanceof Error ? error.message : String(error)}`;
      const replay = `${trip.from.name}>${trip.to.name}#${seed}#0`;
      throw failure(trip, {
        way: [trip.from.name, trip.to.name],
        path: 'spec',
        what,
        cause: error,
        object,
        seed,
        replay,
      });
    }
  }
}

function failure({ kind }: Trip, found: Found): RoundTripError {
  return new RoundTripError(kind.names.kind, found);
}

interface Attempt {
  readonly runs: number;
  readonly seed: number;
  readonly samples: Readonly<Record<string, readonly Json[]>>;
  /** Where in the run of that seed one object is. */
  readonly path?: string | undefined;
}

/** Of so many made objects at least one must be valid. */
const maximumRefused = 50;

function tryTrip(trip: Trip, { runs, seed, samples, path }: Attempt): void {
  const { from } = trip;
  const specs = schemaValues(from.schema.properties?.['spec'] ?? {}, {
    path: 'spec',
    samples,
    refusePattern: noPattern(from),
  });
  let refused = '';
  const held = (spec: Json): KubeObject | undefined => {
    const verdict = from.judge(from.objectOf(spec));
    if (verdict.valid) return verdict.object;
    refused = verdict.errors.map(({ field, message }) => `${field}: ${message}`).join('; ');
    return undefined;
  };
  const lossIn = (spec: Json): Loss | undefined => {
    const object = held(spec);
    fc.pre(object !== undefined);
    return object && lossOf(object, trip);
  };
  const property = fc.property(specs, (spec) => lossIn(spec) === undefined);
  const details = fc.check(property, {
    numRuns: runs,
    seed,
    maxSkipsPerRun: maximumRefused,
    ...(path !== undefined && { path, endOnFailure: true }),
  });
  if (!details.failed) return;
  const [spec] = details.counterexample ?? [];
  const object = spec === undefined ? undefined : held(spec);
  if (object === undefined) throw refusedError(trip, refused);
  const loss = lossOf(object, trip);
  // A conversion that answers otherwise each time is found by it, and its second answer may be right.
  const said = loss ?? {
    way: [from.name, trip.to.name] as const,
    path: 'spec',
    what: 'is converted differently each time',
  };
  const replay = `${from.name}>${trip.to.name}#${seed}#${details.counterexamplePath ?? path ?? '0'}`;
  throw failure(trip, { ...said, object, seed, replay });
}

function refusedError({ kind, from }: Trip, refused: string): KilterError {
  return new KilterError(
    'TESTING_VALUES_REFUSED',
    `nearly all objects made from the schema of ${kind.names.kind} ${from.name} are refused, the last one for ${refused}`,
  );
}

function noPattern(version: Version): (path: string, pattern: string) => never {
  return (path, pattern) => {
    throw new KilterError(
      'TESTING_VALUES_REFUSED',
      `no values can be made for ${path} of ${version.name}, whose pattern is ${pattern}`,
      {
        cure: `give the values to use: roundTrips(…, { samples: { '${path}': […] } })`,
      },
    );
  };
}
