import { isForbidden } from '../errors/index.ts';
import { orAbort, type Runtime } from '../internal/index.ts';
import { Lease } from '../k8s/coordination/v1.ts';
import { inBrief, type Logger } from '../telemetry/index.ts';
import type { ElectionOptions } from './options.ts';

export interface LeaseWatch {
  readonly client: Pick<ElectionOptions['client'], 'watch'>;
  readonly runtime: Runtime;
  readonly logger: Logger;
  readonly lease: { readonly name: string; readonly namespace: string };
  /** Between two watches, in milliseconds. */
  readonly pause: number;
  readonly signal: AbortSignal;
  /** Undefined: it was deleted. */
  readonly seen: (lease: Lease | undefined) => void;
  readonly ended: () => void;
}

async function watchOnce({ client, runtime, lease, signal, seen }: LeaseWatch): Promise<void> {
  const { name, namespace } = lease;
  const fields = { 'metadata.name': name };
  // As for every watch: ended by the server after five to ten minutes, so that none is for ever.
  const timeoutSeconds = 300 + Math.floor(300 * runtime.random());
  const changes = client.watch(Lease, { namespace, fields, timeoutSeconds, signal });
  try {
    for (;;) {
      const next = await orAbort(changes.next(), signal);
      if (next.done === true) return;
      if (next.value.type !== 'BOOKMARK') seen(next.value.type === 'DELETED' ? undefined : next.value.object);
    }
  } finally {
    // Not awaited: a stream that is stuck must not hold up what follows.
    changes.return?.()?.catch(() => undefined);
  }
}

// RBAC is seldom granted while the process runs, but an API server that starts refuses everybody for a moment.
const longestPause = 60_000;

/** Tells of every change of the Lease until aborted. Where watching is refused it is tried again, less and less often. Never rejects. */
export async function watchLease(watch: LeaseWatch): Promise<void> {
  const { signal, logger, runtime, pause, ended } = watch;
  let refusals = 0;
  const seen: LeaseWatch['seen'] = (lease) => {
    if (refusals > 0) logger.info({ lease: watch.lease }, 'the Lease is watched again');
    refusals = 0;
    watch.seen(lease);
  };
  while (!signal.aborted) {
    try {
      await watchOnce({ ...watch, seen });
    } catch (error) {
      if (signal.aborted) return;
      const refused = isForbidden(error);
      if (refused && refusals === 0) {
        logger.warn(
          { lease: watch.lease, ...inBrief(error) },
          'watching the Lease is not permitted; it is polled until it is',
        );
      } else logger.debug({ err: error }, 'the watch of the Lease ended with an error');
      refusals = refused ? refusals + 1 : refusals;
    }
    ended();
    const wait = Math.min(pause * 2 ** Math.max(0, refusals - 1), longestPause);
    await runtime.clock.sleep(wait, signal).catch(() => undefined);
  }
}
