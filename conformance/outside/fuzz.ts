// Mutated bodies to the decoder of protobuf: each is read or refused, at once.
import {
  decodeMessage,
  encodeEnvelope,
  type Message,
  messageOf,
  openEnvelope,
  ProtobufProblem,
} from '../../packages/apiserver/src/protobuf/index.ts';
import { mutated } from '../../packages/apiserver/src/protobuf/mutations.test-support.ts';
import type { Count } from './count.ts';

const samples = [
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels: { a: 'b' } }, data: { k: 'v' } },
  {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', creationTimestamp: '2020-01-02T03:04:05Z', managedFields: [{ fieldsV1: { 'f:a': {} } }] },
    spec: { containers: [{ name: 'c', resources: { limits: { cpu: '1' } } }], volumes: [{ name: 'v', emptyDir: {} }] },
  },
  {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    spec: { versions: [{ schema: { openAPIV3Schema: { not: { not: { items: [{}], default: { a: 1 } } } } } }] },
  },
];

/** Far more than any body takes, and far less than for ever. */
const longest = 2000;

function problemOf(body: Uint8Array): string | undefined {
  const started = performance.now();
  try {
    const { apiVersion, kind, raw } = openEnvelope(body);
    for (const sample of samples) decodeMessage(messageOf(sample.apiVersion, sample.kind) as Message, raw);
    const own = messageOf(apiVersion, kind);
    if (own !== undefined) decodeMessage(own, raw);
  } catch (error) {
    if (!(error instanceof ProtobufProblem)) return String(error);
  }
  const took = performance.now() - started;
  return took > longest ? `took ${Math.round(took)} ms` : undefined;
}

export function fuzz(seed: number, of: number): Count {
  const given = samples.map((object) => encodeEnvelope(messageOf(object.apiVersion, object.kind) as Message, object));
  const failures: string[] = [];
  const bodies = mutated(given, seed);
  for (let at = 0; at < of; at += 1) {
    const body = bodies.next().value as Buffer;
    const problem = problemOf(body);
    if (problem !== undefined) failures.push(`${body.toString('base64')}: ${problem}`);
  }
  return { passed: of - failures.length, of, failures };
}
