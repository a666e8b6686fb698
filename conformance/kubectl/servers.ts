import { apiServer, controlPlane, findBinaries, workloadControllers } from '@kilter/testing';
import type { Target } from './run.ts';

export interface Served extends AsyncDisposable {
  readonly target: Target;
  readonly version: string;
}

/** The program itself; throws where it is not installed. */
export function kubectlProgram(): string {
  const { binaries, missing } = findBinaries();
  if (binaries?.kubectl !== undefined) return binaries.kubectl;
  throw new Error(`there is no kubectl: ${missing ?? 'run `npm run kube:install`'}`);
}

// As the real one is started: a user from a file of tokens has a uid.
const users = { 'admin-token': { name: 'admin', groups: ['system:masters'], uid: 'admin' } };

function withToken(kubeconfig: string, token: string): string {
  const config = JSON.parse(kubeconfig) as { users: { user: object }[] };
  return JSON.stringify({ ...config, users: config.users.map((one) => ({ ...one, user: { token } })) });
}

export async function embeddedServer(): Promise<Served> {
  const kubectl = kubectlProgram();
  const server = apiServer({ authorization: 'RBAC', users });
  const { kubeconfig } = await server.listen();
  const target = { kubectl, kubeconfig: withToken(kubeconfig, 'admin-token'), nodes: ['node-0', 'node-1'] };
  return { target, version: 'embedded', [Symbol.asyncDispose]: () => server.close() };
}

/** A control plane with fake nodes: Pods run, and nobody is inside them. */
export async function realServer(): Promise<Served> {
  const kubectl = kubectlProgram();
  const controllers = [...workloadControllers, 'pod-garbage-collector-controller', 'ttl-after-finished-controller'];
  const plane = await controlPlane({ controllers, nodes: 1 });
  const target = { kubectl, kubeconfig: plane.kubeconfig, nodes: ['node-0', 'node-1'] };
  return { target, version: plane.versions.kubernetes, [Symbol.asyncDispose]: () => plane.stop() };
}
