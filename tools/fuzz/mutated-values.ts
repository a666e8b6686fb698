// JSON that stays JSON while its values become others: what bytes alone seldom reach, the checks behind the parser.
import { seededRandom } from 'kilter/runtime';

/** What no reader of a field expects, and what is just beyond what it expects. */
const oddValues: readonly string[] = [
  'null', 'true', 'false', '0', '-1', '1.5', '1e400', '-0', '2147483648', '9223372036854775807', '9223372036854775808', '1e21',
  '""', '" "', '"a"', '"A_b"', '"__proto__"', '"constructor"', '"\\u0000"', '"\\ud800"', '"é€😀"', '"-"', '"*"', '"../.."', '"a/b/c"', '"1500m"',
  '"1.5Gi"', '"10%"', '"2020-01-02T03:04:05Z"', '"10.0.0.1"', '"::1"', '"0 0 * * *"', `"${'a'.repeat(300)}"`, '[]', '{}', '[null]', '[[]]', '[{}]', '{"a":null}',
  '{"":""}', '{"__proto__":{"polluted":true}}', '{"constructor":{"prototype":{"polluted":true}}}', '{"name":"a"}', '[{"name":"a"},{"name":"a"}]', '["a","a"]',
  '[1,"1",true]', '{"toString":1,"hasOwnProperty":1}', '{"length":3}', `${'['.repeat(64)}${']'.repeat(64)}`,
]; // prettier-ignore

type Path = readonly (string | number)[];

function placesOf(value: unknown, at: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [at];
  const below = Array.isArray(value) ? [...value.entries()] : Object.entries(value);
  return [at, ...below.flatMap(([key, item]: [string | number, unknown]) => placesOf(item, [...at, key]))];
}

/** Another value in its place: an odd one, or one from somewhere else in the sample. */
interface Exchange {
  readonly at: Path;
  readonly text: string | undefined;
  readonly key: string | undefined;
}

function written(value: unknown, exchanges: readonly Exchange[], at: Path): string {
  const same = (place: Path): boolean => place.length === at.length && place.every((step, n) => step === at[n]);
  const exchange = exchanges.find((one) => same(one.at));
  if (exchange?.text !== undefined) return exchange.text;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item, n) => written(item, exchanges, [...at, n])).join()}]`;
  const fields = Object.entries(value).map(
    ([key, item]) => `${JSON.stringify(key)}:${written(item, exchanges, [...at, key])}`,
  );
  // A field beside the others, perhaps one that is there already.
  if (exchange?.key !== undefined) fields.push(`${JSON.stringify(exchange.key)}:1`);
  return `{${fields.join()}}`;
}

const oddKeys = ['__proto__', 'constructor', 'toString', '', 'a b', 'é', 'name', 'f:name', '$patch', '0', '10', '-'];

/** Endless variations of JSON samples, the same for the same seed. */
export function* mutatedValues(samples: readonly string[], seed: number): Generator<Buffer, never> {
  const random = seededRandom(seed);
  const one = <T>(of: readonly T[]): T => of[Math.floor(random() * of.length)] as T;
  const known = samples.map((text) => {
    const value = JSON.parse(text) as unknown;
    return { value, places: placesOf(value) };
  });
  for (;;) {
    const { value, places } = one(known);
    const exchanges = Array.from({ length: 1 + Math.floor(random() * 3) }, (): Exchange => {
      const at = one(places);
      if (random() < 0.15) return { at, text: undefined, key: one(oddKeys) };
      if (random() < 0.15) return { at, text: JSON.stringify(valueAt(value, one(places))), key: undefined };
      return { at, text: one(oddValues), key: undefined };
    });
    yield Buffer.from(written(value, exchanges, []));
  }
}

function valueAt(value: unknown, place: Path): unknown {
  return place.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], value);
}
