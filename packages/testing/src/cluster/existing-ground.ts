import { type Client, KilterError, type Operator } from 'kilter';
import { keyOf, kindLabel } from 'kilter/api';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { Namespace, ServiceAccount } from 'kilter/k8s/core/v1';
import { httpsConnection, loadConfig, type Runtime } from 'kilter/runtime';
import { environmentVariable } from '../environment/index.ts';
import { type CreatedObject, CreatedObjects } from './created-objects.ts';
import type { Ground } from './ground.ts';
import { removeAll } from './removal.ts';
import { recorded, RequestJournal } from './request-journal.ts';
import { Waiting } from './waiting.ts';

export interface ExistingOptions {
  /** A context of the kubeconfig. */
  readonly context: string | undefined;
  /** Default: kubectl's search. */
  readonly kubeconfig: string | undefined;
  /** Operators may act on objects that were there before. */
  readonly amongOthers: boolean;
  readonly runtime: Runtime;
}

/** Names the context for tests that leave it open. Not `KILTER_CONTEXT`: that one says where operators run. */
export const contextVariable = 'KILTER_TEST_CONTEXT';

// A server elsewhere has others to serve, and its controllers take seconds.
const patience = { interval: 100, within: 60_000 };
// What finalizers do takes seconds; what takes longer will not come to pass.
const removalTime = 20_000;
// The account that Pods of a namespace run as appears at once where anybody makes it.
const accountTime = 3000;

/** The contexts there are: the loader names them when it is asked for one that is not there. */
async function contextsIn(kubeconfig: string | undefined): Promise<string> {
  try {
    await loadConfig({ kubeconfig, context: '' });
  } catch (error) {
    if (!(error instanceof KilterError) || error.code !== 'CONFIG_NAME_UNKNOWN') throw error;
    const names = /; it has (.+) \(CONFIG_NAME_UNKNOWN: /s.exec(error.message)?.[1];
    return names === undefined || names === 'none' ? 'there are none' : `there are ${names}`;
  }
  return 'there are none';
}

async function contextMissing(kubeconfig: string | undefined): Promise<KilterError> {
  const names = await contextsIn(kubeconfig);
  return new KilterError('TESTING_CONTEXT_MISSING', `the backend 'existing' was given no context; ${names}`);
}

/** Whoever shows a token shows nothing else. */
const noCredentials = {
  tokenFile: undefined,
  username: undefined,
  password: undefined,
  exec: undefined,
  clientCertificate: undefined,
  clientKey: undefined,
  clientCertificateFile: undefined,
  clientKeyFile: undefined,
};

const outlasts = ({ kind }: CreatedObject): boolean =>
  [CustomResourceDefinition, Namespace].some(
    ({ names }) => names.kind === kind.names.kind && names.group === kind.names.group,
  );

/** An operator acts on every object of its kinds, and what it leaves in those of others is nothing a test can take back. */
async function refuseAmongOthers(
  { name, controllers }: Operator,
  client: Client,
  isOwn: (uid: string | undefined) => boolean,
): Promise<void> {
  for (const { kind } of controllers.map(({ spec }) => spec)) {
    for await (const object of client.each(kind, { metadataOnly: true })) {
      if (isOwn(object.metadata.uid)) continue;
      const found = `${kindLabel(kind.names)} ${keyOf(object)}`;
      throw new KilterError(
        'TESTING_FOREIGN_OBJECTS',
        `the operator ${name} would act on ${found}, which is not of this test`,
      );
    }
  }
}

/**
 * A cluster that others use as well. Its tests have their own namespace, where objects and Leases without a namespace go.
 * What was created here is taken away at the end, each object by its UID; what was there before stays as it was.
 */
export async function existingGround(options: ExistingOptions): Promise<Ground> {
  const { context, kubeconfig, runtime } = options;
  const chosen = context ?? environmentVariable(contextVariable);
  if (chosen === undefined || chosen === '') throw await contextMissing(kubeconfig);
  const namespace = `kilter-test-${runtime.uuid().slice(0, 8)}`;
  const config = await loadConfig({ kubeconfig, context: chosen, namespace });
  for (const warning of config.warnings) process.emitWarning(warning, 'KilterWarning');
  const journal = new RequestJournal();
  const byOperators = new CreatedObjects();
  const byHarness = new CreatedObjects();
  const operators = byOperators.watching(recorded(httpsConnection(config, { runtime }), journal, 'operator'));
  const harness = byHarness.watching(httpsConnection(config, { runtime }));
  const waiting = new Waiting({ clock: runtime.clock, interval: patience.interval });
  const remove = (client: Client, objects: readonly CreatedObject[]): Promise<void> =>
    removeAll(objects, { client, waiting, within: removalTime });
  return {
    backend: 'existing',
    operators,
    operatorsAs: (token) =>
      byOperators.watching(
        recorded(httpsConnection({ ...config, ...noCredentials, token }, { runtime }), journal, 'operator'),
      ),
    harness,
    patience,
    // A cluster elsewhere cannot call this process: webhooks are not served, and of versions that differ one is installed.
    webhooks: () => Promise.resolve({ address: '0' }),
    requests: () => journal.requests,
    problem: () => undefined,
    prepare: async (client) => {
      await client.create(Namespace.build({ name: namespace }));
      const account = async () => ({ problem: (await client.find(ServiceAccount, 'default')) ? undefined : 'missing' });
      await waiting.until(account, accountTime);
    },
    admit: async (operator, client) => {
      const isOwn = (uid: string | undefined): boolean => byHarness.has(uid) || byOperators.has(uid);
      if (!options.amongOthers) await refuseAmongOthers(operator, client, isOwn);
    },
    tidy: (client) =>
      remove(
        client,
        byHarness.list().filter((object) => !outlasts(object)),
      ),
    // Children first, or operators that still run would make them again; definitions and namespaces last, as all else is in them.
    clear: [
      (client) =>
        remove(
          client,
          byOperators.list().filter((object) => !outlasts(object)),
        ),
      (client) => remove(client, [...byOperators.list(), ...byHarness.list()].filter(outlasts)),
    ],
    close: async () => {
      await Promise.all([operators.close(), harness.close()]);
    },
  };
}
