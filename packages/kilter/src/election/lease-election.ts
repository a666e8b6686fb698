import { apiErrorOf, inWords, isAlreadyExists, isConflict, KilterError } from '../errors/index.ts';
import { orAbort, type Timer } from '../internal/index.ts';
import { Lease } from '../k8s/coordination/v1.ts';
import { type Counter, type Gauge, inBrief } from '../telemetry/index.ts';
import type { Election, Leadership } from './election.ts';
import {
  closedReason,
  initialState,
  type Input,
  type Instant,
  isOverdue,
  type Request,
  type State,
  step,
  wakeTime,
} from './elector.ts';
import { durationOf, holderOf } from './lease-record.ts';
import { watchLease } from './lease-watch.ts';
import { type ElectionOptions, electionRules, type ElectionRules, requestTimeout } from './options.ts';

/** Does what the state machine asks for: requests, timers, the watch, and telling who led. */
class LeaseElection implements Election {
  readonly #options: ElectionOptions;
  readonly #rules: ElectionRules;
  readonly #status: Gauge | undefined;
  readonly #transitions: Counter | undefined;
  #state: State = initialState;
  /** Set for `wakeTime` of the present state. */
  #alarm: { readonly at: number; readonly timer: Timer } | undefined;
  /** Set while a request is under way whose outcome matters. */
  #request: AbortController | undefined;
  /** Set while a candidate. */
  #watch: AbortController | undefined;
  /** Set once, when the campaign begins. */
  #campaign: PromiseWithResolvers<Leadership> | undefined;
  /** Set once, when the campaign is won. */
  #leadership: Leadership | undefined;
  readonly #loss: PromiseWithResolvers<never> = Promise.withResolvers();
  /** Set from the first `release` on; resolved when nothing is under way any more. */
  #end: PromiseWithResolvers<void> | undefined;
  /** Whether the server answered the last request that ended. */
  #answered = true;
  /** Of failures since the last success: an outage is reported once, not with every try. */
  #failures = 0;
  /** Why the last request failed; undefined after one that succeeded. Told with the loss: it is the reason of it. */
  #failure: unknown;

  constructor(options: ElectionOptions) {
    this.#options = options;
    this.#rules = electionRules(options);
    this.#status = options.metrics?.gauge('leader_election_master_status', 'Whether this replica leads.');
    this.#status?.set(0, { name: this.#rules.lease.name });
    this.#transitions = options.metrics?.counter(
      'kilter_leader_transitions_total',
      'Times this replica began to lead.',
    );
    // There before the first time, so that a rate over it is right from the start.
    this.#transitions?.inc({ name: this.#rules.lease.name }, 0);
    // Losing is also logged and seen by the gate: nobody has to wait for it.
    this.#loss.promise.catch(() => undefined);
  }

  get lost(): Promise<never> {
    return this.#loss.promise;
  }

  get leading(): boolean {
    return this.#state.phase === 'leading';
  }

  get leadership(): Leadership {
    if (this.#leadership === undefined) throw new KilterError('ELECTION_NOT_LEADING', 'this replica has not led yet');
    return this.#leadership;
  }

  get answered(): boolean {
    return this.#answered;
  }

  closed(): string | undefined {
    const at = this.#now();
    const reason = closedReason(this.#rules, this.#state, at);
    // After a pause whoever asks first notices the loss: the timer that says so may come last.
    if (reason !== undefined && this.#state.phase === 'leading' && isOverdue(this.#rules, this.#state, at)) {
      this.#feed({ type: 'wake' });
    }
    return reason;
  }

  async campaign(signal: AbortSignal): Promise<Leadership> {
    if (this.#campaign !== undefined || this.#state.phase !== 'candidate') {
      throw new KilterError('ELECTION_OVER', 'this candidacy has already begun or ended');
    }
    signal.throwIfAborted();
    this.#campaign = Promise.withResolvers();
    this.#startWatch();
    this.#feed({ type: 'wake' });
    try {
      return await orAbort(this.#campaign.promise, signal);
    } catch (error) {
      this.#feed({ type: 'withdraw' });
      throw error;
    }
  }

  abandon(): void {
    this.#feed({ type: 'withdraw' });
  }

  release(within = this.#rules.renewDeadline): Promise<void> {
    this.#end ??= Promise.withResolvers();
    this.#feed({ type: 'release', within });
    const { phase } = this.#state;
    if (phase === 'ended' || phase === 'lost') this.#end.resolve();
    return this.#end.promise;
  }

  #now(): Instant {
    const { clock } = this.#options.runtime;
    return { mono: clock.monotonic(), wall: clock.now() };
  }

  #feed(input: Input): void {
    const at = this.#now();
    const before = this.#state;
    const chance = this.#options.runtime.random();
    const { state, request } = step({ rules: this.#rules, at, chance }, before, input);
    this.#state = state;
    if (before.phase === state.phase) this.#noteHolder(before, state);
    else this.#changed(before, state);
    if (state.phase === 'leading' && request?.type === 'create') this.#tellRestored();
    this.#setAlarm();
    if (request !== undefined) void this.#perform(request);
  }

  #setAlarm(): void {
    const at = wakeTime(this.#rules, this.#state);
    if (at === this.#alarm?.at) return;
    this.#alarm?.timer.cancel();
    this.#alarm = undefined;
    if (at === undefined) return;
    const wait = Math.max(0, at - this.#now().mono);
    const timer = this.#options.runtime.clock.timer(wait, () => {
      this.#alarm = undefined;
      this.#feed({ type: 'wake' });
    });
    this.#alarm = { at, timer };
  }

  /** Sends at once: the moment the step was decided for is the moment of sending. */
  async #perform(request: Request): Promise<void> {
    const sent = this.#now();
    const abort = new AbortController();
    this.#request = abort;
    const limit = requestTimeout(this.#rules);
    const timer = this.#options.runtime.clock.timer(limit, () =>
      abort.abort(new KilterError('TRANSPORT_DEADLINE', `the Lease request took longer than ${limit / 1000} s`)),
    );
    const input = await this.#outcome(request, sent, abort.signal);
    timer.cancel();
    if (this.#request !== abort) return;
    this.#request = undefined;
    this.#feed(input);
  }

  async #outcome(request: Request, sent: Instant, signal: AbortSignal): Promise<Input> {
    try {
      const lease = await orAbort(this.#send(request, signal), signal);
      this.#succeeded(request);
      if (request.type === 'read') return { type: 'read', lease };
      if (lease === undefined)
        throw new KilterError('CLIENT_UNEXPECTED_ANSWER', 'a write of the Lease returned nothing');
      return { type: 'written', lease, sent };
    } catch (error) {
      const conflict = isConflict(error) || isAlreadyExists(error);
      const answered = apiErrorOf(error) !== undefined;
      this.#failed(request, error, conflict);
      return { type: 'failed', conflict, answered };
    }
  }

  #succeeded({ type }: Request): void {
    const { logger, reached } = this.#options;
    this.#answered = true;
    if (this.#failures > 0)
      logger.info({ lease: this.#rules.lease, failures: this.#failures }, 'Lease requests succeed again');
    this.#failures = 0;
    this.#failure = undefined;
    if (type !== 'read') reached?.();
  }

  /** Told once and with its reason; then only counted, until a request succeeds or leadership is lost. */
  #failed({ type }: Request, error: unknown, conflict: boolean): void {
    const { logger } = this.#options;
    const { lease } = this.#rules;
    const over = error instanceof KilterError && error.code === 'ELECTION_OVER';
    if (!over) this.#answered = apiErrorOf(error) !== undefined;
    if (conflict || over || this.#state.phase === 'ended') {
      logger.debug({ err: error, lease, request: type }, 'a Lease request failed');
      return;
    }
    this.#failures += 1;
    this.#failure = error;
    const level = this.#failures === 1 ? 'warn' : 'debug';
    logger[level]({ lease, request: type, ...inBrief(error) }, 'a Lease request failed; it is retried');
  }

  #send(request: Request, signal: AbortSignal): Promise<Lease | undefined> {
    const { client } = this.#options;
    switch (request.type) {
      case 'read':
        return client.find(Lease, this.#rules.lease, { signal });
      case 'create':
        return client.create(request.lease, { signal });
      case 'update':
        return client.update(request.lease, { signal });
    }
  }

  #startWatch(): void {
    const { client, runtime, logger } = this.#options;
    const { lease, retryPeriod } = this.#rules;
    this.#watch = new AbortController();
    void watchLease({
      client,
      runtime,
      logger,
      lease,
      pause: retryPeriod,
      signal: this.#watch.signal,
      seen: (found) => this.#feed({ type: 'seen', lease: found }),
      ended: () => this.#feed({ type: 'unwatched' }),
    });
  }

  #noteHolder(before: State, state: State): void {
    if (before.phase !== 'candidate' || state.phase !== 'candidate' || state.seen === undefined) return;
    // Only a write changes the record, whoever's: the server is there for this replica too.
    if (before.seen !== undefined && before.seen.since !== state.seen.since) this.#options.reached?.();
    if (state.doubled && !before.doubled) this.#tellDoubled(state.seen.lease);
    const holder = holderOf(state.seen.lease);
    if (state.seen.gone !== undefined && before.seen?.gone === undefined && holder !== undefined)
      this.#tellGone(holder);
    const known = before.seen === undefined ? undefined : holderOf(before.seen.lease);
    if (holder === undefined || holder === known) return;
    const { logger } = this.#options;
    const { lease, identity } = this.#rules;
    this.#tellLong(state.seen.lease);
    if (holder !== identity) logger.info({ lease, holder }, 'another replica holds the Lease; this one stands by');
    else if (state.attempted === undefined) {
      logger.warn(
        { lease, holder },
        'the Lease is held under the identity of this replica, by an earlier process or by a second one; this replica waits as for any other holder',
      );
    }
  }

  /** Somebody may have written it by hand: then nobody ever renews it, and all wait. */
  #tellLong(held: Lease): void {
    const { lease, leaseDuration } = this.#rules;
    const wait = durationOf(held, this.#rules);
    if (wait < 20 * leaseDuration) return;
    this.#options.logger.warn(
      { lease, holder: holderOf(held) },
      `the Lease allows its holder to be silent for ${wait / 1000} s, and this replica waits that long; if there is no such holder, delete the Lease`,
    );
  }

  #tellGone(holder: string): void {
    const seconds = this.#rules.leaseDuration / 1000;
    this.#options.logger.info(
      { lease: this.#rules.lease, holder },
      `the Lease was deleted while it was held; its holder has about ${seconds} s to create it again`,
    );
  }

  #tellRestored(): void {
    this.#options.logger.warn(
      { lease: this.#rules.lease },
      'the Lease was deleted; it is created again, and this replica continues to lead',
    );
  }

  /** Both would believe that the record is theirs. */
  #tellDoubled({ spec }: Lease): void {
    const { name, namespace } = this.#rules.lease;
    const what = `another manager renews the Lease ${namespace}/${name} under the identity ${this.#rules.identity} of this manager, last at ${spec?.renewTime}`;
    const error = new KilterError('ELECTION_IDENTITY_SHARED', what);
    this.#options.logger.error(inBrief(error), 'two managers have the same identity; this one stands by');
  }

  #changed(before: State, state: State): void {
    if (before.phase === 'candidate') this.#watch?.abort();
    if (before.phase === 'leading') this.#stoppedLeading(before.lease);
    this.#abandonRequest(state);
    if (state.phase === 'leading') this.#startedLeading(state.lease);
    if (state.phase === 'lost') this.#tellLoss(state.reason);
    if (state.phase === 'ended') this.#tellEnd(before, state.unreleased);
  }

  /** A release waits for what is under way to end; otherwise its outcome matters no more. After a win nothing is. */
  #abandonRequest({ phase }: State): void {
    this.#request?.abort(new KilterError('ELECTION_OVER', 'the candidacy is over'));
    if (phase !== 'releasing') this.#request = undefined;
  }

  #startedLeading(lease: Lease): void {
    const { logger } = this.#options;
    const { identity } = this.#rules;
    this.#leadership = { epoch: lease.spec?.leaseTransitions ?? 0, identity };
    this.#status?.set(1, { name: this.#rules.lease.name });
    this.#transitions?.inc({ name: this.#rules.lease.name });
    logger.info({ lease: this.#rules.lease, ...this.#leadership }, 'this replica leads');
    this.#record(lease, `${identity} became leader`);
    this.#campaign?.resolve(this.#leadership);
  }

  #stoppedLeading(lease: Lease): void {
    this.#status?.set(0, { name: this.#rules.lease.name });
    this.#record(lease, `${this.#rules.identity} stopped leading`);
  }

  #record(regarding: Lease, message: string): void {
    const event = { regarding, type: 'Normal', reason: 'LeaderElection', action: 'LeaderElection', message } as const;
    this.#options.recorder?.record(event);
  }

  #tellLoss(reason: string): void {
    const { name, namespace } = this.#rules.lease;
    const why = this.#failure === undefined ? '' : `; the last request failed: ${inWords(this.#failure)}`;
    const error = new KilterError('ELECTION_LOST', `lost the Lease ${namespace}/${name}: ${reason}${why}`);
    this.#options.logger.error(
      { lease: this.#rules.lease, identity: this.#rules.identity, ...inBrief(error) },
      'this replica no longer leads',
    );
    this.#loss.reject(error);
    this.#end?.resolve();
  }

  #tellEnd(before: State, unreleased: boolean): void {
    const { logger } = this.#options;
    const { lease, identity } = this.#rules;
    if (unreleased) {
      this.#answered = false;
      const seconds = this.#rules.leaseDuration / 1000;
      logger.warn({ lease, identity }, `the Lease could not be released; it expires within ${seconds} s`);
    } else if (before.phase === 'releasing') logger.info({ lease, identity }, 'the Lease was released');
    this.#campaign?.reject(new KilterError('ELECTION_OVER', 'the candidacy ended before it was won'));
    this.#end?.resolve();
  }
}

/** One candidacy for one Lease. Refuses times that would allow two leaders. */
export function createElection(options: ElectionOptions): Election {
  return new LeaseElection(options);
}
