import { expect, test } from 'vitest';
import { noteUse, type Part, verified } from './informer-part.ts';
import type { Received } from './intake.ts';
import { Thing, thing } from './model-server.test-support.ts';
import type { SourceOf } from './source.ts';
import { ObjectStore } from './store.ts';

function partWith(...unusable: string[]): { part: Part; changed: (string | undefined)[] } {
  const changed: (string | undefined)[] = [];
  const told = (key: string | undefined): void => void changed.push(key);
  return { part: { unusable: new Set(unusable), changed: told } as unknown as Part, changed };
}

const received = (key: string | undefined, usable: boolean): Received => ({ key, usable }) as unknown as Received;

test.each([
  ['one that cannot be used is remembered', 'ADDED', received('n/b', false), ['n/a', 'n/b'], ['n/b']],
  ['one that can be used again is not', 'MODIFIED', received('n/a', true), [], ['n/a']],
  ['nor one that is gone, whatever its last state was', 'DELETED', received('n/a', false), [], ['n/a']],
  ['of one without a key nothing is known', 'ADDED', received(undefined, false), ['n/a'], []],
] as const)('RF-23: %s', (_, type, object, unusable, told) => {
  const { part, changed } = partWith('n/a');
  noteUse(part, type, object);
  expect([...part.unusable]).toEqual(unusable);
  expect(changed).toEqual(told);
});

test('RF-23: of the list it is compared with only metadata is asked for and kept', () => {
  const asked: Parameters<SourceOf>[1][] = [];
  const source: SourceOf = (_, taken) => {
    asked.push(taken);
    return undefined as never;
  };
  verified(partWith().part, { store: new ObjectStore(), source, names: Thing.names }).source();
  const [{ metadataOnly, intake }] = asked as [Parameters<SourceOf>[1]];
  expect(metadataOnly()).toBe(true);
  const sent = thing('a', { size: 3 });
  const text = JSON.stringify({ ...sent, metadata: { ...sent.metadata, resourceVersion: '1' } });
  const { received } = intake.take(Buffer.from(text), 0);
  expect(received.usable && received.object.decode()).toMatchObject({ metadata: { name: 'a' } });
  expect(received.usable && received.object.decode()).not.toHaveProperty('spec');
});
