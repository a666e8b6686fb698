import { seededRandom } from 'kilter/runtime';

/** What parsers have stumbled over: put in anywhere. */
const tokens = [
  '{', '}', '[', ']', ',', ':', '"', '\\', '\\u0000', '\\ud800', '\\"', 'null', 'true', '-', '0', '1e999', '-0', '0x1f', '1'.repeat(400),
  '__proto__', 'constructor', 'prototype', '"__proto__":{"polluted":true},', '\u0000', '\ufeff', 'é', '€', '😀', '\n', '\r\n', '\t', ' ', '---\n', '&a ', '*a',
  '<<: *a\n', '!!js/function ', '|\n', '>-\n', '- ', '? ', '#', '%', '(', ')', '!', '=', '==', '!=', ' in (', ' notin (', '/', '..', '$', '.', '~1',
  '-----BEGIN CERTIFICATE-----\n', '-----END CERTIFICATE-----\n', '-----BEGIN PRIVATE KEY-----\n', '[['.repeat(600), '{"a":'.repeat(1200), 'a'.repeat(5000),
  '9'.repeat(60), 'ms', 'Ki', '1970-01-01T00:00:00Z', '+14:00',
].map((text) => Buffer.from(text)); // prettier-ignore

/** Endless variations of samples, the same for the same seed. */
export function* mutated(samples: readonly Buffer[], seed: number): Generator<Buffer, never> {
  const random = seededRandom(seed);
  const below = (end: number): number => Math.floor(random() * end);
  const one = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const part = (of: Buffer): Buffer => {
    const start = below(of.length + 1);
    return of.subarray(start, start + below(Math.min(64, of.length - start) + 1));
  };
  const steps: readonly ((of: Buffer) => Buffer)[] = [
    (of) => (of.length === 0 ? of : Buffer.from(of).fill(below(256), below(of.length), undefined)),
    (of) => {
      if (of.length === 0) return of;
      const copy = Buffer.from(of);
      const at = below(of.length);
      copy[at] = (copy[at] ?? 0) ^ (1 << below(8));
      return copy;
    },
    (of) => inserted(of, below(of.length + 1), one(tokens)),
    (of) => inserted(of, below(of.length + 1), part(of)),
    (of) => inserted(of, below(of.length + 1), part(one(samples))),
    (of) => without(of, below(of.length + 1), below(32)),
    (of) => of.subarray(0, below(of.length + 1)),
  ];
  for (;;) {
    let made = one(samples);
    for (let left = 1 + below(4); left > 0; left -= 1) made = one(steps)(made);
    yield made;
  }
}

function inserted(into: Buffer, at: number, what: Buffer): Buffer {
  return Buffer.concat([into.subarray(0, at), what, into.subarray(at)]);
}

function without(from: Buffer, at: number, length: number): Buffer {
  return Buffer.concat([from.subarray(0, at), from.subarray(at + length)]);
}
