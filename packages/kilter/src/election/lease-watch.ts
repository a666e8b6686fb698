import { isForbidden } from '../errors/index.ts';
import { orAbort, type Runtime } from '../internal/index.ts';
import { Lease } from '../k8s/coordination/v1.ts';
import type { Logger } from '../telemetry/index.ts';
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

/** Tells of every change of the Lease until aborted; gives up for good where watching is not allowed. Never rejects. */
export async function watchLease(watch: LeaseWatch): Promise<void> {
  const { signal, logger, runtime, pause, ended } = watch;
  while (!signal.aborted) {
    try {
      await watchOnce(watch);
    } catch (error) {
      if (signal.aborted) return;
      if (isForbidden(error)) {
        logger.warn({ err: error }, 'watching the Lease is not allowed; it is polled, and a release is seen later');
        ended();
        return;
      }
      logger.debug({ err: error }, 'the watch of the Lease ended with an error');
    }
    ended();
    await runtime.clock.sleep(pause, signal).catch(() => undefined);
  }
}
