import { describe, expect, test } from 'vitest';
import { type Kind, kind, type KubeObject, type OwnerReference } from '../api/index.ts';
import { ApiError, KilterError } from '../errors/index.ts';
import { AppliedStates } from './apply.ts';
import { Children } from './children.ts';
import type { ReconcileEnvironment, Run } from './environment.ts';

const names = (of: string, scope: 'Namespaced' | 'Cluster') =>
  kind<KubeObject>({ group: '', version: 'v1', kind: of, plural: `${of.toLowerCase()}s`, scope });
const Owner = names('Owner', 'Namespaced');
const Box = names('Box', 'Namespaced');
const Note = names('Note', 'Namespaced');
const Node = names('Node', 'Cluster');

const refusal = (code: number, reason: string) =>
  new ApiError(
    { code, reason, message: '', causes: [], retryAfterSeconds: undefined, details: {} },
    { method: 'DELETE', path: '/x' },
  );
const undeclared = () => new KilterError('CACHE_KIND_UNDECLARED', 'not cached');

interface Setting {
  readonly owner?: KubeObject;
  /** What the cached read answers with; an error is thrown. */
  readonly cached?: KubeObject | Error;
  readonly server?: KubeObject;
  readonly hidden?: boolean;
  readonly owned?: readonly KubeObject[];
  readonly foreign?: readonly string[];
  readonly refusals?: Record<string, Error>;
  /** Deletions wait for it. */
  readonly slow?: Promise<void>;
}

const object = (name: string, rest: object = {}, of = 'Box'): KubeObject =>
  ({ apiVersion: 'v1', kind: of, metadata: { name, ...rest } }) as KubeObject;
const mainOwner = object('o', { namespace: 'n', uid: 'owner' }, 'Owner');
const reference: OwnerReference = {
  apiVersion: 'v1',
  kind: 'Owner',
  name: 'o',
  uid: 'owner',
  controller: true,
  blockOwnerDeletion: true,
};

/** The children of one run, over a cache and a server that say what a test wants. */
function setUp(setting: Setting = {}) {
  const { owner = mainOwner, cached, server, hidden = false, owned = [], foreign = [], refusals = {}, slow } = setting;
  const later: string[] = [];
  const sent: [KubeObject, object][] = [];
  const [asked, deleted, calls]: [unknown[][], string[], unknown[][]] = [[], [], []];
  const states = new AppliedStates();
  let skipped = 0;
  const client = {
    find: async (...args: unknown[]) => {
      calls.push(args);
      if (cached instanceof Error) throw cached;
      return cached;
    },
    apply: async (child: KubeObject, options: object) => {
      sent.push([child, options]);
      return { ...child, metadata: { ...child.metadata, uid: 'u', resourceVersion: '1' } };
    },
    delete: async (child: KubeObject) => {
      const error = refusals[child.metadata.name];
      if (error !== undefined) throw error;
      deleted.push(child.metadata.name);
      if (slow === undefined) return;
      await slow;
      later.push('deleted');
    },
  };
  const environment = {
    kind: Owner,
    children: new Map([
      ['v1/Box', { kind: Box, owned: true }],
      ['v1/Note', { kind: Note, owned: false }],
      ['v1/Node', { kind: Node, owned: true }],
    ]),
    live: { find: async (...args: unknown[]) => (asked.push(args), server) },
    manager: 'me',
    hides: ({ names: { scope } }: Kind, { name }: { name: string }) => scope !== undefined && name !== '' && hidden,
    ownedFieldsOf: ({ names: { scope } }: Kind, { name }: { name: string }) =>
      scope !== undefined && foreign.includes(name) ? undefined : {},
    childrenOf: async (...args: unknown[]) => (calls.push(args), owned),
    states,
    skipped: () => void (skipped += 1),
  } as unknown as ReconcileEnvironment;
  const children = new Children(environment, { key: 'n/o', client } as unknown as Run, owner);
  return { children, sent, asked, deleted, later, calls, states, skips: () => skipped };
}

describe('where a child goes', () => {
  test('into the namespace of its owner, controlled by it, with force', async () => {
    const { children, sent } = setUp();
    await children.apply(object('x'), {});
    expect(sent).toEqual([
      [object('x', { namespace: 'n', ownerReferences: [reference] }), { manager: 'me', force: true }],
    ]);
  });
  test('a cluster-scoped child has no namespace, whatever is said', async () => {
    const { children, sent } = setUp({ owner: object('o', { uid: 'owner' }, 'Owner') });
    await children.apply(object('x', { namespace: 'odd' }, 'Node'), {});
    expect(sent[0]?.[0].metadata).toEqual({ name: 'x', ownerReferences: [reference] });
  });
  test('a child of an owner without a namespace says its own', async () => {
    const { children, sent } = setUp({ owner: object('o', { uid: 'owner' }, 'Owner') });
    await expect(children.apply(object('x'), {})).rejects.toMatchObject({
      code: 'CLIENT_NAMESPACE_MISSING',
      message: expect.stringContaining('Box x is named without') as string,
    });
    await children.apply(object('x', { namespace: 'm' }), {});
    expect(sent.map(([child]) => child.metadata.namespace)).toEqual(['m']);
  });
  test('one in another namespace than its owner is refused', async () => {
    const { children, sent } = setUp();
    await expect(children.apply(object('x', { namespace: 'm' }), {})).rejects.toMatchObject({
      code: 'RECONCILE_OWNER_SCOPE',
    });
    expect(sent).toEqual([]);
  });
  test.each<[string, unknown, string]>([
    ['that is not declared', { names: { group: '', version: 'v1', kind: 'Other' } }, 'does not own Other'],
    ['of another version', { names: { group: '', version: 'v2', kind: 'Box' } }, 'does not own Box'],
    ['that is only written', Note, 'does not own Note'],
    ['that is not one', undefined, 'does not own undefined'],
  ])('children of a kind %s are refused, not taken for none', async (_, kind, message) => {
    const { children, calls } = setUp();
    await expect(children.owned(kind as Kind)).rejects.toMatchObject({
      code: 'RECONCILE_KIND_UNDECLARED',
      message: expect.stringMatching(new RegExp(`${message}, .*declare it with \\.owns\\(Kind\\);`)) as string,
    });
    expect(calls).toEqual([]);
  });
  test('a kind that is not declared is refused', async () => {
    await expect(setUp().children.apply(object('x', {}, 'Other'), {})).rejects.toMatchObject({
      code: 'RECONCILE_KIND_UNDECLARED',
      message: expect.stringContaining('Other (v1)') as string,
    });
  });
  test.each([
    undefined,
    null,
    'x',
    {},
    { apiVersion: 'v1', kind: 'Box' },
    { apiVersion: 'v1', kind: 'Box', metadata: null },
    { apiVersion: 'v1', kind: 'Box', metadata: { name: 'x', ownerReferences: 'o' } },
  ])('%j is not an object', async (given) => {
    await expect(setUp().children.apply(given as never, {})).rejects.toMatchObject({
      code: 'CLIENT_VALUE_INVALID',
      cure: expect.stringContaining('Kind.fields') as string,
    });
  });
  test('OW-3: adopt says when, and nothing that does not exist', async () => {
    const { children, sent } = setUp();
    const applied = children.apply(object('x'), { adopt: 'always' as never });
    await expect(applied).rejects.toMatchObject({ code: 'CLIENT_OPTION_INVALID' });
    expect(sent).toEqual([]);
  });
  test('force and ownership can be refused', async () => {
    const { children, sent, asked } = setUp();
    await children.apply(object('x'), { force: false, owner: false });
    expect(sent).toEqual([[object('x', { namespace: 'n' }), { manager: 'me', force: false }]]);
    expect(asked).toEqual([]);
  });
  test('what is only written gets no owner and is not looked for, unless that is asked for', async () => {
    const { children, sent, asked, calls } = setUp();
    await children.apply(object('x', {}, 'Note'), {});
    expect([sent[0]?.[0].metadata.ownerReferences, asked, calls]).toEqual([undefined, [], []]);
    await children.apply(object('x', {}, 'Note'), { owner: true });
    expect(sent[1]?.[0].metadata.ownerReferences).toEqual([reference]);
    expect(asked).toEqual([[Note, { name: 'x', namespace: 'n' }]]);
  });
});

describe('OW-3: a miss in the cache', () => {
  const orphan = object('x', { namespace: 'n', uid: 'u' });
  const rival = { ...orphan, metadata: { ...orphan.metadata, ownerReferences: [{ ...reference, name: 'p' }] } };

  test('is enough for who may adopt', async () => {
    const { children, asked, sent } = setUp({ server: rival });
    await children.apply(object('x'), { adopt: 'ifOrphan' });
    expect([asked.length, sent.length]).toEqual([0, 1]);
  });
  test.each([
    ['a selector may hide the object', { hidden: true, server: rival }, {}, 'RECONCILE_OWNED_BY_OTHER'],
    ['nothing may be adopted', { server: orphan }, { adopt: 'never' }, 'RECONCILE_ORPHAN_NOT_ADOPTED'],
    ['the cache does not know such objects', { cached: undeclared(), server: rival }, {}, 'RECONCILE_OWNED_BY_OTHER'],
  ] as const)('is not where %s: the server is asked', async (_, setting, options, code) => {
    const { children, asked, sent } = setUp(setting);
    await expect(children.apply(object('x'), options)).rejects.toMatchObject({ code });
    expect(asked).toEqual([[Box, { name: 'x', namespace: 'n' }]]);
    expect(sent).toEqual([]);
  });
  test('and on the server, too, lets it be made', async () => {
    const { children, sent } = setUp({ hidden: true });
    await children.apply(object('x'), {});
    expect(sent).toHaveLength(1);
  });
  test('any other failure of the read is the caller’s', async () => {
    const { children, sent } = setUp({ cached: new Error('broken') });
    await expect(children.apply(object('x'), {})).rejects.toThrow('broken');
    expect(sent).toEqual([]);
  });
  test('a hit is judged as it is, without asking the server', async () => {
    const { children, asked, calls } = setUp({ cached: rival });
    await expect(children.apply(object('x'), {})).rejects.toMatchObject({ code: 'RECONCILE_OWNED_BY_OTHER' });
    expect(asked).toEqual([]);
    expect(calls).toEqual([[Box, { name: 'x', namespace: 'n' }]]);
  });
});

test.each([
  ['the cache', (object: KubeObject) => ({ cached: object })],
  ['the server', (object: KubeObject) => ({ cached: undeclared(), server: object })],
])('AP-3: what was applied is compared with what %s has, and not sent again', async (_, seenAs) => {
  const first = setUp();
  const answer = await first.children.apply(object('x'), {});
  const again = setUp(seenAs(answer));
  again.states.set('n/o', { child: 'Box/n/x', wanted: new Set() }, first.states.get('n/o', 'Box/n/x')!);
  expect(await again.children.apply(object('x'), {})).toBe(answer);
  expect([again.sent.length, again.skips()]).toEqual([0, 1]);
});

describe('a prune', () => {
  const children = (...given: string[]) => given.map((name) => object(name, { namespace: 'n', uid: name }));

  test('deletes what the run did not apply, and forgets it', async () => {
    const { children: run, deleted, calls, states } = setUp({ owned: children('keep', 'old', 'older') });
    for (const name of ['keep', 'old']) states.set('n/o', { child: `Box/n/${name}`, wanted: new Set() }, {} as never);
    await run.apply(object('keep'), {});
    calls.length = 0;
    await run.finish([Box]);
    expect(deleted).toEqual(['old', 'older']);
    expect(calls).toEqual([[Box, { key: 'n/o', uid: 'owner' }, 'pruned']]);
    expect(states.get('n/o', 'Box/n/old')).toBeUndefined();
    expect(states.get('n/o', 'Box/n/keep')).toBeDefined();
  });
  test('leaves alone what failed to be applied, goes already, or was applied by somebody else', async () => {
    const going = object('going', { namespace: 'n', deletionTimestamp: '2020-01-01T00:00:00Z' });
    const setting = { owned: [...children('failed', 'foreign'), going], foreign: ['foreign'], cached: new Error('no') };
    const { children: run, deleted } = setUp(setting);
    await expect(run.apply(object('failed'), {})).rejects.toThrow('no');
    expect(await run.unwanted(Box)).toEqual([]);
    await run.finish([Box]);
    expect(deleted).toEqual([]);
  });
  test('does not mind what is gone already; any other refusal is the run’s', async () => {
    const gone = setUp({ owned: children('a', 'b'), refusals: { a: refusal(404, 'NotFound') } });
    await gone.children.finish([Box]);
    expect(gone.deleted).toEqual(['b']);
    const refused = setUp({ owned: children('a', 'b'), refusals: { a: refusal(403, 'Forbidden') } });
    await expect(refused.children.finish([Box])).rejects.toThrow('403');
    expect(refused.deleted).toEqual([]);
  });
  test('is over only when the last child is', async () => {
    const answer = Promise.withResolvers<void>();
    const { children: run, later } = setUp({ owned: children('a'), slow: answer.promise });
    const finished = run.finish([Box]).then(() => later.push('finished'));
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    expect(later).toEqual([]);
    answer.resolve();
    await finished;
    expect(later).toEqual(['deleted', 'finished']);
  });
  test('touches nothing but the given kinds', async () => {
    const { children: run, deleted } = setUp({ owned: children('a') });
    await run.finish([]);
    expect(deleted).toEqual([]);
  });
});
