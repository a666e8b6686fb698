// A client that acts as a tenant's service account: it has that account's rights, and nothing of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apiServer, type ApiServer } from '@kilter/apiserver';
import { type Client, connect } from 'kilter';
import { ConfigMap, Namespace, ServiceAccount } from 'kilter/k8s/core/v1';
import { Role, RoleBinding } from 'kilter/k8s/rbac/v1';
import { expect, onTestFinished, test } from 'vitest';

const account = 'system:serviceaccount:tenant-a:robot';

function guarded(): ApiServer {
  const server = apiServer({ authorization: 'RBAC', controllers: { gc: false, workloads: false } });
  onTestFinished(() => server.close());
  return server;
}

/** A client over a socket, by a kubeconfig whose user has these fields beside its token. */
async function connected(server: ApiServer, user: Readonly<Record<string, unknown>> = {}): Promise<Client> {
  const { kubeconfig } = await server.listen();
  const config = JSON.parse(kubeconfig) as { users: { user: object }[] };
  for (const one of config.users) one.user = { ...one.user, ...user };
  const folder = mkdtempSync(join(tmpdir(), 'kilter-tenancy-'));
  const file = join(folder, 'kubeconfig');
  writeFileSync(file, JSON.stringify(config), { mode: 0o600 });
  const client = await connect({ kubeconfig: file });
  onTestFinished(async () => {
    await client[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });
  return client;
}

/** Two tenants; the account of the first may write ConfigMaps of its own namespace. */
async function prepare(client: Client): Promise<void> {
  for (const name of ['tenant-a', 'tenant-b']) await client.create(Namespace.build({ name }));
  const place = { name: 'robot', namespace: 'tenant-a' };
  await client.create(ServiceAccount.build(place));
  const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['create', 'get'] }];
  await client.create(Role.build({ ...place, rules }));
  await client.create(
    RoleBinding.build({
      ...place,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'robot' },
      subjects: [{ kind: 'ServiceAccount', ...place }],
    }),
  );
}

test("C-18: a client that impersonates a tenant's service account reaches no other namespace", async () => {
  const server = guarded();
  const admin = await connected(server);
  await prepare(admin);
  const tenant = await connected(server, { as: account });
  await tenant.create(ConfigMap.build({ name: 'mine', namespace: 'tenant-a' }));
  const reaching = tenant.create(ConfigMap.build({ name: 'theirs', namespace: 'tenant-b' }));
  await expect(reaching).rejects.toThrow(
    /cannot create resource "configmaps" in API group "" in the namespace "tenant-b"/,
  );
  expect(await admin.find(ConfigMap, { name: 'theirs', namespace: 'tenant-b' })).toBeUndefined();
  const [last] = server.requests.filter(({ path }) => path.includes('/tenant-b/configmaps'));
  expect([last?.user, last?.actingAs, last?.status]).toEqual(['admin', account, 403]);
});

test('API-Z4: groups and extras of a kubeconfig arrive one by one', async () => {
  const server = guarded();
  const admin = await connected(server);
  await prepare(admin);
  const groups = ['a, b', 'system:masters'];
  const everybody = await connected(server, {
    as: 'carol',
    'as-groups': groups,
    'as-user-extra': { scopes: ['x', 'y'] },
  });
  await everybody.create(ConfigMap.build({ name: 'free', namespace: 'tenant-b' }));
  const nobody = await connected(server, { as: 'carol', 'as-groups': ['a, system:masters'] });
  await expect(nobody.create(ConfigMap.build({ name: 'x', namespace: 'tenant-b' }))).rejects.toThrow(
    /User "carol" cannot/,
  );
});
