import { inWordsWithCauses, KilterError } from '../errors/index.ts';
import type { Clock } from '../internal/index.ts';
import type { Logger } from '../telemetry/index.ts';

/**
 * What sends a signal to a process and to its group delivers it twice within milliseconds: `timeout`, or npm beside a terminal. Nobody
 * presses Ctrl-C twice as quickly.
 */
const echoMs = 100;

/**
 * Aborts on SIGTERM or SIGINT; a second signal ends the process with 1 at once, and says so. Dispose it when the work is done.
 */
export function stopOnSignals(
  logger: Logger,
  clock: Pick<Clock, 'monotonic'>,
): { readonly signal: AbortSignal; [Symbol.dispose](): void } {
  const controller = new AbortController();
  let first = 0;
  const stop = (name: NodeJS.Signals): void => {
    if (controller.signal.aborted) {
      if (clock.monotonic() - first < echoMs) return;
      logger.error(
        { signal: name, exitCode: 1 },
        'a second signal: the operator ends at once, without completing its graceful stop',
      );
      process.exit(1);
    }
    first = clock.monotonic();
    controller.abort(new Error(`stopped by ${name}`));
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
    },
  };
}

const lose = (): void => undefined;

/**
 * A pipe whose reader is gone refuses every line: the lines are lost, and nothing else. Without a listener each would be an
 * exception nobody catches, reported by a line that is refused again. For as long as the process lives: its last line is refused
 * after its work is done.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(lose)) stream.on('error', lose);
  }
}

/** A timer that throws each time must not fill the log while the operator stops. */
const mostTold = 20;

/**
 * What nobody catches in a program: an exception of a timer or a listener, a rejection nobody awaits. The first one is the
 * failure of the operator; those that follow are logged. Dispose it when the work is done.
 */
export function uncaughtErrors(logger: Logger): { readonly uncaught: Promise<never>; [Symbol.dispose](): void } {
  const { promise: uncaught, reject } = Promise.withResolvers<never>();
  uncaught.catch(() => undefined);
  let count = 0;
  const fail = (cause: unknown): void => {
    count += 1;
    if (count > 1 && count <= mostTold) logger.error({ err: cause }, 'another error that nobody caught');
    if (count > 1) return;
    reject(new KilterError('MANAGER_UNCAUGHT', inWordsWithCauses(cause), { cause }));
  };
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  return {
    uncaught,
    [Symbol.dispose]: () => {
      process.off('uncaughtException', fail);
      process.off('unhandledRejection', fail);
    },
  };
}
