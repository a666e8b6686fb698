import { describe, expect, test } from 'vitest';
import { formatTime, kind, type Kind, type KubeObject } from '../api/index.ts';
import type { Client, Reader } from '../client/index.ts';
import { ApiError } from '../errors/index.ts';
import { virtualClock } from '../internal/index.ts';
import { StatusWriter } from './status-writer.ts';

const Box = kind<KubeObject>({ group: '', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' });
type Stored = KubeObject & { status?: Record<string, unknown> };
const object = (version: string, status: Record<string, unknown> = {}, rest: object = {}): Stored => ({
  apiVersion: 'v1',
  kind: 'Box',
  metadata: { name: 'x', namespace: 'n', uid: 'u', generation: 2, resourceVersion: version, ...rest },
  status,
});
const refusal = (code: number, reason: string, details: Record<string, unknown> = { name: 'x' }) =>
  new ApiError({ code, reason, message: '', causes: [], retryAfterSeconds: undefined, details } as never, {
    method: 'PATCH',
    path: '/x',
  });
const conflict = () => refusal(409, 'Conflict');

/** Answers patches in turn: an error is thrown, anything else lets the patch succeed. */
function writer(answers: readonly (Error | undefined)[], fresh?: KubeObject, of: Kind = Box) {
  const sent: unknown[][] = [];
  const read: unknown[][] = [];
  const left = [...answers];
  const client = {
    patch: async (...args: unknown[]) => {
      sent.push(args);
      const answer = left.shift();
      if (answer !== undefined) throw answer;
      const { status } = args[2] as { status: Record<string, unknown> };
      return object(`${sent.length + 10}`, { ...object('1').status, ...status });
    },
  } as unknown as Client;
  const live = { get: async (...args: unknown[]) => (read.push(args), fresh) } as unknown as Reader;
  const status = new StatusWriter({ kind: of, object: object('1', { old: 1 }), client, live, clock: virtualClock() });
  return { status, sent, read };
}

describe('a write of a status', () => {
  test('ST-3: is locked on what was seen, sends the difference, and says that something was sent', async () => {
    const { status, sent } = writer([]);
    expect(await status.write({ set: { a: 1, old: 1 } }, { manager: 'who' })).toBe(true);
    expect(sent).toEqual([
      [
        Box,
        { name: 'x', namespace: 'n' },
        { metadata: { resourceVersion: '1' }, status: { a: 1, observedGeneration: 2 } },
        { subresource: 'status', manager: 'who' },
      ],
    ]);
    expect(status.latest.metadata.resourceVersion).toBe('11');
  });

  test('ST-7: moves the field of its time with another change, and never alone', async () => {
    const { status, sent } = writer([]);
    expect(await status.write({ set: { a: 1 }, stamp: 'looked' })).toBe(true);
    expect(sent[0]?.[2]).toMatchObject({ status: { a: 1, looked: formatTime(virtualClock().now()) } });
    expect(await status.write({ set: { a: 1 }, stamp: 'looked' })).toBe(false);
    expect(sent).toHaveLength(1);
  });

  test('ST-3: of what is stored in another form is sent once: a time, a bigint, a field that holds nothing', async () => {
    const { status, sent } = writer([]);
    const set = { at: new Date(0), size: 5n, part: { a: null, b: 'x' } };
    expect([await status.write({ set }), await status.write({ set })]).toEqual([true, false]);
    expect(sent[0]?.[2]).toMatchObject({ status: { at: '1970-01-01T00:00:00.000Z', size: 5, part: { b: 'x' } } });
  });

  test('ST-3: that repeats what the answer said is not sent, and says so', async () => {
    const { status, sent } = writer([]);
    await status.write({ set: { a: 1 } });
    expect(await status.write({ set: { a: 1 } })).toBe(false);
    expect(sent).toHaveLength(1);
    expect(await status.write({ set: { a: 2 } })).toBe(true);
    expect(sent[1]?.[2]).toMatchObject({ metadata: { resourceVersion: '11' }, status: { a: 2 } });
  });

  test('what a run mentions is remembered, whether it had to be sent or not', async () => {
    const { status } = writer([]);
    await status.write({
      set: { old: 1, none: undefined, gone: null, conditions: [{ type: 'A', status: true, reason: 'X' }] },
    });
    expect(status.mentioned).toEqual({ fields: new Set(['old', 'gone']), conditions: new Set(['A']) });
  });

  test('what is not a patch is refused before anything is sent', async () => {
    const { status, sent } = writer([]);
    await expect(status.write({ set: [] as never })).rejects.toMatchObject({ code: 'RECONCILE_STATUS_INVALID' });
    expect(sent).toEqual([]);
  });
});

test('ST-5: writes that a run asks for at once are not conflicts of each other; each is sent once, in order', async () => {
  let stored = object('1', { old: 1 });
  const sent: unknown[] = [];
  const client = {
    patch: async (_: Kind, __: unknown, { metadata, status }: Stored) => {
      const isNewest = metadata.resourceVersion === stored.metadata.resourceVersion;
      await Promise.resolve();
      if (status?.['b'] === 'refused') throw refusal(422, 'Invalid');
      if (!isNewest) throw conflict();
      sent.push(status);
      stored = object(`${sent.length + 1}`, { ...stored.status, ...status });
      return stored;
    },
  } as unknown as Client;
  const live = { get: () => Promise.reject(new Error('nobody has to look again')) } as unknown as Reader;
  const status = new StatusWriter({ kind: Box, object: stored, client, live, clock: virtualClock() });
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) =>
    status.write({ set: { [key]: key === 'b' ? 'refused' : 1 } }, { conflict: 'fail' }),
  );
  const ends = await Promise.allSettled([...all, status.write({ set: { a: 1 } })]);
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'refused'))).toEqual([
    true,
    'refused',
    true,
    true,
    true,
    true,
    false,
  ]);
  expect(sent.map((one) => Object.keys(one as object)[0])).toEqual(['a', 'c', 'd', 'e', 'f']);
});

describe('a conflict', () => {
  test('ST-5: ends a write that asked for it: what was computed from an old status is never merged into a newer one', async () => {
    const { status, sent, read } = writer([conflict(), undefined], object('5', { old: 2 }));
    await expect(status.write({ set: { a: 1 } }, { conflict: 'fail' })).rejects.toMatchObject({
      status: { code: 409 },
    });
    expect([sent.length, read.length]).toEqual([1, 0]);
  });

  test('keeps what the other writer said: the difference is made again, on the fresh version', async () => {
    const { status, sent, read } = writer([conflict(), undefined], object('5', { old: 2, a: 0 }));
    expect(await status.write({ set: { a: 1, old: 1 } })).toBe(true);
    expect(read).toEqual([[Box, object('1').metadata]]);
    expect(sent[1]?.[2]).toEqual({
      metadata: { resourceVersion: '5' },
      status: { a: 1, old: 1, observedGeneration: 2 },
    });
  });

  test('is given up after three of them in a row', async () => {
    const { status, sent } = writer([conflict(), conflict(), conflict(), undefined], object('5'));
    await expect(status.write({ set: { a: 1 } })).rejects.toMatchObject({ status: { code: 409 } });
    expect(sent).toHaveLength(3);
    const second = writer([conflict(), conflict(), undefined], object('5'));
    expect(await second.status.write({ set: { a: 1 } })).toBe(true);
  });

  test.each([
    ['a new generation', object('5', {}, { generation: 3 })],
    ['a namesake', object('5', {}, { uid: 'other' })],
  ])('ends the run where the object is %s', async (_, fresh) => {
    const { status, sent } = writer([conflict(), undefined], fresh);
    await expect(status.write({ set: { a: 1 } })).rejects.toMatchObject({ status: { code: 409 } });
    expect(sent).toHaveLength(1);
    expect(status.latest.metadata.resourceVersion).toBe('1');
  });
});

describe('a refusal', () => {
  test('of another kind is the caller’s, at once', async () => {
    const { status, sent, read } = writer([refusal(422, 'Invalid')], object('5'));
    await expect(status.write({ set: { a: 1 } })).rejects.toMatchObject({ status: { code: 422 } });
    expect([sent.length, read.length]).toEqual([1, 0]);
  });

  test('of an object that is gone stays a 404; of a path that is not served it says that the server knows none', async () => {
    await expect(writer([refusal(404, 'NotFound')]).status.write({ set: { a: 1 } })).rejects.toMatchObject({
      status: { code: 404 },
    });
    const unserved = refusal(404, 'NotFound', {});
    await expect(writer([unserved]).status.write({ set: { a: 1 } })).rejects.toMatchObject({
      code: 'RECONCILE_STATUS_MISSING',
      cause: unserved,
      message: expect.stringMatching(/the server has no status subresource for Box.*install the definition/) as string,
    });
  });
});

describe('a kind that is defined in the program', () => {
  const version = (name: string, status: object | undefined) => ({
    name,
    schema: { openAPIV3Schema: { properties: { ...(status !== undefined && { status }) } } },
  });
  const withConditions = { properties: { conditions: {} } };
  const defined = (status: object | undefined): Kind =>
    ({
      ...Box,
      // As the real one: where a kind has conversions, it refuses to be made without a place where they are served.
      manifest: ({ conversion }: { conversion: { url: string } }) => ({
        spec: {
          versions:
            conversion.url === 'https://localhost' ? [version('v0', withConditions), version('v1', status)] : [],
        },
      }),
    }) as unknown as Kind;

  test.each([[undefined], [{}], [{ properties: { phase: {} } }]])(
    'has no status with %j: nothing is sent',
    async (schema) => {
      const { status, sent } = writer([], undefined, defined(schema));
      await expect(status.write({ set: { a: 1 } })).rejects.toMatchObject({ code: 'RECONCILE_STATUS_MISSING' });
      expect(sent).toEqual([]);
    },
  );
  test('has one where its version says so', async () => {
    expect(await writer([], undefined, defined(withConditions)).status.write({ set: { a: 1 } })).toBe(true);
  });
});
