// Rights that are missing, or taken away while the operator runs. What the server says is what RBAC says.
import { Buffer } from 'node:buffer';
import { controller, type Logger, operator, type Operator } from 'kilter';
import { ConfigMap, Secret } from 'kilter/k8s/core/v1';
import { type Connection, virtualRuntime } from 'kilter/runtime';
import { describe, expect, test } from 'vitest';
import { cluster } from '../../src/cluster/index.ts';
import { Thing, thing } from '../thing.test-support.ts';
import { type ExchangeResponse, faulty } from './faulty-connection.test-support.ts';

const answer = (status: number, object: object): ExchangeResponse => {
  async function* body(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(Buffer.from(JSON.stringify(object)));
  }
  return { status, headers: { 'content-type': 'application/json' }, body: body() };
};

const refusal = (verb: string, resource: string): ExchangeResponse =>
  answer(403, {
    kind: 'Status',
    apiVersion: 'v1',
    status: 'Failure',
    reason: 'Forbidden',
    code: 403,
    message: `${resource} is forbidden: User "shop" cannot ${verb} resource "${resource}" in API group "" in the namespace "default"`,
  });

const verbs: Record<string, string> = { PATCH: 'patch', DELETE: 'delete', POST: 'create', PUT: 'update' };

/** A connection whose user may do everything but what `revoked` names, as `patch configmaps`. */
function limited(connection: Connection, revoked: Set<string>): Connection {
  return faulty(connection, (request, pass) => {
    const url = new URL(request.path, 'https://x');
    const watching = url.searchParams.get('watch') === 'true' || url.searchParams.get('watch') === '1';
    const verb = verbs[request.method] ?? (watching ? 'watch' : 'list');
    const resource = /\/(configmaps|secrets|things)\b/.exec(url.pathname)?.[1] ?? '';
    if (url.pathname.endsWith('/selfsubjectaccessreviews')) {
      const { spec } = JSON.parse(String(request.body)) as { spec: { resourceAttributes: Record<string, string> } };
      const { verb: asked, resource: about, subresource } = spec.resourceAttributes;
      const allowed = !revoked.has(`${asked} ${about}`) || subresource !== undefined;
      return Promise.resolve(answer(201, { kind: 'SelfSubjectAccessReview', spec, status: { allowed } }));
    }
    return revoked.has(`${verb} ${resource}`) ? Promise.resolve(refusal(verb, resource)) : pass();
  });
}

function logging(): { lines: string[]; logger: Logger } {
  const lines: string[] = [];
  const note =
    (level: string) =>
    (fields: object | string, message = ''): void =>
      void lines.push(`${level} ${JSON.stringify(fields)} ${message}`);
  const logger: Logger = {
    debug: () => undefined,
    info: note('info'),
    warn: note('warn'),
    error: note('error'),
    child: () => logger,
  };
  return { lines, logger };
}

/** Two controllers over one kind: one makes ConfigMaps, the other Secrets. */
function twoControllers(): Operator {
  const configs = controller(Thing, { name: 'configs' })
    .owns(ConfigMap)
    .reconcile(async (object, ctx) => {
      await ctx.apply(ConfigMap.build({ name: object.metadata.name, data: object.spec.values }));
    });
  const secrets = controller(Thing, { name: 'secrets' })
    .owns(Secret)
    .reconcile(async (object, ctx) => {
      await ctx.apply(Secret.build({ name: object.metadata.name, stringData: object.spec.values }));
    });
  return operator({ name: 'two', controllers: [configs, secrets] });
}

describe('B-25: rights revoked while running', () => {
  test('a write that is refused names the rule, the other controller runs on, and the grant is enough to recover', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing] });
    const revoked = new Set<string>();
    const { lines, logger } = logging();
    await using manager = await twoControllers().start({
      connection: limited(env.connection, revoked),
      runtime,
      logger,
    });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });

    revoked.add('patch configmaps');
    await env.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await env.eventually(Secret, 'a', ({ data }) => data?.['x'] === Buffer.from('2').toString('base64'));
    for (let step = 0; step < 700; step += 1) await runtime.clock.advance(1_000);
    const failed = lines.filter((line) => line.startsWith('error') && line.includes('the run failed'));
    expect(failed[0]).toContain(String.raw`- {apiGroups: [\"\"], resources: [\"configmaps\"], verbs: [\"patch\"]}`);
    expect(failed[0]).not.toContain('"stack"');
    expect(lines.join('\n')).not.toContain('"controller":"secrets"');

    revoked.clear();
    await env.eventually(ConfigMap, 'a', { data: { x: '2' } }, { within: '40s' });
    expect(manager.leading).toBe(true);
  });

  test('a watch that is refused names the rule, what is cached stays, and the grant is enough to recover', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing] });
    const revoked = new Set<string>();
    const { lines, logger } = logging();
    await using manager = await twoControllers().start({
      connection: limited(env.connection, revoked),
      runtime,
      logger,
    });
    await env.client.create(thing('a', { x: '1' }));
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } });

    revoked.add('list configmaps').add('watch configmaps');
    // Every watch has ended and been opened again by then.
    for (let minute = 0; minute < 12; minute += 1) await runtime.clock.advance(60_000);
    expect(lines.join('\n')).toContain(
      String.raw`- {apiGroups: [\"\"], resources: [\"configmaps\"], verbs: [\"list\", \"watch\"]}`,
    );
    expect(manager.cache.find(ConfigMap, { namespace: 'default', name: 'a' })?.data).toEqual({ x: '1' });
    await env.client.create(thing('b', { x: '1' }));
    await env.eventually(Secret, 'b', {});

    revoked.clear();
    await runtime.clock.advance(60_000);
    await env.client.delete(ConfigMap, 'a');
    await env.eventually(ConfigMap, 'a', { data: { x: '1' } }, { within: '1m' });
  });
});

describe('C-02: rights that are missing at the start', () => {
  test('the operator ends within 5 s and names the rules, in place of waiting for its caches', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing] });
    const connection = limited(env.connection, new Set(['list secrets', 'watch secrets', 'patch configmaps']));
    const manager = await twoControllers().start({ connection, runtime, logger: logging().logger });
    const end = manager.done.catch((error: unknown) => error);
    await runtime.clock.advance(5_000);
    expect(await Promise.race([end, Promise.resolve('still waiting')])).toMatchObject({
      code: 'MANAGER_PERMISSIONS_MISSING',
      message: expect.stringMatching(
        /configmaps"\], verbs: \["patch"\]\}\n- \{apiGroups: \[""\], resources: \["secrets"\], verbs: \["list", "watch"\]/,
      ) as string,
    });
  });

  test('a right to write is only told: what needs it fails when it comes to it', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing] });
    const { lines, logger } = logging();
    const connection = limited(env.connection, new Set(['delete configmaps', 'patch secrets']));
    await using manager = await twoControllers().start({ connection, runtime, logger });
    await manager.ready;
    await runtime.clock.advance(5_000);
    const told = lines.filter((line) => line.includes('the server denies some of what the operator declares'));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(String.raw`resources: [\"secrets\"], verbs: [\"patch\"]`);
  });

  test('nobody is asked where the start says so', async () => {
    const runtime = virtualRuntime();
    await using env = await cluster({ runtime, kinds: [Thing] });
    const connection = limited(env.connection, new Set(['patch secrets']));
    const { lines, logger } = logging();
    await using manager = await twoControllers().start({ connection, runtime, logger, accessReview: false });
    await manager.ready;
    await runtime.clock.advance(5_000);
    expect(lines.join('\n')).not.toContain('denies');
  });
});
