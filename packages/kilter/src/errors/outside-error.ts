/**
 * What is wrong with a service outside the cluster. `refused`: it understood and said no, so a repeat does not help.
 * `denied`: credentials or permissions. `throttled` and `unreachable` are temporary.
 */
export type OutsideProblem = 'refused' | 'denied' | 'throttled' | 'unreachable';

/** The options of an `OutsideError`. */
export interface OutsideErrorOptions extends ErrorOptions {
  /** The name people know; it begins the message. */
  readonly service: string;
  /** What to do about it. Default: general advice for this problem. */
  readonly cure?: string | undefined;
}

const cures: Record<OutsideProblem, string> = {
  refused: 'see the message: the same request would be refused again',
  denied: 'check the credentials and what they permit',
  throttled: 'nothing to do: it is retried',
  unreachable: 'nothing to do: it is retried; if it persists, check the address, DNS, proxies and the network',
};

/**
 * Thrown by code that talks to a service outside the cluster: `ctx.fence` and `ctx.intents` handle each problem
 * appropriately.
 */
export class OutsideError extends Error {
  override readonly name: string = 'OutsideError';
  readonly problem: OutsideProblem;
  readonly service: string;

  constructor(
    problem: OutsideProblem,
    message: string,
    { service, cure = cures[problem], cause }: OutsideErrorOptions,
  ) {
    const verdict = problem === 'unreachable' ? 'cannot be reached' : problem;
    super(`${service} ${verdict}: ${message} (${cure})`, cause === undefined ? undefined : { cause });
    this.problem = problem;
    this.service = service;
  }
}
