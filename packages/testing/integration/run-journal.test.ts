// What ran, why, what it wrote and where its time went: by program and over HTTP.
import { controller, type Logger, operator } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { cluster } from '../src/cluster/index.ts';
import { freeAddress } from './free-address.test-support.ts';
import { configFor, Thing, thing } from './thing.test-support.ts';

const ignore = (): void => undefined;
const quiet: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => quiet };

const things = controller(Thing)
  .owns(ConfigMap)
  .owns(Secret)
  .reconcile(async (object, ctx) => {
    await ctx.apply(configFor(object));
    await ctx.apply(
      Secret.build({ name: object.metadata.name, stringData: { key: `CANARY-${object.spec.values['x']}` } }),
    );
    await ctx.status({ note: object.spec.values['x'] ?? '' });
  });

async function ask(address: string, path: string, host?: string) {
  const [name, port] = address.split(':');
  return await new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    get({ host: name, port, path, headers: host === undefined ? {} : { host } }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          body: text.startsWith('[') || text.startsWith('{') ? JSON.parse(text) : text,
        }),
      );
    }).on('error', reject);
  });
}

test('JR-1 JR-2 JR-3 C-13: a run tells its causes, its writes as differences, its phases; nothing of a Secret', async () => {
  const debugAddress = await freeAddress();
  await using env = await cluster({ kinds: [Thing] });
  const own = operator({
    name: 'told',
    controllers: [things],
    debugAddress,
    metricsAddress: '0',
    probeAddress: '0',
    logger: quiet,
  });
  await using manager = await own.start({ connection: env.connection, serve: true });
  await manager.ready;
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(Thing, 'a', { status: { note: '1' } });
  await env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
  await env.eventually(Thing, 'a', { status: { note: '2' } });
  const wrote = (value: string) =>
    manager.runs
      .recent()
      .find(({ writes }) => writes.some(({ changes }) => changes.some(({ after }) => after === `"${value}"`)));
  await expect.poll(() => wrote('2')).toBeDefined();
  const first = manager.runs.recent()[0];
  expect(first?.causes).toEqual(['add of Thing.example.com default/a']);
  expect(first?.writes.map(({ verb, target, result }) => [verb, target, result])).toEqual([
    ['apply', 'ConfigMap default/a', 'changed'],
    ['apply', 'Secret default/a', 'changed'],
    ['patch', 'Thing.example.com default/a/status', 'changed'],
  ]);
  const second = wrote('2');
  expect(second?.writes[0]?.changes).toEqual([{ path: 'data.x', before: '"1"', after: '"2"' }]);
  expect(second?.writes[1]?.changes).toEqual([{ path: 'data.key', before: '*** (before)', after: '*** (after)' }]);
  const { queue = NaN, settle = NaN, writes = NaN, code = NaN } = second?.phases ?? {};
  expect([queue, settle, writes, code].every((ms) => ms >= 0)).toBe(true);
  expect(writes).toBeGreaterThan(0);
  expect(settle + code).toBeLessThanOrEqual(second?.durationMs ?? 0);
  expect(JSON.stringify(manager.runs.recent())).not.toMatch(/CANARY|Q0FOQVJZ/);

  const all = await ask(debugAddress, '/debug/runs');
  expect(all.status).toBe(200);
  expect(all.body).toEqual(JSON.parse(JSON.stringify(manager.runs.recent().toReversed())));
  expect(JSON.stringify(all.body)).not.toMatch(/CANARY|Q0FOQVJZ/);
  expect((await ask(debugAddress, '/debug/runs?limit=1')).body).toHaveLength(1);
  expect((await ask(debugAddress, '/debug/runs?controller=other')).body).toEqual([]);
  expect((await ask(debugAddress, '/debug/runs?key=default/a&result=success')).body).not.toEqual([]);
  expect(await ask(debugAddress, `/debug/runs/${first?.reconcileID}`)).toMatchObject({
    status: 200,
    body: { key: 'default/a' },
  });
  const statuses = ['/debug/runs/none', '/debug/runs?limit=0', '/debug/runs?limit=x', '/debug', '/', '/debug/runs/a/b'];
  expect(await Promise.all(statuses.map(async (path) => (await ask(debugAddress, path)).status))).toEqual([
    404, 400, 400, 404, 404, 404,
  ]);
  // A page of the web whose name leads here asks in its own name.
  expect((await ask(debugAddress, '/debug/runs', 'evil.example')).status).toBe(403);
  expect((await ask(debugAddress, '/debug/runs', '127.evil.example:80')).status).toBe(403);
});

test('JR-2: each write of a run is reported by itself, whatever the reconciler did to its object', async () => {
  await using env = await cluster({ kinds: [Thing] });
  const twice = controller(Thing).reconcile(async (object, ctx) => {
    if (object.status?.note !== undefined) return;
    object.status = { note: 'mine' } as never;
    await ctx.status({ note: 'first' });
    await ctx.status({ note: 'second' });
  });
  const own = operator({ name: 'twice', controllers: [twice], logger: quiet });
  await using manager = await own.start({ connection: env.connection });
  await manager.ready;
  await env.client.create(thing('a', { x: '1' }));
  const notes = () =>
    manager.runs
      .recent()
      .flatMap(({ writes }) => writes.map(({ changes }) => changes.filter(({ path }) => /note|^status$/.test(path))));
  await expect.poll(notes).toHaveLength(2);
  expect(notes()).toEqual([
    [{ path: 'status', after: expect.stringContaining('"note":"first"') }],
    [{ path: 'status.note', before: '"first"', after: '"second"' }],
  ]);
});

test.each([':8082', '0.0.0.0:8082', '10.0.0.1:8082', '[::]:8082'])(
  'JR-3 C-07 runs are told on this machine only: %s is refused',
  (debugAddress) => {
    const define = (): unknown => operator({ name: 'told', debugAddress });
    expect(define).toThrow(expect.objectContaining({ code: 'MANAGER_OPTION_INVALID' }));
    expect(define).toThrow('an address of this machine');
  },
);

test('LG-1 what is not a logger is refused when the operator is defined; the console is one', () => {
  expect(() => operator({ name: 'told', logger: {} as never })).toThrow('logger has no method debug');
  expect(() => operator({ name: 'told', logger: console })).not.toThrow();
});

test('JR-2: what a run does to an answer does not change what its next write is compared with', async () => {
  const twice = controller(Thing).reconcile(async (object, ctx) => {
    if (object.spec.values['x'] !== '1') return;
    await ctx.status({ note: 'begun' });
    const live = await ctx.live.get(Thing, object.metadata.name);
    const answer = await ctx.client.update({ ...live, spec: { ...live.spec, values: { x: '2' } } });
    answer.spec.values['x'] = '3';
    await ctx.client.update(answer);
  });
  await using env = await cluster({ operator: operator({ name: 'twice', controllers: [twice], logger: quiet }) });
  await env.client.create(thing('a', { x: '1' }));
  await env.eventually(Thing, 'a', { spec: { values: { x: '3' } } });
  const written = (): unknown[] => env.managers.flatMap(({ runs }) => runs.recent().flatMap(({ writes }) => writes));
  await expect.poll(() => written().length).toBe(3);
  const change = (before: string, after: string): unknown =>
    expect.objectContaining({ changes: expect.arrayContaining([{ path: 'spec.values.x', before, after }]) as unknown });
  expect(written().slice(1)).toEqual([change('"1"', '"2"'), change('"2"', '"3"')]);
});
