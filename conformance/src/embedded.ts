import { resolve } from 'node:path';
import { apiServer, type ApiServer } from '@kilter/testing';
import type { World } from './case.ts';
import { forget } from './exchange.ts';
import { goldenVersion } from './goldens.ts';
import type { Server, Servers } from './server.ts';

const tokens = { admin: 'admin-token', alice: 'alice-token', bob: 'bob-token', 'wrong-token': 'no-such-token' };
const users = {
  'admin-token': { name: 'admin', groups: ['system:masters'], uid: 'admin' },
  'alice-token': { name: 'alice', groups: ['team'], uid: 'alice' },
  'bob-token': { name: 'bob', groups: [], uid: 'bob' },
};

/** That of the real control plane: messages name it. */
const serviceRange = '10.0.0.0/16';

const envtest = resolve(import.meta.dirname, '../../packages/apiserver/envtest');
const programs = { 'kube-apiserver': resolve(envtest, 'kube-apiserver'), etcd: resolve(envtest, 'etcd') };

const controllersOf = (world: World): { gc: boolean; workloads: boolean } => ({
  gc: world !== 'api',
  workloads: world === 'workloads',
});

/** A fresh server for every case, handed to `prepare` first. */
export function embeddedServers(prepare: (embedded: ApiServer) => void = () => undefined): Servers {
  const take = async (world: World): Promise<Server & AsyncDisposable> => {
    const embedded = apiServer({ controllers: controllersOf(world), users, authorization: 'RBAC', serviceRange });
    prepare(embedded);
    const { url, ca } = await embedded.listen();
    // Whatever it does at all it does within moments; the machine may be busy.
    const server: Server = { name: 'embedded', url, ca, tokens, patience: 10_000, programs };
    return {
      ...server,
      [Symbol.asyncDispose]: async () => {
        forget(server);
        await embedded.close();
      },
    };
  };
  return {
    name: 'embedded',
    width: 8,
    run: 'a',
    versions: { kubernetes: `v${goldenVersion}`, etcd: 'none' },
    take,
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
