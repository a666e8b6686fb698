// Mutated bodies to the decoder of protobuf: each is read or refused, at once.
import {
  decodeMessage,
  encodeEnvelope,
  type Message,
  messageOf,
  openEnvelope,
  ProtobufProblem,
} from '../../packages/apiserver/src/protobuf/index.ts';
import { mutated, samples } from '../../packages/apiserver/src/protobuf/mutations.test-support.ts';
import type { Count } from './count.ts';

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
