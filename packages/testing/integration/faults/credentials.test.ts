// Credentials that end and authorities that change while an operator runs. Real sockets, files and login plugins.
import type { Manager } from 'kilter';
import { ConfigMap } from 'kilter/k8s/core/v1';
import { describe, expect, test } from 'vitest';
import { Thing, thing, thingOperator, things } from '../thing.test-support.ts';
import { execCredential, KubeconfigFolder, type KubeconfigParts } from './kubeconfig-folder.test-support.ts';
import { newAuthority, ServedCluster, servingPair } from './served-cluster.test-support.ts';
import { TcpProxy } from './tcp-proxy.test-support.ts';

async function reconciled(cluster: ServedCluster, name: string, x: string): Promise<void> {
  const holds = async (): Promise<boolean> => (await cluster.client.find(ConfigMap, name))?.data?.['x'] === x;
  await cluster.until(holds, `${name} to be reconciled`);
}

const ends = (manager: Manager): { done: boolean } => {
  const end = { done: false };
  const mark = (): void => void (end.done = true);
  manager.done.then(mark, mark);
  return end;
};

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const refused = (cluster: ServedCluster): number => cluster.requests.filter(({ status }) => status === 401).length;

describe('B-23, TR-9: 401, the token has ended', () => {
  type Login = (folder: KubeconfigFolder) => KubeconfigParts['user'];
  const tokenFile: Login = (folder) => ({ tokenFile: folder.write('token', 'operator') });
  const exec: Login = (folder) => {
    folder.write('token', 'operator');
    const text = execCredential({ token: 'TOKEN' }).replace('TOKEN', `'"$(cat '${folder.path}/token')"'`);
    const command = folder.plugin(`printf '%s' '${text}'`);
    return { exec: { apiVersion: 'client.authentication.k8s.io/v1', command, interactiveMode: 'Never' } };
  };

  /** At the speed of the machine: nothing here may need the minute after which files are read again by themselves. */
  async function scene(login: Login) {
    const cluster = await ServedCluster.start({ speed: 1 });
    const folder = new KubeconfigFolder();
    const listener = await cluster.api.listen(servingPair(cluster.authority));
    const ca = base64(cluster.authority.certificate);
    const config = await folder.load({
      cluster: { server: listener.url, 'certificate-authority-data': ca },
      user: login(folder) ?? {},
    });
    const manager = await cluster.operate(thingOperator(things), listener.port, config);
    await cluster.client.create(thing('a', { x: '1' }));
    await reconciled(cluster, 'a', '1');
    // A plugin is not run twice within a second.
    await cluster.pass(1500);
    return {
      cluster,
      folder,
      end: ends(manager),
      [Symbol.asyncDispose]: async () => {
        await cluster[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  }

  const rotate = (cluster: ServedCluster): void => {
    cluster.tokens['fresh'] = { name: 'operator', groups: ['system:masters'] };
    delete cluster.tokens['operator'];
  };

  test.each<[string, Login]>([
    ['the token file is read again', tokenFile],
    ['the exec plugin is run again', exec],
  ])('%s, and the request is sent once more', async (what, login) => {
    await using at = await scene(login);
    const { cluster, folder, end } = at;
    rotate(cluster);
    folder.write('token', 'fresh');
    cluster.api.breakWatches();
    await cluster.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await reconciled(cluster, 'a', '2');
    // Each request that was refused had one more try, and that one was taken.
    expect(refused(cluster)).toBeGreaterThan(0);
    const after = cluster.requests.slice(cluster.requests.findIndex(({ status }) => status === 401));
    expect(after.filter(({ status }) => status !== 401).length).toBeGreaterThanOrEqual(refused(cluster));
    expect([cluster.lists, cluster.initialReads, end.done]).toEqual([[], 2, false]);
    if (what.includes('plugin')) expect(folder.runs).toBe(2);
  });

  test.each<[string, Login]>([
    ['in the file', tokenFile],
    ['from the plugin', exec],
  ])('no loop while the token %s is refused; it recovers when there is a good one', async (_, login) => {
    await using at = await scene(login);
    const { cluster, folder, end } = at;
    rotate(cluster);
    const before = cluster.requests.length;
    await cluster.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    cluster.api.breakWatches();
    await cluster.pass(3000);
    // Two watches and one key, each with its own backoff, and at most two tries each time.
    expect(refused(cluster)).toBeGreaterThan(1);
    expect(cluster.requests.length - before).toBeLessThanOrEqual(40);
    expect(end.done).toBe(false);
    folder.write('token', 'fresh');
    await reconciled(cluster, 'a', '2');
  });
});

describe('B-24: the cluster’s authority is replaced', () => {
  async function scene() {
    const cluster = await ServedCluster.start();
    const folder = new KubeconfigFolder();
    const next = newAuthority('next');
    const old = await cluster.api.listen(servingPair(cluster.authority));
    const renewed = await cluster.api.listen(servingPair(next));
    const proxy = await TcpProxy.before(old);
    const config = await folder.load({
      cluster: {
        server: `https://127.0.0.1:${proxy.port}`,
        'certificate-authority': folder.write('ca.crt', cluster.authority.certificate),
      },
      user: { token: 'operator' },
    });
    const manager = await cluster.operate(thingOperator(things), proxy.port, config);
    await cluster.client.create(thing('a', { x: '1' }));
    await reconciled(cluster, 'a', '1');
    const bundle = (): string => folder.write('ca.crt', cluster.authority.certificate + next.certificate);
    return {
      cluster,
      proxy,
      old,
      renewed,
      bundle,
      end: ends(manager),
      [Symbol.asyncDispose]: async () => {
        await cluster[Symbol.asyncDispose]();
        await proxy[Symbol.asyncDispose]();
        folder[Symbol.dispose]();
      },
    };
  }

  test('the new bundle is in use without a restart, and the old connections drain by themselves', async () => {
    await using at = await scene();
    const { cluster, proxy, old, renewed, bundle, end } = at;
    proxy.target = renewed;
    bundle();
    // Nobody cuts anything: the client leaves connections whose authority is not the present one.
    await cluster.until(() => old.connections.open === 0, 'old connections to drain');
    await cluster.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await reconciled(cluster, 'a', '2');
    expect(renewed.connections.accepted).toBeGreaterThan(0);
    expect([cluster.lists, cluster.initialReads, end.done]).toEqual([[], 2, false]);
  });

  test('a server of the new authority is not trusted before the bundle names it', async () => {
    await using at = await scene();
    const { cluster, proxy, renewed, bundle, end } = at;
    proxy.target = renewed;
    const before = cluster.requests.length;
    proxy.cut();
    await cluster.client.patch(Thing, 'a', { spec: { values: { x: '2' } } });
    await cluster.pass(10_000);
    expect(renewed.connections.accepted).toBeGreaterThan(0);
    expect([cluster.requests.length - before, end.done]).toEqual([0, false]);
    bundle();
    await reconciled(cluster, 'a', '2');
    expect([cluster.lists, cluster.initialReads]).toEqual([[], 2]);
  });
});
