import type { Clock } from '../internal/index.ts';

/** How long a request may live: until its deadline, its caller's abort, or its end. */
export interface RequestScope {
  /** Aborts when any of them comes; everything the request opens listens to it. */
  readonly signal: AbortSignal;
  /** The deadline, not the caller, ended it. */
  readonly expired: boolean;
  /** Milliseconds until the deadline. */
  left(): number;
  /** The answer has begun: from now on there is no deadline. */
  lift(): void;
  /** Ends what is still open. */
  abort(): void;
  /** Nothing is open any more: lets go of the timer and of the caller's signal. */
  end(): void;
}

/** Written by hand instead of `AbortSignal.any`, so that a long-lived signal keeps nothing of an ended request. */
export function requestScope(clock: Clock, deadline: number, signal: AbortSignal | undefined): RequestScope {
  const controller = new AbortController();
  const start = clock.monotonic();
  let expired = false;
  const timer = clock.timer(deadline, () => {
    expired = true;
    controller.abort(new Error('the deadline has passed'));
  });
  const follow = (): void => controller.abort(signal?.reason);
  if (signal?.aborted === true) follow();
  else signal?.addEventListener('abort', follow, { once: true });
  const end = (): void => {
    timer.cancel();
    signal?.removeEventListener('abort', follow);
  };
  return {
    signal: controller.signal,
    get expired() {
      return expired;
    },
    left: () => deadline - (clock.monotonic() - start),
    lift: () => timer.cancel(),
    end,
    abort: () => {
      end();
      controller.abort(new Error('the request has ended'));
    },
  };
}
