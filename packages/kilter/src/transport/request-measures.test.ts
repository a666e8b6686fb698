// The metrics client-go has on request: names, labels and bounds are its own, so that its dashboards read them.
import { describe, expect, test } from 'vitest';
import { createAuthority, issue } from '../certificates/index.ts';
import { get, ok, post, refusal, reset, watchOutcome, world } from './scripted-server.test-support.ts';
import { makePki, socketWorlds } from './socket-world.test-support.ts';

const socketWorld = socketWorlds(makePki({ createAuthority, issue }));
const measured = { requestMetrics: true };
const seconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60];
const sizes = [64, 256, 512, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216];

const boundsOf = (text: string, name: string): number[] => [
  ...new Set(
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}_bucket{`))
      .map((line) => Number(/le="([^"]*)"/.exec(line)?.[1]?.replace('+Inf', 'Infinity'))),
  ),
];

describe('metrics of each request', () => {
  test('ME-11: there are none unless they are asked for', async () => {
    const { transport, metrics } = world([() => ok('{}')], { rateLimit: { qps: 1, burst: 1 } });
    await transport.send(get);
    expect(metrics().match(/^# TYPE rest_client_\S+/gm)).toEqual(['# TYPE rest_client_requests_total']);
  });

  test('ME-11: the time is that of all attempts and waits, by verb and host', async () => {
    const answers = [() => refusal(429, { 'retry-after': '3' }), () => ok('{}')];
    const { transport, clock, seen, metric, metrics } = world(answers, measured);
    const outcome = watchOutcome(transport.send(get));
    await clock.advance(20_000);
    expect(outcome.value?.status).toBe(200);
    const answered = seen[1]?.at ?? 0;
    expect(answered).toBeGreaterThanOrEqual(3000);
    expect(metric('rest_client_request_duration_seconds_sum{')).toBe(
      `rest_client_request_duration_seconds_sum{host="in-memory",verb="GET"} ${answered / 1000}`,
    );
    expect(metric('rest_client_request_duration_seconds_count{')).toMatch(/ 1$/);
    expect(boundsOf(metrics(), 'rest_client_request_duration_seconds')).toEqual([...seconds, Infinity]);
  });

  test('ME-11: a request that fails has taken its time too', async () => {
    const { transport, metric } = world([() => Promise.reject(reset())], measured);
    await transport.send(post).catch(() => undefined);
    expect(metric('rest_client_request_duration_seconds_count{')).toMatch(/verb="POST".* 1$/);
  });

  test('ME-11: streams are not timed: they end when their reader wants', async () => {
    const { transport, metric, metrics } = world([() => ok('{"a":1}\n')], measured);
    for await (const line of await transport.stream(get)) expect(line).toBe('{"a":1}');
    for await (const _ of await transport.chunks(get));
    expect(metric('rest_client_requests_total{')).toMatch(/ 2$/);
    expect(metrics()).not.toMatch(/^rest_client_(request_duration|response_size)/m);
  });

  test('ME-11: the wait for a turn of the rate limit, also where there was none', async () => {
    const { transport, clock, metric, metrics } = world([() => ok('{}')], {
      ...measured,
      rateLimit: { qps: 2, burst: 1 },
    });
    const all = [1, 2].map(() => watchOutcome(transport.send(get)));
    await clock.advance(1000);
    expect(all.every(({ value }) => value?.status === 200)).toBe(true);
    expect(metric('rest_client_rate_limiter_duration_seconds_sum{')).toBe(
      'rest_client_rate_limiter_duration_seconds_sum{host="in-memory",verb="GET"} 0.5',
    );
    expect(metric('rest_client_rate_limiter_duration_seconds_count{')).toMatch(/ 2$/);
    expect(boundsOf(metrics(), 'rest_client_rate_limiter_duration_seconds')).toEqual([...seconds, Infinity]);
  });

  test('ME-11: bytes of what was sent, at each attempt, and of what was answered', async () => {
    const { transport, clock, metric, metrics } = world(
      [() => refusal(503, { 'retry-after': '0' }), () => ok('{"text":"', 'ä', '"}')],
      measured,
    );
    const outcome = watchOutcome(transport.send({ ...post, body: '{"text":"ä"}' }));
    await clock.advance(20_000);
    expect(outcome.value?.status).toBe(200);
    const refused = JSON.stringify({ kind: 'Status', code: 503, reason: '', message: 'said 503' }).length;
    const at = '{host="in-memory",verb="POST"}';
    expect(metric('rest_client_request_size_bytes_sum{')).toBe(`rest_client_request_size_bytes_sum${at} 26`);
    expect(metric('rest_client_request_size_bytes_count{')).toMatch(/ 2$/);
    expect(metric('rest_client_response_size_bytes_sum{')).toBe(
      `rest_client_response_size_bytes_sum${at} ${refused + 13}`,
    );
    expect(metric('rest_client_response_size_bytes_count{')).toMatch(/ 2$/);
    for (const name of ['request', 'response']) {
      expect(boundsOf(metrics(), `rest_client_${name}_size_bytes`)).toEqual([...sizes, Infinity]);
    }
  });

  test('ME-11: so are answers that are wanted as bytes', async () => {
    const { transport, metric } = world([() => ok('12345')], measured);
    await transport.sendForBytes(get);
    expect(metric('rest_client_response_size_bytes_sum{')).toMatch(/verb="GET".* 5$/);
  });

  test('ME-11: attempts after the first, each by what became of it', async () => {
    const busy = () => refusal(503, { 'retry-after': '0' });
    const { transport, clock, metrics } = world([busy, busy, () => Promise.reject(reset()), () => ok('{}')], measured);
    const outcome = watchOutcome(transport.send(get));
    await clock.advance(20_000);
    expect(outcome.value?.status).toBe(200);
    const counted = metrics().match(/^rest_client_request_retries_total\{.*$/gm);
    expect(counted?.toSorted()).toEqual(
      ['200', '503', '<error>'].map(
        (code) => `rest_client_request_retries_total{code="${code}",host="in-memory",verb="GET"} 1`,
      ),
    );
  });

  test('ME-11: the time a name took to be resolved, once for each connection; an address is not', async () => {
    await using named = await socketWorld({ transport: measured });
    await Promise.all([named.api.send(get), named.api.send(get)]);
    const text = named.metrics.text();
    expect(text).toMatch(/^rest_client_dns_resolution_duration_seconds_count\{host="localhost"\} 1$/m);
    expect(boundsOf(text, 'rest_client_dns_resolution_duration_seconds')).toEqual([...seconds, Infinity]);
    const server = `https://127.0.0.1:${named.server.port}`;
    await using addressed = await socketWorld({ transport: measured, config: { server, tlsServerName: 'localhost' } });
    await addressed.api.send(get);
    expect(addressed.metrics.text()).not.toMatch(/^rest_client_dns_resolution_duration_seconds_count/m);
  });
});
