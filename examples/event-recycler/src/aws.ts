// What the operator needs of AWS. Whatever is written is absolute, so that a repeat is harmless.
import { type EffectCall, OutsideError, type OutsideErrorOptions, type OutsideProblem } from 'kilter';

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
  /**
   * `isLeaving`: the group ends it, although a lifecycle hook may keep it running for hours. `weight`: how much of the desired size it
   * is; 1 where the group does not weigh its instance types.
   */
  readonly instances: readonly { id: string; inService: boolean; isLeaving?: boolean | undefined; weight?: number }[];
  /** The processes of the group that were suspended, as `Launch`. */
  readonly suspended: readonly string[];
  /** The value of the tag `originalTag`. */
  readonly original: string | undefined;
}

/** One region. Every function throws `AwsError` and nothing else, but for the reason of an aborted signal. */
export interface Aws {
  /** Of 200 at most, as AWS has it. What AWS does not know is missing in the answer. */
  instances(ids: readonly string[], call: EffectCall): Promise<ReadonlyMap<string, Instance>>;
  group(name: string, call: EffectCall): Promise<Group | undefined>;
  resize(group: string, sizes: Sizes, call: EffectCall): Promise<void>;
  /** Without decrement: the group replaces it. One that is no longer there is a success. */
  terminate(instance: string, call: EffectCall): Promise<void>;
  tag(group: string, value: string, call: EffectCall): Promise<void>;
  untag(group: string, call: EffectCall): Promise<void>;
}

/** A region by its name; the SDK's default without one. */
export type AwsRegions = (region: string | undefined) => Aws;

/** The sizes a group had before it was touched. Not propagated to instances. */
export const originalTag = 'kilter.dev/original';

export const sizesText = ({ min, max, desired }: Sizes): string => `${min}/${max}/${desired}`;
export const zero: Sizes = { min: 0, max: 0, desired: 0 };

const cures: Partial<Record<OutsideProblem, string>> = {
  refused: 'see the message from AWS; the group keeps its original sizes or gets them back',
  denied: 'check the role of the service account against manifests/iam-policy.json, and awsRegion',
  unreachable: 'nothing to do: it is retried; if it persists, check awsRegion, DNS, proxies and the network',
};

export class AwsError extends OutsideError {
  override readonly name = 'AwsError';

  constructor(problem: OutsideProblem, message: string, { cause, cure }: Partial<OutsideErrorOptions> = {}) {
    super(problem, message, { service: 'AWS', cure: cure ?? cures[problem], cause });
  }
}
