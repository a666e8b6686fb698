import { describe, expect, test } from 'vitest';
import { formatMicroTime, type Kind, type KubeObject, type Ref } from '../api/index.ts';
import type { Client } from '../client/index.ts';
import { ApiError, KilterError } from '../errors/index.ts';
import { virtualRuntime } from '../internal/index.ts';
import type { Event } from '../k8s/events/v1.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import { createRecorder } from './event-recorder.ts';
import type { RecorderOptions } from './options.ts';
import type { EventInput } from './recorder.ts';

const shop: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'WebApp',
  metadata: { name: 'shop', namespace: 'default', uid: 'u1', resourceVersion: '5' },
};
const event = (change: Partial<EventInput> = {}): EventInput => ({
  regarding: shop,
  type: 'Normal',
  reason: 'Rollout',
  message: 'rolling out',
  ...change,
});
const lost = new KilterError('TRANSPORT_CONNECTION_LOST', 'reset');
const refused = (code: number, reason: string): ApiError =>
  new ApiError(
    { code, reason, message: 'no', causes: [], retryAfterSeconds: undefined, details: {} },
    { method: 'POST', path: '/' },
  );

interface Request {
  readonly verb: 'create' | 'patch';
  readonly object?: Event;
  readonly ref?: Ref;
  readonly patch?: unknown;
}

function setup(options: Partial<RecorderOptions> = {}) {
  const runtime = virtualRuntime();
  const requests: Request[] = [];
  /** What the next requests fail with; a promise holds the request. */
  const answers: (Error | Promise<void> | undefined)[] = [];
  const lines: Record<string, unknown>[] = [];
  const metrics = new MetricsRegistry();
  const answer = async (): Promise<void> => {
    const next = answers.shift();
    if (next instanceof Error) throw next;
    await next;
  };
  const client = {
    create: async (object: Event) => {
      requests.push({ verb: 'create', object });
      await answer();
      return object;
    },
    patch: async (_: Kind, ref: Ref, patch: unknown) => {
      requests.push({ verb: 'patch', ref, patch });
      await answer();
      return shop;
    },
  } as unknown as Client;
  const recorder = createRecorder({
    client,
    runtime,
    logger: jsonLogger({ write: (line) => lines.push(JSON.parse(line)), now: () => 0 }),
    metrics,
    reportingController: 'webapp-operator',
    reportingInstance: 'host_1',
    ...options,
  });
  const dropped = (reason: string): number => {
    const line = metrics
      .text()
      .split('\n')
      .find((text) => text.startsWith(`kilter_events_dropped_total{reason="${reason}"}`));
    return Number(line?.split(' ')[1] ?? 0);
  };
  return { recorder, requests, answers, lines, dropped, clock: runtime.clock };
}

describe('writing Events', () => {
  test('EV-0: an Event is created as events.k8s.io/v1 with all the server demands', async () => {
    const { recorder, requests, clock } = setup();
    recorder.record(event());
    await clock.settle();
    expect(requests).toEqual([
      {
        verb: 'create',
        object: {
          apiVersion: 'events.k8s.io/v1',
          kind: 'Event',
          metadata: { name: expect.stringMatching(/^shop\.[0-9a-f]+$/), namespace: 'default' },
          eventTime: formatMicroTime(clock.now()),
          type: 'Normal',
          reason: 'Rollout',
          action: 'Reconcile',
          note: 'rolling out',
          regarding: { ...shop.metadata, apiVersion: 'example.com/v1', kind: 'WebApp' },
          reportingController: 'webapp-operator',
          reportingInstance: 'host_1',
        },
      },
    ]);
  });

  test('EV-2, EV-8: a repeated Event raises its series by PATCH, each occurrence at once', async () => {
    const { recorder, requests, clock } = setup();
    const start = clock.now();
    for (let i = 0; i < 3; i += 1) {
      recorder.record(event());
      await clock.advance(1000);
    }
    const ref = { name: requests[0]?.object?.metadata.name, namespace: 'default' };
    expect(requests.slice(1)).toEqual([
      { verb: 'patch', ref, patch: { series: { count: 2, lastObservedTime: formatMicroTime(start + 1000) } } },
      { verb: 'patch', ref, patch: { series: { count: 3, lastObservedTime: formatMicroTime(start + 2000) } } },
    ]);
  });

  test('EV-2: an Event that is gone is created anew, under a new name, with its count', async () => {
    const { recorder, requests, answers, clock, lines } = setup();
    recorder.record(event());
    await clock.advance(1000);
    answers.push(refused(404, 'NotFound'));
    recorder.record(event());
    await clock.advance(1000);
    expect(requests.map(({ verb }) => verb)).toEqual(['create', 'patch', 'create']);
    expect(requests[2]?.object).toMatchObject({ series: { count: 2 } });
    expect(requests[2]?.object?.metadata.name).not.toBe(requests[0]?.object?.metadata.name);
    recorder.record(event());
    await clock.settle();
    expect(requests[3]).toMatchObject({ verb: 'patch', ref: { name: requests[2]?.object?.metadata.name } });
    expect(lines).toEqual([]);
  });

  test('EV-6: Events of cluster-scoped objects go to default; an invalid name becomes a UUID', async () => {
    const { recorder, requests, clock } = setup();
    recorder.record(event({ regarding: { apiVersion: 'v1', kind: 'ClusterRole', metadata: { name: 'system:node' } } }));
    recorder.record(event({ regarding: { apiVersion: 'v1', kind: 'X', metadata: { name: 'x'.repeat(250) } } }));
    await clock.settle();
    const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-/;
    expect(requests.map(({ object }) => object?.metadata)).toEqual([
      { name: expect.stringMatching(uuid), namespace: 'default' },
      { name: expect.stringMatching(uuid), namespace: 'default' },
    ]);
    expect(requests[0]?.object?.regarding).toEqual({ apiVersion: 'v1', kind: 'ClusterRole', name: 'system:node' });
  });

  test('EV-6: the series of a cluster-scoped object goes on in default, under the name of its moment', async () => {
    const { recorder, requests, clock } = setup();
    const at = clock.now();
    const node: KubeObject = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } };
    recorder.record(event({ regarding: node }));
    recorder.record(event({ regarding: node }));
    await clock.settle();
    const name = `n1.${(BigInt(Math.floor(at * 1000)) * 1000n).toString(16)}`;
    expect(requests[0]?.object?.metadata).toEqual({ name, namespace: 'default' });
    expect(requests[1]).toMatchObject({ verb: 'patch', ref: { name, namespace: 'default' } });
  });

  test('EV-0: a reason and an action longer than 128 bytes are cut', async () => {
    const { recorder, requests, clock } = setup();
    recorder.record(event({ reason: 'R'.repeat(200), action: 'A'.repeat(129), message: 'm'.repeat(341) }));
    await clock.settle();
    expect(requests[0]?.object).toMatchObject({
      reason: 'R'.repeat(128),
      action: 'A'.repeat(128),
      note: 'm'.repeat(341),
    });
  });

  test('EV-6: two Events of one object at one moment have different names', async () => {
    const { recorder, requests, clock } = setup();
    recorder.record(event({ message: 'a' }));
    recorder.record(event({ message: 'b' }));
    await clock.settle();
    expect(new Set(requests.map(({ object }) => object?.metadata.name)).size).toBe(2);
  });

  test('EV-4: what the filter keeps back is counted as dropped and costs no request', async () => {
    const { recorder, requests, dropped, clock } = setup();
    for (let i = 0; i < 40; i += 1) recorder.record(event());
    await clock.settle();
    expect([requests.length, dropped('spam')]).toEqual([25, 15]);
  });
});

describe('when it does not go well', () => {
  test('EV-1: recording sends nothing in its own turn and never throws', async () => {
    const { recorder, requests, lines, dropped, clock } = setup();
    recorder.record(event());
    expect(requests).toEqual([]);
    expect(() => recorder.record({ ...event(), regarding: undefined as unknown as KubeObject })).not.toThrow();
    expect(() => recorder.record(event({ reason: '' }))).not.toThrow();
    for (const odd of [{ message: undefined }, { message: { a: 1 } }, { reason: 5 }, { action: 5n }]) {
      expect(() => recorder.record(event(odd as never))).not.toThrow();
    }
    expect(dropped('invalid')).toBe(6);
    expect(lines.map(({ err }) => (err as { code?: string }).code)).toEqual(Array(6).fill('RECORDER_EVENT_INVALID'));
    expect(lines.map(({ err }) => (err as Error).message).slice(2)).toEqual([
      expect.stringContaining('has the message undefined, which is not a string'),
      expect.stringContaining('has the message { a: 1 }, which is not a string'),
      expect.stringContaining('an Event has no reason'),
      expect.stringContaining('has the action 5n, which is not a string'),
    ]);
    await clock.settle();
    expect(requests).toHaveLength(1);
  });

  test('EV-1: at 1000 pending, further ones are dropped and counted', async () => {
    const { recorder, answers, dropped, clock } = setup();
    const held = Promise.withResolvers<void>();
    answers.push(held.promise);
    recorder.record(event());
    await clock.settle();
    for (let i = 0; i < 1003; i += 1) recorder.record(event({ message: `m${i}` }));
    expect(dropped('full')).toBe(3);
    held.resolve();
    await clock.settle();
    expect(dropped('full')).toBe(3);
  });

  test('EV-7: a type other than Normal or Warning is refused before sending', async () => {
    const { recorder, requests, lines, clock } = setup();
    recorder.record(event({ type: 'Error' as 'Warning' }));
    await clock.settle();
    expect(requests).toEqual([]);
    expect(lines).toMatchObject([
      { err: { code: 'RECONCILE_EVENT_TYPE' }, object: expect.stringMatching(/^\w+ \S+$/) },
    ]);
  });

  test('EV-5: a transport error is tried again under the same name; the first retry within 10 s', async () => {
    const { recorder, requests, answers, lines, clock } = setup();
    answers.push(lost, lost, refused(409, 'AlreadyExists'));
    recorder.record(event());
    await clock.settle();
    expect(requests).toHaveLength(1);
    await clock.advance(10_000);
    expect(requests).toHaveLength(2);
    await clock.advance(10_000);
    expect(new Set(requests.map(({ object }) => object?.metadata.name)).size).toBe(1);
    recorder.record(event());
    await clock.settle();
    expect(requests.map(({ verb }) => verb)).toEqual(['create', 'create', 'create', 'patch']);
    expect(lines).toEqual([]);
  });

  test('EV-5: after 12 tries an Event is given up and the next one is sent', async () => {
    const { recorder, requests, answers, lines, dropped, clock } = setup();
    answers.push(...Array.from({ length: 12 }, () => lost));
    recorder.record(event());
    recorder.record(event({ message: 'next' }));
    await clock.advance(120_000);
    expect(requests.map(({ object }) => object?.note)).toEqual([
      ...Array.from({ length: 12 }, () => 'rolling out'),
      'next',
    ]);
    expect(lines).toHaveLength(1);
    expect(dropped('refused')).toBe(1);
  });

  test('EV-5: an answer of the server is final; the next occurrence is created again', async () => {
    const { recorder, requests, answers, lines, clock } = setup();
    answers.push(refused(403, 'Forbidden'));
    recorder.record(event());
    await clock.advance(60_000);
    expect(requests).toHaveLength(1);
    expect(lines).toMatchObject([{ name: 'shop', reason: 'Rollout', err: { code: 'CLIENT_FORBIDDEN' } }]);
    recorder.record(event());
    await clock.settle();
    expect(requests.map(({ verb }) => verb)).toEqual(['create', 'create']);
  });

  test('EV-5: an Event that cannot be settled for a reason of our own is told and dropped, and the next one is sent', async () => {
    const broken = {
      ...virtualRuntime(),
      random: () => {
        throw new Error('no chance');
      },
    };
    const { recorder, requests, answers, lines, dropped } = setup({ runtime: broken });
    answers.push(lost);
    recorder.record(event());
    recorder.record(event({ reason: 'Next' }));
    await broken.clock.settle();
    expect(requests.map(({ object }) => object?.reason)).toEqual(['Rollout', 'Next']);
    expect(dropped('refused')).toBe(1);
    expect(lines).toMatchObject([{ kind: 'WebApp', name: 'shop', namespace: 'default', reason: 'Rollout' }]);
    expect(JSON.stringify(lines)).toContain('no chance');
  });

  test('EV-9: the names Events are reported under are checked at start', () => {
    const bad: Partial<RecorderOptions>[] = [
      { reportingController: '' },
      { reportingController: 'my operator' },
      { reportingController: 'a/b/c' },
      { reportingController: 'x'.repeat(64) },
      { reportingInstance: '' },
      { reportingInstance: 'x'.repeat(129) },
    ];
    for (const options of bad) {
      expect(() => setup(options)).toThrow(expect.objectContaining({ code: 'RECORDER_OPTION_INVALID' }));
    }
    expect(() =>
      setup({ reportingController: 'example.com/webapp_1', reportingInstance: 'x'.repeat(128) }),
    ).not.toThrow();
    expect(() => setup({ reportingController: 'Webapp_1' })).not.toThrow();
    const domain = (length: number): string => `${`${'a'.repeat(62)}.`.repeat(4)}${'b'.repeat(length - 252)}`;
    expect(() => setup({ reportingController: `${domain(253)}/x` })).not.toThrow();
    for (const wrong of [domain(254), 'Example.com', '', '-a']) {
      expect(() => setup({ reportingController: `${wrong}/x` })).toThrow(
        expect.objectContaining({ code: 'RECORDER_OPTION_INVALID' }),
      );
    }
  });
});

describe('the end', () => {
  test('EV-10: pending Events are flushed, further ones refused', async () => {
    const { recorder, requests, dropped, clock } = setup();
    for (let i = 0; i < 3; i += 1) recorder.record(event({ message: `m${i}` }));
    await recorder.stop({ within: 5000 });
    expect(requests).toHaveLength(3);
    recorder.record(event({ message: 'late' }));
    await clock.settle();
    expect([requests.length, dropped('stopped'), clock.pending]).toEqual([3, 1, 0]);
  });

  test.each([
    ['a request never answers', (): Promise<void> => new Promise(() => undefined)],
    ['the server is unreachable', (): Error => lost],
  ])('EV-10: what cannot be flushed within the deadline is given up: %s', async (_, answer) => {
    const { recorder, requests, answers, dropped, lines, clock } = setup();
    answers.push(answer());
    for (let i = 0; i < 3; i += 1) recorder.record(event({ message: `m${i}` }));
    await clock.settle();
    let stopped = false;
    const stop = recorder.stop({ within: 1 }).then(() => (stopped = true));
    await clock.settle();
    expect(stopped).toBe(false);
    await clock.advance(1);
    await stop;
    expect([requests.length, dropped('stopped'), clock.pending]).toEqual([1, 3, 0]);
    expect(lines).toMatchObject([{ events: 2 }]);
  });

  test('EV-10: a server that is silent for longer than the patience is given up on, one that answers is not', async () => {
    const { recorder, requests, answers, dropped, lines, clock } = setup();
    const after = (ms: number): Promise<void> => clock.sleep(ms);
    answers.push(after(800), after(1600), after(2400), new Promise(() => undefined));
    for (let i = 0; i < 5; i += 1) recorder.record(event({ message: `m${i}` }));
    let stopped = false;
    const stop = recorder.stop({ within: 10_000, patience: 1000 }).then(() => (stopped = true));
    await clock.advance(3399);
    expect([requests.length, stopped]).toEqual([4, false]);
    await clock.advance(1);
    await stop;
    expect([dropped('stopped'), clock.pending]).toEqual([2, 0]);
    expect(lines).toMatchObject([{ events: 1 }]);
  });
});
