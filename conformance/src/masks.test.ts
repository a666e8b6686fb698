// Masks hide what they are meant to hide, and nothing else: every other field that changes is noticed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Answers, Case, Json } from './case.ts';
import { differences } from './compare.ts';
import { embeddedServers } from './embedded.ts';
import { Masking, masks } from './masks.ts';
import { normalForm } from './normal-form.ts';
import { type Run, runCase } from './run-case.ts';
import {
  claim,
  configMap,
  configMaps,
  define,
  events,
  get,
  post,
  remove,
  thing,
  things,
  thingsPath,
  watch,
} from './steps.ts';

const now = Date.parse('2026-01-02T03:04:05Z');
const masked = (answers: Record<string, Json>): Json =>
  new Masking(answers as unknown as Answers, now).value(answers as unknown as Json);
const uidA = '11111111-2222-4333-8444-555555555555';
const uidB = '99999999-2222-4333-8444-555555555555';

describe('a mask keeps what can be compared', () => {
  test('equal uids stay equal and others differ, in texts as well', () => {
    const body = { a: uidA, b: uidB, message: `uid ${uidA} is not ${uidB}` };
    expect(masked({ x: { body } })).toEqual({
      x: { body: { a: '<uid 1>', b: '<uid 2>', message: 'uid <uid 1> is not <uid 2>' } },
    });
  });

  test('versions of objects keep their order, those of lists and bookmarks only their place', () => {
    const object = (resourceVersion: string): Json => ({ metadata: { resourceVersion } });
    const list = { kind: 'ConfigMapList', metadata: { resourceVersion: '12' }, items: [object('9'), object('11')] };
    const events = [
      { type: 'BOOKMARK', object: object('13') },
      { type: 'ADDED', object: object('9') },
    ];
    expect(masked({ x: { body: list, events } })).toEqual({
      x: {
        body: {
          kind: 'ConfigMapList',
          metadata: { resourceVersion: '<rv of a list>' },
          items: [object('<rv 1>'), object('<rv 2>')],
        },
        events: [
          { type: 'BOOKMARK', object: object('<rv of a list>') },
          { type: 'ADDED', object: object('<rv 1>') },
        ],
      },
    });
  });

  test('times of the run keep their form, others their value', () => {
    const times = [
      '2026-01-02T03:00:00Z',
      '2026-01-02T03:00:00.123456Z',
      '2026-01-02T03:00:00.123Z',
      '2001-01-01T00:00:00Z',
    ];
    expect(masked({ x: { body: times } })).toEqual({
      x: { body: ['<time>', '<microtime>', '<time with 3 decimals>', '2001-01-01T00:00:00Z'] },
    });
  });

  test('a page token is decoded, so that a wrong one is seen', () => {
    const token = Buffer.from('{"v":"meta.k8s.io/v1","rv":431,"start":"/p2\\u0000"}').toString('base64url');
    const body = { kind: 'PodList', metadata: { continue: token } };
    expect(masked({ x: { body } })).toEqual({
      x: {
        body: {
          kind: 'PodList',
          metadata: { continue: '<continue {"v":"meta.k8s.io/v1","rv":<rv>,"start":"/p2\\u0000"}>' },
        },
      },
    });
  });

  test('generated names and hashes are replaced wherever they stand', () => {
    const pod = {
      metadata: { name: 'web-5d4f-abcde', generateName: 'web-5d4f-', labels: { 'pod-template-hash': '5d4f' } },
    };
    expect(masked({ x: { body: pod, text: 'pod web-5d4f-abcde' } })).toMatchObject({
      x: { body: { metadata: { name: 'web-<hash 1>-<generated 1>' } }, text: 'pod web-<hash 1>-<generated 1>' },
    });
  });

  test('allocated addresses go, None and nothing stay', () => {
    const spec = (clusterIP: string): Json => ({
      clusterIP,
      clusterIPs: [clusterIP],
      ports: [{ port: 80, nodePort: 30123 }],
    });
    expect(masked({ a: { body: spec('10.0.0.7') }, b: { body: spec('None') } })).toEqual({
      a: {
        body: { clusterIP: '<allocated>', clusterIPs: ['<allocated>'], ports: [{ port: 80, nodePort: '<allocated>' }] },
      },
      b: { body: { clusterIP: 'None', clusterIPs: ['None'], ports: [{ port: 80, nodePort: '<allocated>' }] } },
    });
  });

  test('ages in tables go, other cells stay', () => {
    const body = {
      kind: 'Table',
      columnDefinitions: [
        { name: 'Name', type: 'string' },
        { name: 'Age', type: 'string' },
      ],
      rows: [{ cells: ['5s', '5s'] }],
    };
    expect(masked({ x: { body } })).toMatchObject({ x: { body: { rows: [{ cells: ['5s', '<age>'] }] } } });
  });

  test('the causes of a conflict are sorted by manager, whose fields keep their order', () => {
    const cause = (manager: string, field: string): { [key: string]: Json } => ({
      reason: 'FieldManagerConflict',
      message: `conflict with "${manager}"`,
      field,
    });
    const causes = [cause('m2', 'b'), cause('m1', 'c'), cause('m2', 'a')];
    const sorted = [cause('m1', 'c'), cause('m2', 'b'), cause('m2', 'a')];
    expect(masked({ x: { body: { kind: 'Status', reason: 'Conflict', details: { causes } } } })).toEqual({
      x: { body: { kind: 'Status', reason: 'Conflict', details: { causes: sorted } } },
    });
  });

  test('the causes of an invalid object are sorted, their texts stay', () => {
    const causes = ['b', 'a'].map((field) => ({ reason: 'FieldValueInvalid', field, message: `no ${field}` }));
    const message = 'Thing "x" is invalid: [b: no b, a: no a]';
    const body = { kind: 'Status', reason: 'Invalid', message, details: { causes } };
    expect(masked({ x: { body } })).toMatchObject({
      x: {
        body: {
          message: 'Thing "x" is invalid: [a: no a, b: no b]',
          details: { causes: [{ field: 'a' }, { field: 'b' }] },
        },
      },
    });
  });

  test('managers stand as if all had written in one second; who has no time stays first', () => {
    const entry = (manager: string, time?: string): Json => ({
      manager,
      operation: 'Update',
      ...(time === undefined ? {} : { time }),
    });
    const managedFields = [entry('c'), entry('b', '2001-02-03T04:05:06Z'), entry('a', '2001-02-03T04:05:07Z')];
    const result = masked({ x: { body: { metadata: { managedFields } } } });
    expect(result).toMatchObject({
      x: { body: { metadata: { managedFields: [{ manager: 'c' }, { manager: 'a' }, { manager: 'b' }] } } },
    });
  });

  test('missing roles are sorted, wherever a message lists them', () => {
    const missing = (kind: string, name: string): string => `${kind}.rbac.authorization.k8s.io "${name}" not found`;
    const [one, other] = [missing('clusterrole', 'b'), missing('role', 'a')];
    const message = (list: string): string => `no rights; resolution errors: [[${list}]]`;
    expect(masked({ x: { body: { message: message(`${other}, ${one}`) } } })).toEqual({
      x: { body: { message: message(`${one}, ${other}`) } },
    });
  });

  test('keys of the storage begin as by default', () => {
    const message = 'StorageError: invalid object, Code: 4, Key: /api-2/configmaps/n/x, ResourceVersion: 0';
    const expected = 'StorageError: invalid object, Code: 4, Key: /registry/configmaps/n/x, ResourceVersion: 0';
    expect(masked({ x: { body: { message } } })).toEqual({ x: { body: { message: expected } } });
  });

  test('each has a reason', () => expect(masks.filter(({ because }) => because.trim() === '')).toEqual([]));
});

const sample: Case = {
  id: 'sample',
  section: 'list-watch',
  shows: [],
  title: 'a bit of everything',
  steps: [
    ...define('crd', things({ type: 'object', properties: { n: { type: 'integer' } } })),
    get('list', thingsPath),
    watch('w', `${thingsPath}?watch=1&resourceVersion={{list.body.metadata.resourceVersion}}`),
    post('create', thingsPath, thing('a', { metadata: { labels: { a: 'b' } }, spec: { n: 1 } })),
    post('refused', configMaps, configMap('x', { data: { a: 1 } })),
    post('unknown', `${thingsPath}?fieldValidation=Warn`, thing('b', { spec: { n: 1, m: 2 } })),
    get('page', `${thingsPath}?limit=1`),
    get('table', thingsPath, { send: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }),
    remove('gone', `${thingsPath}/a`),
    events('seen', 'w', { count: 3 }),
  ],
  claims: [claim('nothing in particular', 'create.status', { is: 201 })],
};

type Path = readonly string[];

/** Every place with something in it, lists and objects included. */
function placesIn(value: Json, path: Path = []): Path[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [...(path.length === 0 ? [] : [path]), ...inner.flatMap(([key, field]) => placesIn(field, [...path, key]))];
}

function changed(value: Json, [key, ...rest]: Path, change: (found: Json) => Json | undefined): Json {
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, Json>;
  const found = copy[key ?? ''] as Json;
  const next = rest.length === 0 ? change(found) : changed(found, rest, change);
  if (next === undefined && !Array.isArray(copy)) delete copy[key ?? ''];
  else if (next === undefined) (copy as unknown as Json[]).splice(Number(key), 1);
  else copy[key ?? ''] = next;
  return copy as unknown as Json;
}

const other = (value: Json): Json => {
  if (typeof value === 'string') return `${value}~`;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'boolean') return !value;
  if (value === null) return 'something';
  return Array.isArray(value) ? [...(value as Json[]), 'one more'] : { ...value, more: 'one more' };
};

describe('a sample of answers', () => {
  const servers = embeddedServers();
  let run: Run;
  beforeAll(async () => {
    await using server = await servers.take('api');
    run = await runCase(sample, server, 'a');
  });
  afterAll(() => servers[Symbol.asyncDispose]());

  const isCompared = (path: Path): boolean => {
    const [step = '', part = ''] = path;
    if (step.startsWith('crd') || part === 'text') return false;
    const compared = ['content-type', 'warning', 'retry-after', 'location', 'cache-control', 'allow'];
    return part !== 'headers' || path.length === 2 || compared.includes(path[2] ?? '');
  };

  test.each([
    ['changed', other],
    ['taken away', () => undefined],
  ] as const)('whatever is %s in it is noticed, masked places included', (_, change) => {
    expect(run.stopped).toBeUndefined();
    const before = normalForm(sample, run);
    const answers = run.answers as unknown as Json;
    const unnoticed = placesIn(answers)
      .filter((path) => path.length > 1 && isCompared(path) && !(path.length === 2 && path[1] === 'headers'))
      .filter((path) => {
        const after = normalForm(sample, { ...run, answers: changed(answers, path, change) as unknown as Answers });
        return differences(before, after).length === 0;
      });
    expect(placesIn(answers).length).toBeGreaterThan(300);
    expect(unnoticed).toEqual([]);
  });
});
