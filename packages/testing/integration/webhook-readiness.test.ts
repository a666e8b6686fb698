// When a replica with webhooks is ready: asked over HTTP, as kubelet asks.
import { request } from 'node:https';
import { createServer } from 'node:net';
import { controller, type Logger, type Manager, operator, validating } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { type VirtualClock, virtualRuntime } from 'kilter/runtime';
import { describe, expect, onTestFinished, test } from 'vitest';
import { cluster, type EmbeddedCluster } from '../src/cluster/index.ts';
import { Thing, thing } from './thing.test-support.ts';

const ignore = (): void => undefined;
const silent: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore, child: () => silent };

async function freeAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => server.once('listening', done));
  const address = server.address();
  await new Promise((done) => server.close(done));
  return `127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
}

interface Probed {
  readonly manager: Manager;
  /** Asks its webhook, past the API server: whether it refuses what it has to. */
  readonly review: () => Promise<string | undefined>;
  /** Status and text of a probe. */
  readonly ask: (path: string) => Promise<readonly [number, string]>;
}

/** What a webhook says of a ConfigMap. */
function reviewAt(port: number): Promise<string | undefined> {
  const about = {
    uid: 'u',
    kind: { group: '', version: 'v1', kind: 'ConfigMap' },
    operation: 'CREATE',
    object: ConfigMap.build({ name: 'a', namespace: 'default' }),
  };
  const path = '/validate--v1-configmap';
  const headers = { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method: 'POST', rejectUnauthorized: false, headers, agent: false };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.once('end', () => {
        const { response: verdict } = JSON.parse(text) as { response: { status?: { message: string } } };
        resolve(verdict.status?.message);
      });
    });
    sent.once('error', reject);
    sent.end(JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request: about }));
  });
}

interface Scene {
  readonly env: EmbeddedCluster;
  readonly clock: VirtualClock;
  readonly start: (identity: string, run?: () => Promise<void>) => Promise<Probed>;
}

async function place(): Promise<Scene> {
  const runtime = virtualRuntime();
  const { clock } = runtime;
  // oxlint-disable-next-line no-restricted-globals -- handshakes are judged in real time
  clock.jump(Date.now() - clock.now());
  const env = await cluster({ kinds: [Thing], runtime });
  const managers: Manager[] = [];
  onTestFinished(async () => {
    const stops = managers.map((manager) => manager.stop().catch(ignore));
    await Promise.all([...stops, clock.advance(120_000)]);
    await env[Symbol.asyncDispose]();
  });
  const start = async (identity: string, run: () => Promise<void> = () => Promise.resolve()): Promise<Probed> => {
    const probeAddress = await freeAddress();
    let port = 0;
    const made = operator({
      name: 'probed',
      logger: silent,
      controllers: [controller(Thing).reconcile(run)],
      webhooks: [validating(ConfigMap, { objectSelector: { guarded: 'yes' } }, (_, review) => review.deny('no'))],
      leaderElection: { identity },
      metricsAddress: '0',
      probeAddress,
    });
    const manager = await made.start({
      connection: env.server.connection('operator'),
      runtime,
      serve: true,
      accessReview: false,
      webhooks: {
        address: '127.0.0.1:0',
        url: (chosen) => `https://127.0.0.1:${(port = chosen)}`,
        // Often enough to find the server away during an outage.
        certificates: { checkEvery: '1s' },
      },
    });
    manager.done.catch(ignore);
    managers.push(manager);
    const ask = async (path: string): Promise<readonly [number, string]> => {
      const answer = await fetch(`http://${probeAddress}${path}`);
      return [answer.status, await answer.text()];
    };
    return { manager, ask, review: () => reviewAt(port) };
  };
  return { env, clock, start };
}

describe('HZ-2 a replica with webhooks', { timeout: 120_000 }, () => {
  test('HZ-2 is ready when it has read its objects and serves, and not before', async () => {
    const { env, clock, start } = await place();
    const heal = env.server.fail({ kind: 'Secret', fault: { type: 'status', code: 503, message: 'not now' } });
    const { manager, ask } = await start('one');
    await clock.advance(100);
    await expect.poll(() => ask('/readyz/webhooks'), { interval: 5 }).toEqual([500, 'webhooks are not served yet\n']);
    expect((await ask('/readyz'))[0]).toBe(500);
    expect(await ask('/healthz')).toEqual([200, 'ok']);
    heal();
    await expect
      .poll(() => clock.advance(1000).then(() => ask('/readyz')), { interval: 5, timeout: 20_000 })
      .toEqual([200, 'ok']);
    await manager.ready;
  });

  test('HZ-2 a standby is as ready as the leader, and an outage of the API server changes nothing for both', async () => {
    const { env, clock, start } = await place();
    const [leader, standby] = [await start('one'), await start('two')];
    await leader.manager.ready;
    await standby.manager.ready;
    await env.client.create(thing('kept'));
    await clock.advance(1000);
    for (const { ask, review } of [leader, standby]) {
      expect(await ask('/readyz')).toEqual([200, 'ok']);
      expect(await review()).toBe('no');
    }
    expect([leader.manager.leading, standby.manager.leading]).toEqual([true, false]);
    env.server.fail({ fault: { type: 'lost-request' } });
    // Less than a lease: whoever loses it ends, which is another matter.
    await clock.advance(5000);
    for (const { ask, review, manager } of [leader, standby]) {
      expect(await ask('/readyz?verbose')).toEqual([200, '[+]caches ok\n[+]webhooks ok\nreadyz check passed\n']);
      expect(await review()).toBe('no');
      expect(manager.cache.list(Thing).map(({ metadata }) => metadata.name)).toEqual(['kept']);
    }
    // The leader ends with its lease. The other one serves on, whatever of its own it cannot look after.
    await clock.advance(60_000);
    expect(await standby.ask('/readyz')).toEqual([200, 'ok']);
    expect(await standby.review()).toBe('no');
  });

  test('HZ-2 from the first moment of a stop it is not ready, while what runs still ends', async () => {
    const { env, clock, start } = await place();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    const { manager, ask } = await start('one', () => {
      runs += 1;
      return gate.promise;
    });
    await manager.ready;
    await clock.advance(1000);
    await env.client.create(thing('a'));
    await clock.advance(1000);
    expect([runs, await ask('/readyz')]).toEqual([1, [200, 'ok']]);
    const stopped = manager.stop();
    expect(await ask('/readyz/caches')).toEqual([500, 'stopping\n']);
    expect((await ask('/readyz'))[0]).toBe(500);
    gate.resolve();
    await Promise.all([stopped, clock.advance(10_000)]);
  });
});
