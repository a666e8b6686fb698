// AWS as a model: Auto Scaling groups that keep their size, instances that take their time, reads that lag behind. No timers: what
// has become of something is computed from the time when somebody asks.
import type { EffectCall, OutsideProblem } from 'kilter';
import {
  type Aws,
  AwsError,
  type AwsRegions,
  type Group,
  type Instance,
  type InstanceState,
  type Sizes,
  zero,
} from '../aws.ts';

export interface ModelOptions {
  readonly now: () => number;
  /** How long an instance is `pending`, in milliseconds. Default: 30 s. */
  readonly pending?: number;
  /** How long an instance is `shutting-down`, in milliseconds. Default: 20 s. */
  readonly shuttingDown?: number;
  /** How long a lifecycle hook keeps an instance running after its end has begun, in milliseconds. Default: 0. */
  readonly hook?: number;
  /** How far reads lag behind writes, in milliseconds. Default: 0. */
  readonly lag?: number;
  /** Default: eu-west-1, which is also the SDK's default. */
  readonly region?: string;
}

export interface ModelGroup extends Sizes {
  readonly name: string;
  readonly nodeGroup?: string;
  /** How much of the desired size one instance is. Default: 1. */
  readonly weight?: number;
}

export interface CallRecord {
  readonly call: keyof Aws;
  /** The group or instance it is about. */
  readonly of: string;
  readonly at: number;
  readonly leader: EffectCall['leader'];
  readonly sizes?: Sizes;
}

/** Called around every call: what it throws is what the caller gets, before or after the call has had its effect. */
export type Interception = (record: CallRecord, when: 'before' | 'after') => void | Promise<void>;

interface Machine {
  readonly id: string;
  readonly group: string;
  readonly nodeGroup: string | undefined;
  readonly launched: number;
  /** When its end began. */
  ended: number | undefined;
}
interface Version {
  readonly since: number;
  readonly sizes: Sizes;
  readonly original: string | undefined;
  readonly suspended: readonly string[];
}
interface ModelledGroup {
  readonly nodeGroup: string | undefined;
  readonly weight: number;
  /** Oldest first; reads that lag see an older one. */
  readonly versions: Version[];
  deleted: boolean;
}

const mutating: ReadonlySet<keyof Aws> = new Set(['resize', 'terminate', 'tag', 'untag']);

export class AwsModel {
  readonly calls: CallRecord[] = [];
  /** How many more instances can be launched. */
  capacity = Infinity;
  intercept: Interception = () => undefined;
  readonly #options: Required<ModelOptions>;
  readonly #groups = new Map<string, ModelledGroup>();
  readonly #machines = new Map<string, Machine>();
  /** As AWS does, ids are not used again. */
  #launches = 0;

  constructor(options: ModelOptions) {
    this.#options = { pending: 30_000, shuttingDown: 20_000, hook: 0, lag: 0, region: 'eu-west-1', ...options };
  }

  readonly regions: AwsRegions = (region) => ({
    instances: (ids, call) =>
      this.#call({ call: 'instances', of: ids.join(' ') }, call, () =>
        this.#serves(region) ? this.#instances(ids) : new Map(),
      ),
    group: (name, call) =>
      this.#call({ call: 'group', of: name }, call, () => (this.#serves(region) ? this.#group(name) : undefined)),
    resize: (name, sizes, call) =>
      this.#call({ call: 'resize', of: name, sizes }, call, () => this.#resize(name, sizes)),
    terminate: (id, call) => this.#call({ call: 'terminate', of: id }, call, () => this.#terminate(id)),
    tag: (name, value, call) =>
      this.#call({ call: 'tag', of: name }, call, () => this.#write(name, { original: value })),
    untag: (name, call) =>
      this.#call({ call: 'untag', of: name }, call, () => this.#write(name, { original: undefined })),
  });

  /** Calls that change something, oldest first. */
  get changes(): readonly CallRecord[] {
    return this.calls.filter(({ call }) => mutating.has(call));
  }

  /** As it is now, without the lag. */
  groupNow(name: string): Group | undefined {
    return this.#group(name, this.#options.now());
  }

  /** All instances there have ever been, with their states. */
  instancesNow(): readonly Instance[] {
    this.#keepSizes();
    return [...this.#machines.values()].map((machine) => this.#instance(machine, this.#options.now()));
  }

  /** A group whose instances are already running. */
  addGroup({ name, nodeGroup, weight = 1, min, max, desired }: ModelGroup): readonly string[] {
    const version = { since: -Infinity, sizes: { min, max, desired }, original: undefined, suspended: [] };
    this.#groups.set(name, { nodeGroup, weight, versions: [version], deleted: false });
    return Array.from({ length: Math.ceil(desired / weight) }, () => this.#launch(name, -Infinity).id);
  }

  /** By somebody else. */
  changeSizes(name: string, sizes: Sizes): void {
    this.#write(name, { sizes });
    this.#keepSizes();
  }

  /** By somebody else. */
  suspend(name: string, ...suspended: string[]): void {
    this.#keepSizes();
    this.#write(name, { suspended });
  }

  deleteGroup(name: string): void {
    this.changeSizes(name, zero);
    this.#found(name).deleted = true;
  }

  #serves(region: string | undefined): boolean {
    return region === undefined || region === this.#options.region;
  }

  async #call<T>(about: Pick<CallRecord, 'call' | 'of' | 'sizes'>, call: EffectCall, effect: () => T): Promise<T> {
    call.signal.throwIfAborted();
    const record: CallRecord = { ...about, at: this.#options.now(), leader: call.leader };
    await this.intercept(record, 'before');
    this.calls.push(record);
    this.#keepSizes();
    const answer = effect();
    this.#keepSizes();
    await this.intercept(record, 'after');
    return answer;
  }

  #found(name: string): ModelledGroup {
    const group = this.#groups.get(name);
    if (group === undefined || group.deleted)
      throw new AwsError('refused', `AutoScalingGroup name not found - ${name}`);
    return group;
  }

  #write(name: string, change: Partial<Omit<Version, 'since'>>): void {
    const { versions } = this.#found(name);
    const newest = versions.at(-1) as Version;
    versions.push({ ...newest, ...change, since: this.#options.now() });
  }

  #resize(name: string, sizes: Sizes): void {
    const { min, max, desired } = sizes;
    if (!(min <= desired && desired <= max)) {
      throw new AwsError('refused', `ValidationError: desired capacity ${desired} must be between ${min} and ${max}`);
    }
    this.#write(name, { sizes });
  }

  #terminate(id: string): void {
    const machine = this.#machines.get(id);
    // Already gone: what was asked for has happened.
    if (machine !== undefined) machine.ended ??= this.#options.now();
  }

  #launch(group: string, at: number): Machine {
    this.#launches += 1;
    const id = `i-${this.#launches.toString(16).padStart(17, '0')}`;
    const machine = { id, group, nodeGroup: this.#groups.get(group)?.nodeGroup, launched: at, ended: undefined };
    this.#machines.set(id, machine);
    return machine;
  }

  /** What the service itself does: as many instances as are desired, as far as there is capacity. */
  #keepSizes(): void {
    for (const [name, { weight, versions, deleted }] of this.#groups) {
      const alive = [...this.#machines.values()].filter(({ group, ended }) => group === name && ended === undefined);
      const { sizes, suspended } = versions.at(-1) as Version;
      const desired = deleted ? 0 : Math.ceil(sizes.desired / weight);
      if (!suspended.includes('Terminate'))
        for (const machine of alive.slice(desired)) machine.ended = this.#options.now();
      if (suspended.includes('Launch')) continue;
      for (let missing = desired - alive.length; missing > 0 && this.capacity > 0; missing -= 1) {
        this.capacity -= 1;
        this.#launch(name, this.#options.now());
      }
    }
  }

  #instances(ids: readonly string[]): Map<string, Instance> {
    const at = this.#options.now() - this.#options.lag;
    const found = ids.flatMap((id) => this.#machines.get(id) ?? []).filter(({ launched }) => launched <= at);
    return new Map(found.map((machine) => [machine.id, this.#instance(machine, at)]));
  }

  #instance(machine: Machine, at: number): Instance {
    const { id, group, nodeGroup } = machine;
    return { id, state: this.#stateOf(machine, at), group, nodeGroup };
  }

  #stateOf({ launched, ended }: Machine, at: number): InstanceState {
    const { hook, shuttingDown } = this.#options;
    if (ended !== undefined && ended + hook <= at)
      return at < ended + hook + shuttingDown ? 'shutting-down' : 'terminated';
    return at < launched + this.#options.pending ? 'pending' : 'running';
  }

  #group(name: string, at: number = this.#options.now() - this.#options.lag): Group | undefined {
    const group = this.#groups.get(name);
    if (group === undefined || group.deleted) return undefined;
    const { sizes, original, suspended } =
      group.versions.findLast(({ since }) => since <= at) ?? (group.versions[0] as Version);
    const listed = [...this.#machines.values()].filter((machine) => machine.group === name && machine.launched <= at);
    const instances = listed
      .map(({ id, ...machine }) => ({
        id,
        state: this.#stateOf({ id, ...machine }, at),
        isLeaving: (machine.ended ?? Infinity) <= at,
      }))
      .filter(({ state }) => state !== 'terminated')
      .map(({ id, state, isLeaving }) => ({
        id,
        inService: state === 'running' && !isLeaving,
        isLeaving,
        weight: group.weight,
      }));
    return { name, ...sizes, instances, suspended, original };
  }
}

/** Makes every nth call fail with this problem, before it has any effect. */
export function failEvery(model: AwsModel, nth: number, problem: OutsideProblem): void {
  let calls = 0;
  model.intercept = (_, when) => {
    if (when === 'after') return;
    calls += 1;
    if (calls % nth === 0) throw new AwsError(problem, problem === 'throttled' ? 'Rate exceeded' : 'injected');
  };
}
