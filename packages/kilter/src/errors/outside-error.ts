/**
 * What is wrong with a service outside the cluster. `refused`: it understood and said no, so that a repeat does not help. `denied`:
 * credentials or permissions. `throttled` and `unreachable` pass.
 */
export type OutsideProblem = 'refused' | 'denied' | 'throttled' | 'unreachable';

/** Of an `OutsideError`. */
export interface OutsideErrorOptions extends ErrorOptions {
  /** As people know it: it begins the message. */
  readonly service: string;
  /** What to do about it. Default: what helps with any service that has this problem. */
  readonly cure?: string | undefined;
}

const cures: Record<OutsideProblem, string> = {
  refused: 'see what it says: the same again will be refused again',
  denied: 'check the credentials and what they permit',
  throttled: 'nothing to do: it is tried again',
  unreachable: 'nothing to do: it is tried again; if it stays, check the address, DNS, proxies and the network',
};

/** Thrown by the code that talks to a service outside the cluster: `ctx.fence` and `ctx.intents` know what follows from each problem. */
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
