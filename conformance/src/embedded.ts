import { createAuthority, issue } from 'kilter/certificates';
import { systemRuntime } from 'kilter/runtime';
import { type ApiServer, apiServer } from '../../packages/testing/src/apiserver/server.ts';
import type { World } from './case.ts';
import { forget } from './exchange.ts';
import { goldenVersion } from './goldens.ts';
import type { Server, Servers } from './server.ts';

const tokens = { admin: 'admin-token', alice: 'alice-token', bob: 'bob-token', 'wrong-token': 'no-such-token' };

function certify(): { readonly ca: string; readonly cert: string; readonly key: string } {
  const now = Date.now();
  const authority = createAuthority({ name: 'conformance', now, days: 2 });
  const names = { dnsNames: ['localhost'], ipAddresses: ['127.0.0.1'] };
  const leaf = issue(authority, { name: 'localhost', ...names, now, days: 2, usage: 'server' });
  return { ca: authority.certificate, cert: leaf.certificate, key: leaf.key };
}

const controllersOf = (world: World): { gc: boolean; workloads: boolean } => ({
  gc: world !== 'api',
  workloads: world === 'workloads',
});

/** A fresh server for every case, handed to `prepare` first. */
export function embeddedServers(prepare: (api: ApiServer) => void = () => undefined): Servers {
  const { ca, cert, key } = certify();
  const take = async (world: World): Promise<Server & AsyncDisposable> => {
    const api = apiServer({
      clock: systemRuntime.clock,
      random: () => systemRuntime.random(),
      controllers: controllersOf(world),
      tokens: {
        'admin-token': { name: 'admin', groups: ['system:masters', 'system:authenticated'] },
        'alice-token': { name: 'alice', groups: ['team', 'system:authenticated'] },
        'bob-token': { name: 'bob', groups: ['system:authenticated'] },
      },
    });
    prepare(api);
    const { url } = await api.listen({ port: 0, cert, key });
    // Whatever it does at all it does within moments.
    const server: Server = { name: 'embedded', url, ca, tokens, patience: 2500 };
    return {
      ...server,
      [Symbol.asyncDispose]: async () => {
        forget(server);
        await api.close();
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
