// Metrics of the user: on the operator's registry, from runs and parts, and over HTTP.
import { controller, counter, histogram, type Logger, operator } from 'kilter';
import { Gauge, Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { freeAddress } from './free-address.test-support.ts';
import { Thing, thing } from './thing.test-support.ts';

const ignore = (): void => undefined;
const quiet: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

const looks = counter('shop_looks_total', { help: 'Looks.', labels: { result: ['ok', 'failed'] } });
const sizes = histogram('shop_size', { help: 'Sizes.', buckets: [1] });

const things = controller(Thing).reconcile(async (_, ctx) => {
  ctx.metric(looks).inc({ result: 'ok' });
  ctx.metric(sizes).observe(0.5);
  // @ts-expect-error -- not a value of the label; what it costs is one log line
  ctx.metric(looks).inc({ result: 'odd' });
  await ctx.status({ seen: 1 });
});

test('ME-7 ME-8 each operator counts for itself, and a wrong use fails no run', async () => {
  const shop = operator({ name: 'shop', controllers: [things], metrics: [looks, sizes] });
  const idle = operator({ name: 'idle', metrics: [looks] });
  await using env = await cluster({ operator: [shop, idle], kinds: [Thing] });
  await env.client.create(thing('a'));
  await env.eventually(Thing, 'a', { status: { seen: 1 } });
  const [first, second] = env.managers.map((manager) => manager.metrics());
  expect(first).toMatch(/shop_looks_total\{result="ok"\} [12]\nshop_looks_total\{result="failed"\} 0\n/);
  expect(first).toMatch(/shop_size_bucket\{le="1"\} [12]\n/);
  expect(second).toContain('shop_looks_total{result="ok"} 0\n');
  expect(env.managers[0]?.runs.recent().every(({ result }) => result === 'success')).toBe(true);
  expect(env.log.filter((line) => line.includes('METRIC_USE_INVALID'))).toHaveLength(1);
});

test('ME-7 clashing names are refused when the operator is defined', () => {
  const define = (): unknown =>
    operator({ name: 'shop', metrics: [looks, counter('shop_looks_total', { help: 'Others.' })] });
  expect(define).toThrow(expect.objectContaining({ code: 'METRIC_NAME_TAKEN' }));
  expect(() => operator({ name: 'shop', registries: [{} as never] })).toThrow('no getMetricsAsJSON()');
});

test('ME-9 ME-10 the endpoint serves a prom-client registry too, in the format the scraper asks for', async () => {
  const register = new Registry();
  new Gauge({ name: 'theirs', help: 'G.', registers: [register] }).set(7);
  const metricsAddress = await freeAddress();
  const shop = operator({
    name: 'shop',
    controllers: [things],
    metrics: [looks, sizes],
    registries: [register],
    logger: quiet,
    metricsAddress,
    probeAddress: '0',
  });
  await using env = await cluster({ kinds: [Thing] });
  await using manager = await shop.start({ connection: env.connection, serve: true });
  await manager.ready;
  const at = `http://${metricsAddress}/metrics`;
  const plain = await fetch(at);
  expect(plain.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
  expect(await plain.text()).toMatch(/\ntheirs 7\n/);
  const open = await fetch(at, { headers: { accept: 'application/openmetrics-text;version=1.0.0' } });
  expect(open.headers.get('content-type')).toBe('application/openmetrics-text; version=1.0.0; charset=utf-8');
  const text = await open.text();
  expect(text).toMatch(/\n# TYPE shop_looks counter\nshop_looks_total\{result="ok"\} 0\n/);
  expect(text.endsWith('# EOF\n')).toBe(true);
  const families = [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name);
  expect(new Set(families).size).toBe(families.length);
});
