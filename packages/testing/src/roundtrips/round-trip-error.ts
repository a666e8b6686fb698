import { KilterError } from 'kilter';
import type { KubeObject } from 'kilter/api';

/** What is wrong with one conversion of one object. */
export interface Loss {
  /** The versions the object went through. */
  readonly way: readonly [from: string, to: string, ...string[]];
  /** The first place that is not as it was, or not valid: `spec.count`. */
  readonly path: string;
  /** What happened there, in words. */
  readonly what: string;
  readonly cause?: unknown;
}

export interface Found extends Loss {
  /** The smallest object found for which it happens, as the server holds it. */
  readonly object: KubeObject;
  readonly seed: number;
  /** For `roundTrips(WebApp, { replay })`. */
  readonly replay: string;
}

/** What an older version allows and the newest refuses is nothing a conversion can help. */
function cureOf({ way, path, what }: Found): string {
  const [from] = way;
  const correct = `correct the conversion of ${path}`;
  return what.startsWith('is not valid in') ? `${correct}, or give ${from} the same bound or rule` : correct;
}

/** An object that does not survive a conversion, and how to reproduce it. */
export class RoundTripError extends KilterError implements Found {
  readonly way: Found['way'];
  readonly path: string;
  readonly what: string;
  readonly object: KubeObject;
  readonly seed: number;
  readonly replay: string;

  constructor(kind: string, found: Found) {
    const { way, path, what, object, seed, replay, cause } = found;
    super(
      'CRD_CONVERSION_LOSSY',
      `${kind} from ${way.join(' to ')}: ${path} ${what}\n${JSON.stringify(object, undefined, 2)}\n`,
      {
        cause,
        cure: `${cureOf(found)}; to see it again: roundTrips(${kind}, { replay: '${replay}' })`,
      },
    );
    this.way = way;
    this.path = path;
    this.what = what;
    this.object = object;
    this.seed = seed;
    this.replay = replay;
  }
}
