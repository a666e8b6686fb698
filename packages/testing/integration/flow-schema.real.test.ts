// Where a server puts the requests of an operator, by its own answers.
import { request } from 'node:https';
import { connect, operator, rbacManifests } from 'kilter';
import { Namespace } from 'kilter/k8s/core/v1';
import { FlowSchema } from 'kilter/k8s/flowcontrol/v1';
import { expect, test } from 'vitest';
import { realServer } from '../src/controlplane/available.test-support.ts';
import { controlPlane } from '../src/index.ts';

const token = 'token-of-the-robot';
const account = 'system:serviceaccount:ops:robot';
const groups = ['system:serviceaccounts', 'system:serviceaccounts:ops', 'system:authenticated'];

/** The UID of the FlowSchema a request fell under. */
const schemaOf = (url: string, ca: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    request(url, { ca, headers: { authorization: `Bearer ${token}` } }, (answer) => {
      answer.resume();
      resolve(answer.headers['x-kubernetes-pf-flowschema-uid']);
    })
      .on('error', reject)
      .end();
  });

test.skipIf(realServer.binaries === undefined)(
  `G-4: requests for the Lease fall under the FlowSchema of the manifests, others do not (${realServer.reason})`,
  async () => {
    const tokens = { [token]: { name: account, groups } };
    await using plane = await controlPlane({ controllers: [], nodes: 0, tokens });
    await using client = await connect({ kubeconfig: plane.kubeconfigFile });
    await client.create(Namespace.build({ name: 'ops' }));
    const shop = operator({ name: 'shop', leaderElection: true });
    const made = rbacManifests(shop, { namespace: 'ops', serviceAccount: 'robot', flowSchema: true });
    for (const object of made) await client.create(object);
    const { uid } = (await client.get(FlowSchema, 'ops-shop-leases')).metadata;
    const leases = `${plane.url}/apis/coordination.k8s.io/v1/namespaces/ops/leases/shop`;
    await expect.poll(() => schemaOf(leases, plane.ca)).toBe(uid);
    expect(await schemaOf(`${plane.url}/api/v1/namespaces/ops/configmaps`, plane.ca)).not.toBe(uid);
  },
  300_000,
);
