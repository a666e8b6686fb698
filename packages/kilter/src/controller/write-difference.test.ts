import { describe, expect, test } from 'vitest';
import type { KubeObject } from '../api/index.ts';
import type { SentWrite } from '../cache/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import { ConfigMap, Secret } from '../k8s/core/v1.ts';
import { masked } from '../telemetry/index.ts';
import { RunWrites } from './run-writes.ts';
import { writeDifference } from './write-difference.ts';

const object = (fields: object, metadata: object = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', uid: 'u', resourceVersion: '1', ...metadata },
    ...fields,
  }) as never;

describe('JR-2: writes as differences', () => {
  test('field by field, without what the server moves by itself', () => {
    const before = object({ data: { a: '1', b: '2' } }, { labels: { x: 'y' }, generation: 1 });
    const after = object({ data: { a: '1', b: '3', c: '4' } }, { resourceVersion: '2', generation: 2 });
    expect(writeDifference(before, after)).toEqual({
      changes: [
        { path: 'metadata.labels', before: '{"x":"y"}' },
        { path: 'data.b', before: '"2"', after: '"3"' },
        { path: 'data.c', after: '"4"' },
      ],
      more: 0,
    });
  });

  test('many fields and long values are cut, and how much is said', () => {
    const data = Object.fromEntries(Array.from({ length: 25 }, (_, i) => [`k${i}`, 'v'.repeat(i === 0 ? 1000 : 1)]));
    const { changes, more } = writeDifference(object({ data: {} }), object({ data }));
    expect([changes.length, more]).toEqual([20, 5]);
    expect(changes[0]?.after).toMatch(/^"v{299}… \(1002 characters\)$/);
  });

  test('C-13: nothing of a Secret is shown, new or old; nor what is called like one', () => {
    const secret = (data: object, annotations = {}): KubeObject =>
      ({
        ...object({ data, stringData: data }, { annotations, resourceVersion: JSON.stringify(data).length.toString() }),
        kind: 'Secret',
      }) as never;
    const last = 'kubectl.kubernetes.io/last-applied-configuration';
    const told = JSON.stringify([
      writeDifference(
        secret({ key: 'CANARY-1' }, { [last]: 'CANARY-3' }),
        secret({ key: 'CANARY-2' }, { [last]: 'CANARY-4' }),
      ),
      writeDifference(undefined, secret({ key: 'CANARY-5' }, { [last]: 'CANARY-6', 'example.com/copy': 'CANARY-A' })),
      writeDifference(secret({}, { 'example.com/copy': 'CANARY-B' }), secret({}, { 'example.com/copy': 'CANARY-C' })),
      writeDifference(
        object({ spec: { password: 'CANARY-7' } }),
        object({ spec: { password: 'CANARY-8', secretName: 'shown' } }),
      ),
      writeDifference(
        undefined,
        object({
          spec: {
            env: [
              { name: 'DB_PASSWORD', value: 'CANARY-9' },
              { name: 'HOST', value: 'seen' },
            ],
          },
        }),
      ),
      writeDifference(
        object({ spec: { env: [{ name: 'API_TOKEN', value: 'CANARY-10' }] } }),
        object({ spec: { env: [{ name: 'API_TOKEN', value: 'CANARY-11' }] } }),
      ),
      writeDifference(
        object({}, { annotations: { [last]: '{"password":"CANARY-12"}' } }),
        object({}, { annotations: { [last]: '{"password":"CANARY-13"}' }, resourceVersion: '2' }),
      ),
      writeDifference(undefined, object({ spec: { passphrase: 'CANARY-14', connectionString: 'CANARY-15' } })),
    ]);
    expect(told).not.toContain('CANARY');
    expect(told).toContain('"path":"data.key","before":"*** (before)","after":"*** (after)"');
    expect(told).toContain('shown');
    expect(told).toContain('seen');
  });

  test.each([
    ['--db-password=CANARY --port=80', '--db-password=*** --port=80'],
    ['{"apiKey": "CANARY", "port": 80}', '{"apiKey": "***", "port": 80}'],
    ['postgres://app:CANARY@db:5432/shop?sslmode=require', 'postgres://app:***@db:5432/shop?sslmode=require'],
    ['Authorization: Bearer CANARY.CANARY.CANARY', 'Authorization: *** ***'],
    ['use Bearer CANARY-CANARY please', 'use Bearer *** please'],
    ['-----BEGIN RSA PRIVATE KEY-----\nCANARY\n-----END RSA PRIVATE KEY-----\nrest', '***\nrest'],
    ['-----BEGIN PRIVATE KEY-----\nCANARY', '***'],
    ['https://example.com:8443/tokens/list', 'https://example.com:8443/tokens/list'],
    ['nginx:1.27', 'nginx:1.27'],
  ])('C-13: of the text %j nothing secret is shown', (text, shown) => {
    expect(masked([text])).toEqual([shown]);
  });

  test('masking changes nothing else', () => {
    const value = { a: [1, { b: null }], token: 'x', nested: { apiKey: 'y', secretName: 'z' } };
    expect(masked(value)).toEqual({ a: [1, { b: null }], token: '***', nested: { apiKey: '***', secretName: 'z' } });
  });
});

describe('JR-1: the writes of a run', () => {
  const write: SentWrite = { kind: ConfigMap, ref: { name: 'a', namespace: 'default' }, verb: 'apply', body: {} };
  const world = (before?: KubeObject) => {
    const { clock } = virtualRuntime();
    return {
      clock,
      writes: new RunWrites({
        clock,
        before: () => before,
        after: () => undefined,
        within: { observe: (_, send) => send() },
      }),
    };
  };

  test('are reported with their verb, time and outcome', async () => {
    const { clock, writes } = world(object({ data: { a: '1' } }));
    const sent = writes.observe(write, async () => {
      await clock.sleep(5);
      return object({ data: { a: '2' } }, { resourceVersion: '2' });
    });
    await clock.advance(5);
    await sent;
    await writes.observe(write, async () => object({ data: { a: '1' } }));
    await writes.observe({ ...write, verb: 'delete', part: undefined }, async () => undefined);
    await expect(
      writes.observe({ ...write, part: 'status' }, () => Promise.reject(new Error('conflict'))),
    ).rejects.toThrow('conflict');
    const target = 'ConfigMap default/a';
    expect(writes.records).toEqual([
      {
        verb: 'apply',
        target,
        ms: 5,
        result: 'changed',
        changes: [{ path: 'data.a', before: '"1"', after: '"2"' }],
        moreChanges: 0,
      },
      { verb: 'apply', target, ms: 0, result: 'unchanged', changes: [], moreChanges: 0 },
      { verb: 'delete', target, ms: 0, result: 'changed', changes: [], moreChanges: 0 },
      {
        verb: 'apply',
        target: `${target}/status`,
        ms: 0,
        result: 'failed',
        changes: [],
        moreChanges: 0,
        error: 'conflict',
      },
    ]);
    expect(writes.took).toBe(5);
  });

  test('another object of that name in the cache is not what it was before', async () => {
    const { writes } = world(object({ data: { a: '1' } }, { uid: 'other' }));
    await writes.observe(write, async () => object({ data: { a: '1' } }));
    expect(writes.records[0]?.changes).toEqual([
      expect.objectContaining({ path: 'metadata.name' }),
      { path: 'data', after: '{"a":"1"}' },
    ]);
  });

  test('are bounded', async () => {
    const { writes } = world();
    for (let i = 0; i < 25; i += 1) await writes.observe({ ...write, kind: Secret }, async () => undefined);
    expect([writes.records.length, writes.more]).toEqual([20, 5]);
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`k${i}`, { v: i }]));
    const other = world().writes;
    for (let i = 0; i < 4; i += 1) await other.observe(write, async () => object({ ...many }));
    const told = other.records.map(({ changes, moreChanges }) => [changes.length, moreChanges]);
    expect(told.reduce((sum, [changes = 0]) => sum + changes, 0)).toBe(50);
    expect(new Set(told.map(([changes = 0, more = 0]) => changes + more)).size).toBe(1);
  });
});
