// What the operator needs of AWS. Whatever is written is absolute, so that a repeat is harmless.

export type InstanceState = 'pending' | 'running' | 'stopping' | 'stopped' | 'shutting-down' | 'terminated';

export interface Instance {
  readonly id: string;
  readonly state: InstanceState;
  /** Its Auto Scaling group, by the tag that AWS itself sets. */
  readonly group: string | undefined;
  /** The name people know that group by. */
  readonly nodeGroup: string | undefined;
}

export type Sizes = Readonly<Record<'min' | 'max' | 'desired', number>>;

export interface Group extends Sizes {
  readonly name: string;
  readonly instances: readonly { readonly id: string; readonly inService: boolean }[];
  /** The value of the tag `originalTag`. */
  readonly original: string | undefined;
}

export interface Call {
  readonly signal: AbortSignal;
  /** Who calls: told to AWS, so that its log of calls shows which leader did what. */
  readonly leader?: { readonly identity: string; readonly epoch: number } | undefined;
}

/** One region. Every function throws `AwsError` and nothing else, but for the reason of an aborted signal. */
export interface Aws {
  /** What AWS does not know is missing in the answer. */
  instances(ids: readonly string[], call: Call): Promise<ReadonlyMap<string, Instance>>;
  group(name: string, call: Call): Promise<Group | undefined>;
  resize(group: string, sizes: Sizes, call: Call): Promise<void>;
  /** Without decrement: the group replaces it. One that is not there any more is a success. */
  terminate(instance: string, call: Call): Promise<void>;
  tag(group: string, value: string, call: Call): Promise<void>;
  untag(group: string, call: Call): Promise<void>;
}

/** A region by its name; the SDK's default without one. */
export type AwsRegions = (region: string | undefined) => Aws;

/** The sizes a group had before it was touched. Not propagated to instances. */
export const originalTag = 'kilter.dev/original';

export const sizesText = ({ min, max, desired }: Sizes): string => `${min}/${max}/${desired}`;
export const zero: Sizes = { min: 0, max: 0, desired: 0 };

/**
 * `refused`: AWS understood and said no, so that a repeat does not help. `denied`: credentials or permissions. `throttled` and
 * `unreachable` pass.
 */
export type AwsProblem = 'refused' | 'denied' | 'throttled' | 'unreachable';

const cures: Record<AwsProblem, string> = {
  refused: 'see what AWS says; the group keeps or gets back its original sizes',
  denied: 'check the role of the service account against manifests/iam-policy.json, and awsRegion',
  throttled: 'nothing to do: it is tried again',
  unreachable: 'nothing to do: it is tried again; if it stays, check awsRegion, DNS, proxies and the network',
};

export class AwsError extends Error {
  override readonly name = 'AwsError';
  readonly problem: AwsProblem;

  constructor(problem: AwsProblem, message: string, options?: ErrorOptions) {
    super(`AWS ${problem === 'unreachable' ? 'cannot be reached' : problem}: ${message} (${cures[problem]})`, options);
    this.problem = problem;
  }
}
