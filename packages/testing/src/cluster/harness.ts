import {
  type Client,
  isNotFound,
  KilterError,
  type Manager,
  type Operator,
  readiness,
  type StartOptions,
} from 'kilter';
import { type Duration, keyOfRef, type Kind, type KubeObject, type Ref, type Stored } from 'kilter/api';
import { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { type Connection, connectTo, type OptionNames, type Runtime, toMilliseconds } from 'kilter/runtime';
import { checkServed, hasStatus, isInstallable, type Installable, servedManifest } from '../manifest/index.ts';
import type { Backend } from './backend.ts';
import { type Expected, problemWith } from './expectation.ts';
import type { Ground } from './ground.ts';
import { type OperatorRights, operatorToken } from './operator-account.ts';
import { checkExpected, checkKind, checkOperator, checkOptions, checkRef } from './known-options.ts';
import type { OperatorLog } from './operator-log.ts';
import { OperatorRequests, type PermissionUse } from './permission-use.ts';
import type { RecordedRequest } from './request-journal.ts';
import { toldManager } from './told-manager.ts';
import { waitFailureText } from './wait-failure.ts';
import { type Look, type TooLate, Waiting } from './waiting.ts';

/** How long to wait, and how to describe it. */
export interface WaitOptions {
  /** Default: 10 s on the embedded server, 60 s on others, where everything takes longer. */
  within?: Duration | undefined;
}

const waitOptions: OptionNames<WaitOptions> = { within: true };

/** Operators on an API server, with everything tests need to know about both. The same on every backend. */
export interface Cluster extends AsyncDisposable {
  readonly backend: Backend;
  /** Reads and writes the server directly, as a user of the cluster. */
  readonly client: Client;
  /** The connection that operators use. */
  readonly connection: Connection;
  /** The namespace of objects that name none: `default`, or on an existing cluster the test's own namespace. */
  readonly namespace: string;
  readonly managers: readonly Manager[];
  /** The requests the server has answered, without the harness's own; the last 10,000, oldest first. */
  readonly requests: readonly RecordedRequest[];
  /**
   * What operators without their own logger have logged: the newest 500 lines, oldest first. A failed wait shows the
   * end of it; `KILTER_TEST_LOG=print` prints each line as it is written.
   */
  readonly log: readonly string[];
  /**
   * Compares what operators declare with what they have requested from the server so far, whatever they are allowed to
   * do: `expect(env.permissions).toEqual({ missing: [], unused: [] })` at the end of a test checks that the rules of
   * `operator.permissions()` are sufficient and all used.
   */
  readonly permissions: PermissionUse;
  install(...kinds: readonly Kind[]): Promise<void>;
  /**
   * Installs what another operator declares, and starts it; resolves when it is ready. If an operator fails, leaving
   * the scope of the cluster fails, too, unless the test awaited its `done` or stopped it.
   */
  start(operator: Operator): Promise<Manager>;
  /**
   * Waits until the object is as expected. A failure shows the last difference, what was seen, and which runs failed.
   */
  eventually<T extends KubeObject>(
    kind: Kind<T>,
    ref: Ref,
    expected: Expected<T>,
    options?: WaitOptions,
  ): Promise<Stored<T>>;
  /**
   * Waits until the object is ready, by the rules of `readiness`: those of its kind, or its `Ready` condition. A
   * resource whose definition has a status is not ready until it has one.
   */
  ready<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: WaitOptions): Promise<Stored<T>>;
  gone<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: WaitOptions): Promise<void>;
}

/** The field manager of what tests write themselves. */
const ownManager = 'kilter-testing';

type RunRecord = ReturnType<Manager['runs']['recent']>[number];

const named = (ref: Ref): { name: string; namespace?: string | undefined } =>
  typeof ref === 'string' ? { name: ref } : ref;

const isEstablished = ({ status }: CustomResourceDefinition): boolean =>
  status?.conditions?.some((condition) => condition.type === 'Established' && condition.status === 'True') ?? false;

export interface HarnessOptions {
  readonly runtime: Runtime;
  readonly hotLoops: 'fail' | 'allow';
  readonly log: OperatorLog;
  /** What operators may do; undefined: everything. */
  readonly rbac: OperatorRights | undefined;
}

export class Harness implements Cluster {
  readonly client: Client;
  readonly managers: Manager[] = [];
  /** The same, with whether the test knows or finds out itself how each ends. */
  readonly #started: { readonly manager: Manager; told: boolean }[] = [];
  readonly #log: OperatorLog;
  readonly #ground: Ground;
  readonly #runtime: Runtime;
  readonly #waiting: Waiting;
  /** Why operators ended that nobody stopped. */
  readonly #ended: string[] = [];
  /** A wait has ended with the failure of the ground: whoever waited knows it. */
  #told = false;
  /** The first loop that was found, and whether a wait has ended with it. */
  #loop: KilterError | undefined;
  #loopTold = false;
  readonly #hotLoops: 'fail' | 'allow';
  readonly #rbac: OperatorRights | undefined;
  /** By the operator's name: replicas of one share what they use. */
  readonly #asked = new Map<string, OperatorRequests>();
  /** Of operators that have their own account. */
  readonly #connections: Connection[] = [];
  /** Set by the first disposal; there is only one. */
  #end: Promise<void> | undefined;

  constructor(ground: Ground, { runtime, hotLoops, log, rbac }: HarnessOptions) {
    this.#rbac = rbac;
    this.#ground = ground;
    this.#runtime = runtime;
    this.#hotLoops = hotLoops;
    this.#log = log;
    const { failure, patience } = ground;
    this.#waiting = new Waiting({ clock: runtime.clock, interval: patience.interval, failure });
    this.client = connectTo(ground.harness, { runtime, manager: ownManager });
  }

  get backend(): Backend {
    return this.#ground.backend;
  }

  get connection(): Connection {
    return this.#ground.operators;
  }

  get namespace(): string {
    return this.#ground.operators.namespace;
  }

  get requests(): readonly RecordedRequest[] {
    return this.#ground.requests();
  }

  get permissions(): PermissionUse {
    const uses = [...this.#asked.values()].map(({ use }) => use);
    return { missing: uses.flatMap(({ missing }) => missing), unused: uses.flatMap(({ unused }) => unused) };
  }

  get log(): readonly string[] {
    return this.#log.lines;
  }

  /** Before anything else. */
  async prepare(): Promise<void> {
    await this.#noticing(Promise.resolve(this.#ground.prepare?.(this.client)));
  }

  async install(...kinds: readonly Kind[]): Promise<void> {
    for (const kind of kinds) checkKind('install', kind);
    for (const kind of kinds.filter(isInstallable)) await this.#install(kind);
  }

  async #install(kind: Installable): Promise<void> {
    const manifest = servedManifest(kind, this.#ground.conversions?.converting(kind));
    const { name } = manifest.metadata;
    const there = await this.client.find(CustomResourceDefinition, name);
    // One that another test takes away just now is not to be used, and its name is free in a moment.
    if (there?.metadata.deletionTimestamp !== undefined) await this.gone(CustomResourceDefinition, name);
    else if (there !== undefined) return checkServed(kind, there);
    await this.client.create(manifest);
    await this.eventually(CustomResourceDefinition, name, isEstablished);
    // A real server says so a moment before it answers.
    const look = async (): Promise<Look> => ({ problem: await this.#refusal(kind) });
    await this.#wait({ what: `${kind.names.kind} to be served`, key: name, look });
  }

  async #refusal(kind: Kind): Promise<string | undefined> {
    try {
      await this.client.listPage(kind, { limit: 1 });
      return undefined;
    } catch (error) {
      if (isNotFound(error)) return String(error);
      throw error;
    }
  }

  async start(operator: Operator): Promise<Manager> {
    checkOperator('start', operator);
    await this.install(...operator.kinds);
    await this.#ground.admit?.(operator, this.client);
    const logger = this.#log.logger(operator.name);
    const webhooks = await this.#ground.webhooks(operator.name);
    const connection = this.#askedBy(operator).over(await this.#connectionOf(operator));
    const manager = await operator.start({
      connection,
      runtime: this.#runtime,
      logger,
      webhooks,
      // Where everybody may do everything, asking would only add to what a test counts.
      accessReview: this.#rbac !== undefined,
    });
    const started = { manager, told: false };
    this.#started.push(started);
    const seen = toldManager(manager, () => void (started.told = true));
    this.managers.push(seen);
    manager.runs.subscribe((run) => this.#notice(run));
    manager.done.catch((error: unknown) => this.#ended.push(`the operator ${operator.name} ended: ${String(error)}`));
    try {
      await this.#noticing(this.#waiting.settled(manager.ready));
    } catch (error) {
      started.told = true;
      throw error;
    }
    return seen;
  }

  #askedBy(operator: Operator): OperatorRequests {
    const asked = this.#asked.get(operator.name) ?? new OperatorRequests(operator, { namespace: this.namespace });
    this.#asked.set(operator.name, asked);
    return asked;
  }

  async #connectionOf(operator: Operator): Promise<Connection> {
    if (this.#rbac === undefined) return this.connection;
    const { namespace } = this;
    const token = await operatorToken(this.client, operator, { namespace, rights: this.#rbac });
    const connection = this.#ground.operatorsAs(token);
    this.#connections.push(connection);
    return connection;
  }

  /** A loop is reported at once, by the next wait or at the end, and not after minutes of waiting for what never comes. */
  #notice({ controller, key, hotLoop }: RunRecord): void {
    if (hotLoop === undefined || this.#hotLoops === 'allow') return;
    const { loop, target, fields, managers } = hotLoop;
    // A test may play the rival.
    const rivals = managers.filter((manager) => manager !== ownManager);
    if (loop === 'restless-status' || (loop === 'contested' && managers.length > 0 && rivals.length === 0)) return;
    const what = fields.length === 0 ? target : `${fields.join(', ')} of ${target}`;
    const how =
      loop === 'contested' ? 'is written by it and reverted' : 'is written again by every run, which triggers the next';
    const by = rivals.length === 0 ? '' : ` (by ${rivals.join(', ')})`;
    const message = `the controller ${controller} loops on ${key}: ${what} ${how}${by}`;
    this.#loop ??= new KilterError('TESTING_HOT_LOOP', message);
  }

  async eventually<T extends KubeObject>(
    kind: Kind<T>,
    ref: Ref,
    ...rest: [Expected<T>, WaitOptions?]
  ): Promise<Stored<T>> {
    const [expected, options] = rest;
    checkOptions('eventually', options ?? {}, waitOptions);
    checkKind('eventually', kind);
    checkRef('eventually', ref);
    checkExpected(expected);
    let found: Stored<T> | undefined;
    const look = async (): Promise<Look> => {
      found = await this.#waiting.answered(this.client.find(kind, ref));
      const problem = found === undefined ? 'it does not exist' : await problemWith(found, expected);
      return { problem, seen: found };
    };
    const what = `${kind.names.kind} ${this.#nameOf(kind, ref)}`;
    await this.#wait({ what, key: this.#keyOf(kind, ref), look, options });
    return found as Stored<T>;
  }

  async ready<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: WaitOptions): Promise<Stored<T>> {
    checkOptions('ready', options ?? {}, waitOptions);
    checkKind('ready', kind);
    checkRef('ready', ref);
    const isReady = (object: T): void => {
      // Nobody has looked at it, which the rules take for ready where they know nothing of the kind.
      if (isInstallable(kind) && hasStatus(kind) && !('status' in object)) throw new Error('it has no status yet');
      const { status, reason, message } = readiness(object, { now: this.#runtime.clock.now() });
      if (status !== 'Current') throw new Error(`it is not ready: ${status}: ${reason}: ${message}`);
    };
    return this.eventually(kind, ref, isReady, options);
  }

  async gone<T extends KubeObject>(kind: Kind<T>, ref: Ref, options?: WaitOptions): Promise<void> {
    checkOptions('gone', options ?? {}, waitOptions);
    checkKind('gone', kind);
    checkRef('gone', ref);
    const find = (): Promise<T | undefined> =>
      this.client.find(kind, ref).catch((error: unknown) => {
        // Where its kind is no longer served, nothing of it is there.
        if (isNotFound(error)) return undefined;
        throw error;
      });
    const look = async (): Promise<Look> => {
      const found = await this.#waiting.answered(find());
      if (found === undefined) return { problem: undefined };
      const { finalizers, deletionTimestamp } = found.metadata;
      const held = finalizers === undefined ? '' : `, held by ${finalizers.join(', ')}`;
      const since =
        deletionTimestamp === undefined ? 'nobody has deleted it' : `deleted at ${deletionTimestamp}${held}`;
      const problem = `it is still there: ${since}`;
      return { problem, seen: found };
    };
    const what = `${kind.names.kind} ${this.#nameOf(kind, ref)} to be gone`;
    await this.#wait({ what, key: this.#keyOf(kind, ref), look, options });
  }

  /** With the namespace, unless it is the one a bare name means. */
  #nameOf(kind: Kind, ref: Ref): string {
    const { name, namespace = this.namespace } = named(ref);
    return namespace === this.namespace ? name : this.#keyOf(kind, ref);
  }

  #keyOf({ names }: Kind, ref: Ref): string {
    const { name, namespace = this.namespace } = named(ref);
    return keyOfRef(names.scope === 'Namespaced' ? { name, namespace } : { name });
  }

  /** Fails with all that is known once the time is over. */
  async #wait({ what, key, look, options = {} }: Wait): Promise<void> {
    const within = toMilliseconds(options.within ?? this.#ground.patience.within);
    const watching = async (): Promise<Look> => {
      if (this.#loop !== undefined) {
        this.#loopTold = true;
        throw this.#loop;
      }
      return look();
    };
    const { tellAfter } = this.#ground.patience;
    const tell = (soFar: TooLate): void =>
      console.error(`still waiting: ${this.#failureText({ ...soFar, what, key, within: tellAfter ?? within })}`);
    const slow = tellAfter === undefined ? undefined : { after: tellAfter, tell };
    const late = await this.#noticing(this.#waiting.until(watching, within, slow));
    if (late !== undefined) throw new Error(this.#failureText({ ...late, what, key, within }));
  }

  #failureText(late: TooLate & { what: string; key: string; within: number }): string {
    const runs = this.#started.flatMap(({ manager }) => manager.runs.recent());
    const logs = { 'the operators': this.log.join('\n'), ...this.#ground.logs?.() };
    const problem = this.#ground.problem();
    const ended = problem === undefined ? this.#ended : [problem.message, ...this.#ended];
    return waitFailureText({ ...late, runs, ended, logs });
  }

  async #noticing<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error === this.#ground.failure?.reason) this.#told = true;
      throw error;
    }
  }

  /** What is wrong with all of it, unless it has been reported. */
  get #cause(): Error | undefined {
    if (this.#loop !== undefined && !this.#loopTold) return this.#loop;
    const problem = this.#ground.problem();
    return this.#told && problem === this.#ground.failure?.reason ? undefined : problem;
  }

  /** Where the webhooks of an operator are called that is started beside this harness. */
  webhooks(operator: string): ReturnType<Ground['webhooks']> {
    return this.#ground.webhooks(operator);
  }

  [Symbol.asyncDispose](): Promise<void> {
    this.#end ??= this.#dispose();
    return this.#end;
  }

  async #dispose(): Promise<void> {
    const ground = this.#ground;
    const problems: unknown[] = [];
    const attempt = async (work: () => unknown): Promise<void> => {
      try {
        await work();
      } catch (error) {
        problems.push(error);
      }
    };
    const isAlive = ground.failure?.aborted !== true;
    if (isAlive) await attempt(() => ground.tidy?.(this.client));
    // Nobody answers any more: what operators still ask for fails at once instead of being tried again.
    else for (const one of [ground.operators, ...this.#connections]) await attempt(() => one.close());
    const stops = this.#started.map(async (one) => {
      const stop = one.manager.stop();
      await (one.told ? stop.catch(() => undefined) : stop);
    });
    // A stop has its own deadline, and is waited for whatever else happens.
    const waiting = new Waiting({ clock: this.#runtime.clock, interval: ground.patience.interval });
    for (const stop of stops) await attempt(() => waiting.settled(stop));
    for (const step of (isAlive && ground.clear) || []) await attempt(() => step(this.client));
    for (const one of this.#connections) await attempt(() => one.close());
    await attempt(() => ground.close());
    const cause = this.#cause;
    if (cause !== undefined) throw cause;
    // Without its server everything fails; that is known.
    if (!isAlive || problems.length === 0) return;
    if (problems.length === 1) throw problems[0];
    throw new AggregateError(problems, problems.map(String).join('\n'), { cause: problems[0] });
  }
}

interface Wait {
  readonly what: string;
  /** As runs know it. */
  readonly key: string;
  readonly look: () => Promise<Look>;
  readonly options?: WaitOptions | undefined;
}

/** Where the webhooks of an operator are called that is started beside the harness; undefined where none are. */
export async function webhooksOf(env: Cluster, operator: string): Promise<StartOptions['webhooks']> {
  return env instanceof Harness ? await env.webhooks(operator) : undefined;
}
