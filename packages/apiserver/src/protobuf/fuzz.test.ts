import { expect, test } from 'vitest';
import {
  decodeMessage,
  encodeEnvelope,
  encodeMessage,
  type Message,
  messageOf,
  openEnvelope,
  ProtobufProblem,
} from './index.ts';
import { mutated, samples } from './mutations.test-support.ts';

const messages = samples.map(({ apiVersion, kind }) => messageOf(apiVersion, kind) as Message);

/** What becomes of bytes; throws what is not their problem. */
function outcomeOf(read: () => void): 'read' | 'refused' {
  try {
    read();
    return 'read';
  } catch (error) {
    if (error instanceof ProtobufProblem) return 'refused';
    throw error;
  }
}

/** What was read can be written, and is then read as the same. */
function readBack(message: Message, bytes: Uint8Array): void {
  const object = decodeMessage(message, bytes);
  expect(decodeMessage(message, encodeMessage(message, object))).toEqual(object);
}

function outcomes(
  count: number,
  bodies: Iterator<Uint8Array>,
  read: (bytes: Uint8Array) => void,
): Record<string, number> {
  const counts = { read: 0, refused: 0 };
  for (let at = 0; at < count; at += 1) counts[outcomeOf(() => read(bodies.next().value as Uint8Array))] += 1;
  return counts;
}

test.each(samples.map(({ kind }, index) => [kind, index] as const))(
  'API-B1: a mutated %s is read or refused, and nothing else',
  (_, index) => {
    const message = messages[index] as Message;
    const bodies = mutated([encodeMessage(message, samples[index])], 7 + index);
    const counts = outcomes(1000, bodies, (bytes) => readBack(message, bytes));
    expect(counts['read']).toBeGreaterThan(10);
    expect(counts['refused']).toBeGreaterThan(10);
  },
);

test('API-B1: so is a mutated envelope', () => {
  const given = samples.map((object, index) => encodeEnvelope(messages[index] as Message, object));
  const counts = outcomes(1000, mutated(given, 3), (bytes) => void openEnvelope(bytes));
  expect(counts['read']).toBeGreaterThan(10);
  expect(counts['refused']).toBeGreaterThan(10);
});
