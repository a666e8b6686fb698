// Traces through @opentelemetry/api, with a real provider that keeps spans in memory.
import {
  context,
  ProxyTracerProvider,
  propagation,
  SpanKind,
  SpanStatusCode,
  trace,
  type TracerProvider,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { controller, type Controller, counter, operator } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { freeAddress } from './free-address.test-support.ts';
import { configFor, Thing, thing } from './thing.test-support.ts';

function provide(provider: TracerProvider): void {
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  onTestFinished(() => {
    trace.disable();
    context.disable();
    propagation.disable();
  });
}

function inMemory() {
  const spans = new InMemorySpanExporter();
  provide(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }));
  return spans;
}

const looks = counter('looks_total', { help: 'Looks.' });
const things = controller(Thing)
  .owns(ConfigMap)
  .reconcile(async (object, ctx) => {
    const own = trace.getTracer('user').startSpan('my own step');
    ctx.metric(looks).inc();
    ctx.log.info('looked');
    own.end();
    await ctx.apply(configFor(object));
    if (object.spec.note === 'fail') throw new Error('no room');
  });

const traced = (reconciler: Controller, options = {}) =>
  operator({ name: 'traced', controllers: [reconciler], metrics: [looks], ...options });

const named = (spans: InMemorySpanExporter, name: string): ReadableSpan[] =>
  spans.getFinishedSpans().filter((span) => span.name === name);

test('OT-1 OT-2 a run is a trace with its wait and its requests; what the user traces is part of it', async () => {
  const spans = inMemory();
  const metricsAddress = await freeAddress();
  await using env = await cluster({ kinds: [Thing] });
  const lines: Record<string, unknown>[] = [];
  const log = (bound: object) => {
    const write = (fields: object | string, msg?: string) =>
      void lines.push(typeof fields === 'string' ? { ...bound, msg: fields } : { ...bound, ...fields, msg });
    return {
      debug: write,
      info: write,
      warn: write,
      error: write,
      child: (more: object) => log({ ...bound, ...more }),
    };
  };
  const own = traced(things, { logger: log({}), metricsAddress, probeAddress: '0' });
  await using manager = await own.start({ connection: env.connection, serve: true });
  await manager.ready;
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  await expect.poll(() => named(spans, 'reconcile thing').length).toBeGreaterThan(0);
  const [run] = named(spans, 'reconcile thing') as [ReadableSpan];
  expect(run.parentSpanContext).toBeUndefined();
  expect(run.attributes).toMatchObject({
    'kilter.controller': 'thing',
    'kilter.kind': 'Thing',
    'kilter.name': 'a',
    'k8s.namespace.name': 'default',
    'kilter.causes': ['add of Thing.example.com default/a'],
    'kilter.result': 'success',
  });
  const children = spans
    .getFinishedSpans()
    .filter((span) => span.parentSpanContext?.spanId === run.spanContext().spanId);
  expect(children.map(({ name }) => name).toSorted()).toEqual([
    'PATCH /api/v1/namespaces/{namespace}/configmaps/{name}',
    'my own step',
    'queue wait',
  ]);
  const request = children.find(({ kind }) => kind === SpanKind.CLIENT);
  expect(request?.attributes).toMatchObject({ 'http.request.method': 'PATCH', 'http.response.status_code': 201 });
  const { traceId, spanId } = run.spanContext();
  const line = lines.find(({ msg }) => msg === 'looked');
  expect(line).toMatchObject({
    trace_id: traceId,
    span_id: spanId,
    reconcileID: run.attributes['kilter.reconcile_id'],
  });
  // Renewals, watches and lists belong to no run.
  expect(
    spans
      .getFinishedSpans()
      .filter((span) => span.parentSpanContext === undefined && !span.name.startsWith('reconcile')),
  ).toEqual([]);
  const text = await (
    await fetch(`http://${metricsAddress}/metrics`, { headers: { accept: 'application/openmetrics-text' } })
  ).text();
  expect(text).toMatch(
    /controller_runtime_reconcile_time_seconds_bucket\{[^}]*\} \d+ # \{span_id="[0-9a-f]{16}",trace_id="[0-9a-f]{32}"\} /,
  );
  expect(text).toMatch(/looks_total \d # \{span_id=/);
});

test('OT-1 a failed run and a refused request are failed spans; the server learns of the trace', async () => {
  const spans = inMemory();
  const failing = controller(Thing).reconcile(async (_, ctx) => {
    await ctx.client.create(ConfigMap.build({ name: 'Not A Name' }));
  });
  await using env = await cluster({ kinds: [Thing], hotLoops: 'allow' });
  const seen: unknown[] = [];
  const connection = {
    ...env.connection,
    exchange: (request: Parameters<typeof env.connection.exchange>[0]) => {
      if (request.method === 'POST') seen.push(request.headers['traceparent']);
      return env.connection.exchange(request);
    },
  };
  const quiet = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
    child: () => quiet,
  };
  await using manager = await traced(failing, { logger: quiet }).start({ connection });
  await manager.ready;
  await env.client.create(thing('a'));
  await expect.poll(() => named(spans, 'reconcile thing').length).toBeGreaterThan(0);
  const [run] = named(spans, 'reconcile thing') as [ReadableSpan];
  expect(run.status).toMatchObject({ code: SpanStatusCode.ERROR, message: expect.stringContaining('Not A Name') });
  const [request] = named(spans, 'POST /api/v1/namespaces/{namespace}/configmaps') as [ReadableSpan];
  expect(request.attributes['http.response.status_code']).toBe(422);
  expect(request.status.code).toBe(SpanStatusCode.ERROR);
  const { traceId, spanId } = request.spanContext();
  expect(seen).toContain(`00-${traceId}-${spanId}-01`);
});

test('OT-3 without a provider, and with tracing off, nothing is traced', async () => {
  const run = async (options: object): Promise<void> => {
    await using env = await cluster({ operator: traced(things, options), kinds: [Thing] });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
    expect(env.log.some((line) => line.includes('trace_id'))).toBe(false);
  };
  expect(trace.getTracerProvider()).toBeInstanceOf(ProxyTracerProvider);
  // Who made a span would ask for its tracer by name.
  const tracers = vi.spyOn(ProxyTracerProvider.prototype, 'getTracer');
  onTestFinished(() => tracers.mockRestore());
  await run({});
  // Once in each run.
  expect([...new Set(tracers.mock.calls.map(([name]) => name))]).toEqual(['user']);
  const spans = inMemory();
  await run({ tracing: false });
  expect([...new Set(spans.getFinishedSpans().map(({ name }) => name))]).toEqual(['my own step']);
});

const thrower = (): never => {
  throw new Error('the tracer is broken');
};
const brokenSpan = {
  spanContext: thrower,
  setAttributes: thrower,
  addEvent: thrower,
  setStatus: thrower,
  recordException: thrower,
  end: thrower,
};

test.each([
  ['startSpan', { getTracer: () => ({ startSpan: thrower }) }],
  ['getTracer', { getTracer: thrower }],
  ['every method of its spans', { getTracer: () => ({ startSpan: () => brokenSpan }) }],
])('OT-4 a provider whose %s throws harms no run, and is told of once', async (_, provider) => {
  const reconciler = controller(Thing)
    .owns(ConfigMap)
    .reconcile(async (object, ctx) => {
      ctx.metric(looks).inc();
      await ctx.apply(configFor(object));
    });
  provide(provider as never);
  await using env = await cluster({ operator: traced(reconciler), kinds: [Thing] });
  await env.client.create(thing('a', { x: '1' }));
  await env.client.create(thing('b', { x: '2' }));
  await env.eventually(ConfigMap, 'a', { data: { x: '1' } });
  await env.eventually(ConfigMap, 'b', { data: { x: '2' } });
  expect(env.managers[0]?.runs.recent().every(({ result }) => result === 'success')).toBe(true);
  expect(env.log.filter((line) => line.includes('tracing threw'))).toHaveLength(1);
});
