// Writes down what a real server makes before anybody asks (roles, bindings, flows, API services), as data for the embedded one:
//   node --conditions=@kilter/source tools/kubernetes/bootstrap-objects.ts     (needs npm run kube:install)
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { controlPlane } from '@kilter/testing';
import { workspace } from './outputs.ts';

const file = 'packages/apiserver/src/registry/bootstrap.gen.json';

/** Where the objects are stored, and where they are listed. */
const lists: Readonly<Record<string, string>> = {
  'rbac.authorization.k8s.io/clusterroles': '/apis/rbac.authorization.k8s.io/v1/clusterroles',
  'rbac.authorization.k8s.io/clusterrolebindings': '/apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
  'rbac.authorization.k8s.io/roles': '/apis/rbac.authorization.k8s.io/v1/roles',
  'rbac.authorization.k8s.io/rolebindings': '/apis/rbac.authorization.k8s.io/v1/rolebindings',
  'flowcontrol.apiserver.k8s.io/flowschemas': '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas',
  'flowcontrol.apiserver.k8s.io/prioritylevelconfigurations':
    '/apis/flowcontrol.apiserver.k8s.io/v1/prioritylevelconfigurations',
  'apiregistration.k8s.io/apiservices': '/apis/apiregistration.k8s.io/v1/apiservices',
};

interface Listed {
  readonly kind: string;
  readonly apiVersion: string;
  readonly items: readonly { readonly metadata: Record<string, unknown> }[];
}

/** Without what differs from server to server; times become the moment the embedded server starts. */
function timeless(key: string, value: unknown): unknown {
  if (key === 'uid' || key === 'resourceVersion' || key === 'creationTimestamp') return undefined;
  return key === 'time' || key === 'lastTransitionTime' ? '' : value;
}

async function main(): Promise<void> {
  await using plane = await controlPlane();
  const ask = async (path: string): Promise<Listed> => {
    const headers = { authorization: `Bearer ${plane.token}` };
    const sent = get(`${plane.url}${path}`, { ca: plane.ca, headers });
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const body = await text(answer);
    if (answer.statusCode !== 200)
      throw new Error(`${path}: ${answer.statusCode}: start the control plane anew: ${body}`);
    return JSON.parse(body) as Listed;
  };
  const buckets: string[] = [];
  for (const [bucket, path] of Object.entries(lists)) {
    const { kind, apiVersion, items } = await ask(path);
    const lines = items.map(
      (item) => `    ${JSON.stringify({ kind: kind.replace(/List$/, ''), apiVersion, ...item }, timeless)}`,
    );
    buckets.push(`  ${JSON.stringify(bucket)}: [\n${lines.join(',\n')}\n  ]`);
  }
  writeFileSync(resolve(workspace, file), `{\n${buckets.join(',\n')}\n}\n`);
}

await main();
