// Bodies that were valid before something happened to them: the same ones for the same seed.
import { Buffer } from 'node:buffer';

/** A small generator of 32 bits (mulberry32): chance that a seed repeats. */
export function chanceOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

type Mutation = (bytes: Buffer, below: (limit: number) => number) => Buffer;

/** Bytes that mean much: ends of varints, groups, lengths that are too long or negative. */
const telling = [0x00, 0x7f, 0x80, 0xff, 0x0b, 0x0c, 0x0f, 0x0a];

const mutations: readonly Mutation[] = [
  (bytes, below) => {
    const copy = Buffer.from(bytes);
    copy[below(copy.length)] = below(256);
    return copy;
  },
  (bytes, below) => {
    const copy = Buffer.from(bytes);
    copy[below(copy.length)] = telling[below(telling.length)] ?? 0;
    return copy;
  },
  (bytes, below) => bytes.subarray(0, below(bytes.length)),
  (bytes, below) => {
    const at = below(bytes.length);
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1 + below(4))]);
  },
  (bytes, below) => {
    const at = below(bytes.length);
    const inserted = Buffer.from(Array.from({ length: 1 + below(11) }, () => (below(2) === 0 ? 0xff : below(256))));
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(at)]);
  },
  (bytes, below) => {
    const [from, to] = [below(bytes.length), below(bytes.length)];
    return Buffer.concat([bytes, bytes.subarray(Math.min(from, to), Math.max(from, to))]);
  },
];

/** Bodies without end, each made of one of those given by up to four mutations. */
export function* mutated(given: readonly Buffer[], seed: number): Generator<Buffer> {
  const chance = chanceOf(seed);
  const below = (limit: number): number => Math.floor(chance() * Math.max(limit, 1));
  for (;;) {
    let bytes = given[below(given.length)] ?? Buffer.alloc(0);
    for (let count = 1 + below(4); count > 0; count -= 1) {
      bytes = mutations[below(mutations.length)]?.(bytes, below) ?? bytes;
    }
    yield bytes;
  }
}

/** Objects with the special types: times, quantities, ports by name, numbers beyond 2^53, schemas, owned fields. */
export const samples = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { a: 'b' } }, data: { k: 'v' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: '2020-01-02T03:04:05Z', managedFields: [{ fieldsV1: { 'f:a': {} } }] },
    spec: {
      containers: [{ name: 'c', resources: { limits: { cpu: '1' } }, livenessProbe: { httpGet: { port: 'x' } } }],
      tolerations: [{ tolerationSeconds: 2n ** 62n }],
    },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: {
      versions: [{ schema: { openAPIV3Schema: { properties: { a: { items: {}, default: [1.5], maximum: 2 } } } } }],
    },
  },
] as const;
