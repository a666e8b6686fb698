import { type Connection, httpsConnection, type Runtime } from 'kilter/runtime';
import {
  controlPlane,
  type ControlPlane,
  type ControlPlaneOptions,
  workloadControllers,
} from '../controlplane/index.ts';
import type { Ground } from './ground.ts';
import { LoopbackWebhooks } from './loopback-webhooks.ts';
import { recorded, RequestJournal } from './request-journal.ts';
import { unlessAborted } from './waiting.ts';
import { withExchange } from './with-exchange.ts';

// Controllers, scheduler and nodes each take their turn; on a busy machine a rollout is a matter of seconds.
const patience = { interval: 50, within: 60_000 };

/** A real control plane of its own, with one node unless said otherwise. */
export async function controlPlaneGround(options: ControlPlaneOptions | undefined, runtime: Runtime): Promise<Ground> {
  const plane = await controlPlane({
    ...options,
    controllers: options?.controllers ?? workloadControllers,
    nodes: options?.nodes ?? 1,
  });
  try {
    return groundOn(plane, runtime, await LoopbackWebhooks.open(runtime));
  } catch (error) {
    await plane.stop();
    throw error;
  }
}

function groundOn(plane: ControlPlane, runtime: Runtime, webhooks: LoopbackWebhooks): Ground {
  const { url, ca, token, failure } = plane;
  const config = { server: url, ca, token, namespace: 'default' };
  const journal = new RequestJournal();
  const operatorsAs = (own: string): Connection =>
    recorded(httpsConnection({ ...config, token: own }, { runtime }), journal, 'operator');
  const operators = operatorsAs(token);
  const direct = httpsConnection(config, { runtime });
  return {
    backend: 'control-plane',
    own: { controlPlane: plane },
    operators,
    operatorsAs,
    // What a test asks of a server that is gone fails with the reason, and is not tried again.
    harness: withExchange(direct, (request) => unlessAborted(direct.exchange(request), failure)),
    patience,
    webhooks: (operator) => webhooks.placeOf(operator),
    conversions: webhooks.conversions,
    failure,
    requests: () => journal.requests,
    logs: () => plane.logs(),
    problem: () => (failure.aborted ? (failure.reason as Error) : undefined),
    close: async () => {
      await Promise.all([operators.close(), direct.close()]);
      webhooks.close();
      await plane.stop();
    },
  };
}
