import { expect, test } from 'vitest';
import { rawReads, type WithRawReads } from '../client/index.ts';
import { ObjectCodec } from './object-codec.ts';
import { Thing } from './model-server.test-support.ts';
import { clientSource } from './source.ts';

const intake = new ObjectCodec({ names: Thing.names, metadataOnly: true, ownManager: () => false });

/** What a source asks its client for. */
function asked(request: (source: ReturnType<typeof clientSource>) => unknown): unknown[] {
  const seen: unknown[] = [];
  const note = (...given: unknown[]): Promise<unknown> => {
    seen.push(...given);
    return Promise.resolve({ items: [], resourceVersion: '1', continue: undefined });
  };
  const client = { [rawReads]: { listPage: note, watch: note } } as unknown as WithRawReads;
  const scope = {
    kind: Thing,
    namespace: 'default',
    labels: 'app=db',
    fields: undefined,
    metadataOnly: () => true,
    intake,
  };
  request(clientSource(client, scope));
  return seen;
}

const { signal } = new AbortController();
const where = { namespace: 'default', labels: 'app=db', fields: undefined, metadataOnly: true, signal };

test('RF-1: the first watch asks for the initial events and leaves the version unset', () => {
  const watch = asked((source) => source.watch({ resourceVersion: undefined, timeoutSeconds: 301, signal }));
  expect(watch).toStrictEqual([Thing, { ...where, sendInitialEvents: true, timeoutSeconds: 301 }, intake]);
});

test('a watch that resumes asks for what came after its version, without initial events', () => {
  const watch = asked((source) => source.watch({ resourceVersion: '7', timeoutSeconds: 301, signal }));
  expect(watch).toStrictEqual([Thing, { ...where, resourceVersion: '7', timeoutSeconds: 301 }, intake]);
});

test('RF-4, RF-6: a list asks for pages of 500 and names no version', () => {
  expect(asked((source) => source.list({ continue: undefined, signal }))).toStrictEqual([
    Thing,
    { ...where, pageSize: 500, continue: undefined },
    intake,
  ]);
  expect(asked((source) => source.list({ continue: 'x', signal }))).toStrictEqual([
    Thing,
    { ...where, pageSize: 500, continue: 'x' },
    intake,
  ]);
});

test('whether the server has a version is asked with the smallest list that is not older', () => {
  expect(asked((source) => source.confirm?.({ resourceVersion: '7', signal }))).toStrictEqual([
    Thing,
    { ...where, resourceVersion: '7', resourceVersionMatch: 'NotOlderThan', metadataOnly: true, pageSize: 1 },
    intake,
  ]);
});
