// What a quarantine says on objects whose kind has a status, and that runs wait until it is stored.
import { expect, test } from 'vitest';
import { kind, type KubeObject } from '../api/index.ts';
import { virtualClock } from '../internal/index.ts';
import type { ReconcileEnvironment, Run } from '../reconcile/index.ts';
import { MetricsRegistry, silentLogger } from '../telemetry/index.ts';
import type { CrashWatch } from './crash-watch.ts';
import { Quarantine } from './quarantine.ts';

const schema = { openAPIV3Schema: { properties: { status: { properties: { conditions: {} } } } } };
const Box = Object.assign(
  kind<KubeObject>({ group: 'example.com', version: 'v1', kind: 'Box', plural: 'boxes', scope: 'Namespaced' }),
  { manifest: () => ({ spec: { versions: [{ name: 'v1', schema }] } }) },
);
const annotation = 'quarantine.kilter.dev/boxes';
const quarantined = { type: 'Quarantined', status: 'True', reason: 'EndsProcess', message: 'x' };
const ready = { type: 'Ready', status: 'True', reason: 'Fine', message: 'x' };

interface Given {
  readonly mark?: string;
  readonly generation?: number;
  readonly conditions?: readonly object[];
}
const box = ({ mark, generation = 1, conditions = [] }: Given = {}): KubeObject =>
  ({
    apiVersion: 'example.com/v1',
    kind: 'Box',
    metadata: {
      name: 'x',
      namespace: 'n',
      generation,
      resourceVersion: '1',
      ...(mark !== undefined && { annotations: { [annotation]: mark } }),
    },
    status: { conditions },
  }) as KubeObject;

interface Sent {
  readonly subresource: string | undefined;
  readonly body: { readonly status?: { readonly conditions: readonly { type: string; message?: string }[] } };
}

/** Every write is answered when `answer()` says so. */
function setUp(strikes = 0) {
  const log: string[] = [];
  const sent: Sent[] = [];
  const answers: PromiseWithResolvers<KubeObject>[] = [];
  const patch = (_kind: unknown, _ref: unknown, body: Sent['body'], options?: { subresource?: string }) => {
    sent.push({ subresource: options?.subresource, body });
    const answer = Promise.withResolvers<KubeObject>();
    answers.push(answer);
    return answer.promise;
  };
  const entering = Promise.withResolvers<() => void>();
  const crashes = {
    strikesOf: () => strikes,
    enter: (id: string, generation: number) => (log.push(`enter ${id} ${generation}`), entering.promise),
    clear: (id: string) => void log.push(`clear ${id}`),
  } as unknown as CrashWatch;
  const clock = virtualClock();
  const environment = {
    kind: Box,
    clock,
    recorder: { record: () => void log.push('event') },
    leadership: () => undefined,
  };
  const quarantine = new Quarantine({
    controller: 'boxes',
    environment: environment as unknown as ReconcileEnvironment,
    metrics: new MetricsRegistry(),
    crashes,
  });
  const run = { ref: { name: 'x', namespace: 'n' }, key: 'n/x', log: silentLogger, client: { patch } };
  const state = { ended: 'waits' as 'waits' | 'left out' | 'runs' };
  const begin = async (object: KubeObject): Promise<void> => {
    state.ended = 'waits';
    const entered = quarantine.before(run as unknown as Run, object);
    void Promise.resolve(entered).then((end) => (state.ended = end === undefined ? 'left out' : 'runs'));
    await clock.settle();
  };
  const answer = async (): Promise<void> => {
    answers.shift()?.resolve(box());
    await clock.settle();
  };
  const enter = async (): Promise<void> => {
    entering.resolve(() => undefined);
    await clock.settle();
  };
  const types = (): unknown[] => sent.map(({ body }) => body.status?.conditions.map(({ type }) => type));
  return { begin, answer, enter, sent, log, types, state };
}

test('B-30: a marked object says in its status why it is left out and what to do; the run ends once that is stored', async () => {
  const { begin, answer, sent, state } = setUp();
  await begin(box({ mark: JSON.stringify({ reason: 'it loops', generation: 1 }), conditions: [ready] }));
  expect(sent).toMatchObject([{ subresource: 'status', body: { metadata: { resourceVersion: '1' } } }]);
  const conditions = sent[0]?.body.status?.conditions;
  expect(conditions).toMatchObject([
    ready,
    { ...quarantined, message: expect.stringMatching(/^it loops; change its/) },
  ]);
  // The generation was not handled: nothing may say that it was.
  expect(JSON.stringify(sent)).not.toContain('observedGeneration');
  expect(state.ended).toBe('waits');
  await answer();
  expect(state.ended).toBe('left out');
});

test.each(['by hand', '{"reason":7}', 'null'])(
  'B-30: a mark of a person holds whatever it says, at any generation: %s',
  async (mark) => {
    const { begin, answer, sent, state } = setUp();
    await begin(box({ mark, generation: 9 }));
    expect(sent[0]?.body.status?.conditions[0]?.message).toContain(`${mark}; change its spec`);
    await answer();
    expect(state.ended).toBe('left out');
  },
);

test('B-30: a mark of another generation is taken away before the run ends', async () => {
  const { begin, answer, sent, state } = setUp();
  await begin(box({ mark: JSON.stringify({ reason: 'it loops', generation: 1 }), generation: 2 }));
  expect(sent).toEqual([
    { subresource: undefined, body: { metadata: { resourceVersion: '1', annotations: { [annotation]: null } } } },
  ]);
  expect(state.ended).toBe('waits');
  await answer();
  expect(state.ended).toBe('left out');
});

test('B-30: three strikes: the mark is stored, then forgotten and told, then the status written, then the run ends', async () => {
  const { begin, answer, sent, log, state } = setUp(3);
  await begin(box());
  expect([sent.length, log]).toEqual([1, []]);
  await answer();
  expect([sent.length, log, state.ended]).toEqual([2, ['clear boxes/n/x', 'event'], 'waits']);
  expect(sent[1]).toMatchObject({ subresource: 'status', body: { status: { conditions: [{ type: 'Quarantined' }] } } });
  await answer();
  expect(state.ended).toBe('left out');
});

test('B-30: an object without its mark loses the condition, and only that, before it is announced and runs', async () => {
  const { begin, answer, enter, types, log, state } = setUp();
  await begin(box({ conditions: [ready, quarantined], generation: 4 }));
  expect([types(), log, state.ended]).toEqual([[['Ready']], [], 'waits']);
  await answer();
  expect([log, state.ended]).toEqual([['enter boxes/n/x 4'], 'waits']);
  await enter();
  expect(state.ended).toBe('runs');
});

test('B-30: an object with no more than conditions of its own is announced at once, and its status is not touched', async () => {
  const { begin, enter, sent, log, state } = setUp();
  await begin(box({ conditions: [ready] }));
  expect([sent, log]).toEqual([[], ['enter boxes/n/x 1']]);
  await enter();
  expect(state.ended).toBe('runs');
});
