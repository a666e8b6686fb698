import type { ApiServer } from '@kilter/apiserver';
import { KilterError, type Operator } from 'kilter';
import type { Kind, KubeObject } from 'kilter/api';
import { type OptionNames, type Runtime, systemRuntime, type VirtualClock } from 'kilter/runtime';
import { type Backend, backendVariable, chooseBackend } from './backend.ts';
import { controlPlaneGround } from './control-plane-ground.ts';
import { embeddedGround } from './embedded-ground.ts';
import { existingGround } from './existing-ground.ts';
import type { Ground } from './ground.ts';
import { type Cluster, Harness } from './harness.ts';
import type { OperatorRights } from './operator-account.ts';
import { checkOperator, checkOptions } from './known-options.ts';
import { logVariable, OperatorLog } from './operator-log.ts';
import { isVirtual } from './waiting.ts';
import { checkControlPlaneOptions, type ControlPlane, type ControlPlaneOptions } from '../controlplane/index.ts';
import { environmentVariable } from '../environment/index.ts';

/** The options of `cluster`: which server, which kinds, which operators. */
export interface ClusterOptions {
  /**
   * What the cluster runs on: the API server of this process (`embedded`), a real control plane started for it
   * (`control-plane`), or an existing cluster (`existing`). Default: `$KILTER_BACKEND`, otherwise `embedded`. Set it if
   * a test is about one of them, or needs what only that one has; a test that does not set it runs on each.
   */
  backend?: Backend | undefined;
  /** Started once the server is up and the kinds it declares are installed. */
  operator?: Operator | readonly Operator[] | undefined;
  /**
   * What operators may do: each runs as its own ServiceAccount with these rules (for all namespaces, or `{ cluster,
   * namespaces }`), or with those it declares (`'derived'`). Default: everything. Set it to make a test fail if a rule
   * is missing; the embedded server then enforces RBAC, as a real one always does. `env.client` is not affected.
   */
  rbac?: OperatorRights | undefined;
  /** Objects that exist before the operator starts. */
  objects?: readonly KubeObject[] | undefined;
  /**
   * Custom resources to install in addition to those the operator declares. For kinds with versions that differ, the
   * version of each kind.
   */
  kinds?: readonly Kind[] | undefined;
  /**
   * What happens to a test whose operator loops: writes the same field again in run after run, triggered by its own
   * writes or by another writer that reverts them. Default: 'fail', with TESTING_HOT_LOOP, the controller and the
   * field. Use 'allow' if the loop is what the test is about.
   */
  hotLoops?: 'fail' | 'allow' | undefined;
  /**
   * Time and randomness. Default: the system's. With a virtual clock, waiting advances the clock; only the embedded
   * server supports one.
   */
  runtime?: Runtime | undefined;
  /**
   * What a control plane has, if one is started. Default: controllers that turn Deployments into Pods, and one Node.
   * With fewer controllers and no Nodes it starts sooner. No effect on other backends.
   */
  controlPlane?: ControlPlaneOptions | undefined;
  /**
   * The context of the kubeconfig, if an existing cluster is used. Default: `$KILTER_TEST_CONTEXT`; never the current
   * context, which is easily changed by accident. No effect on other backends.
   */
  context?: string | undefined;
  /** The kubeconfig file, if an existing cluster is used. Default: kubectl's search. No effect on other backends. */
  kubeconfig?: string | undefined;
  /**
   * Whether operators may act on objects that were there before, if an existing cluster is used. Default: false: an
   * operator whose kinds have such objects is refused. Set it if the operator is limited to namespaces (the harness
   * does not see that), or if those objects may be changed. No effect on other backends.
   */
  amongOthers?: boolean | undefined;
}

/** A cluster on the API server in this process. */
export interface EmbeddedCluster extends Cluster {
  readonly server: ApiServer;
}

/** A cluster on its own real control plane. */
export interface ControlPlaneCluster extends Cluster {
  readonly controlPlane: ControlPlane;
}

/** Options that select the embedded server: its name, or virtual time. */
export type EmbeddedClusterOptions = ClusterOptions &
  (
    | { readonly backend: 'embedded' }
    | { readonly backend?: undefined; readonly runtime: Runtime & { readonly clock: VirtualClock } }
  );

/**
 * An API server with the operator running against it; ends with its scope (`await using`).
 *
 * The same test runs on every backend. On an existing cluster it gets its own namespace (`env.namespace`), and at the
 * end everything it created is deleted, by UID, and nothing else; a definition that was there before is used as it is
 * and stays. An operator that would act on other objects is refused there (see `amongOthers`). Do not run test files
 * that install the same definitions there at the same time: the first to end deletes them.
 */
export function cluster(options: EmbeddedClusterOptions): Promise<EmbeddedCluster>;
export function cluster(options: ClusterOptions & { readonly backend: 'control-plane' }): Promise<ControlPlaneCluster>;
export function cluster(options?: ClusterOptions): Promise<Cluster>;
export async function cluster(options: ClusterOptions = {}): Promise<Cluster> {
  checkOptions('cluster', options, known);
  const operators = [options.operator ?? []].flat();
  for (const operator of operators) checkOperator('cluster', operator);
  if (options.controlPlane !== undefined) checkControlPlaneOptions(options.controlPlane);
  const runtime = options.runtime ?? systemRuntime;
  const ground = await openGround(options, runtime);
  const log = new OperatorLog({ print: environmentVariable(logVariable) === 'print' ? printLine : undefined });
  const harness = new Harness(ground, { runtime, hotLoops: options.hotLoops ?? 'fail', log, rbac: options.rbac });
  const env = Object.assign(harness, ground.own);
  try {
    await env.prepare();
    // Objects may be of the operators' own kinds.
    await env.install(...(options.kinds ?? []), ...operators.flatMap(({ kinds }) => kinds));
    for (const object of options.objects ?? []) await env.client.create(object);
    for (const operator of operators) await env.start(operator);
    return env;
  } catch (error) {
    await endAfter(error, env);
    throw error instanceof KilterError ? error : new Error('the cluster could not be started', { cause: error });
  }
}

const known: OptionNames<ClusterOptions> = {
  backend: true,
  operator: true,
  rbac: true,
  objects: true,
  kinds: true,
  hotLoops: true,
  runtime: true,
  controlPlane: true,
  context: true,
  kubeconfig: true,
  amongOthers: true,
};

const printLine = (line: string): void => void process.stderr.write(`${line}\n`);

async function openGround(options: ClusterOptions, runtime: Runtime): Promise<Ground> {
  const backend = chooseBackend({ code: options.backend, environment: environmentVariable(backendVariable) });
  if (backend === 'embedded') return embeddedGround(runtime, { guarded: options.rbac !== undefined });
  if (isVirtual(runtime.clock)) {
    const chosenBy = options.backend === undefined ? ` ($${backendVariable})` : '';
    throw new KilterError('TESTING_VIRTUAL_TIME', `the backend ${backend}${chosenBy} cannot use a virtual clock`);
  }
  const { context, kubeconfig, amongOthers = false } = options;
  if (backend === 'existing') return existingGround({ context, kubeconfig, amongOthers, runtime });
  return controlPlaneGround(options.controlPlane, runtime);
}

/** Ends a cluster that did not come up. The error says why it ended, and what else went wrong on the way out. */
async function endAfter(error: unknown, env: Harness): Promise<void> {
  try {
    await env[Symbol.asyncDispose]();
  } catch (another) {
    if (another instanceof KilterError && another.code === 'TESTING_HOT_LOOP') throw another;
    throw new AggregateError(
      [error, another],
      `the cluster could not be started: ${String(error)}; and not ended: ${String(another)}`,
      { cause: error },
    );
  }
}
