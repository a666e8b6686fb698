// Replicas with the elector of the runtime, in a world where clocks run at different rates, processes pause, machines are suspended,
// and requests and answers are lost or late. Time is the model's own: no step takes any.
import { seededRandom } from 'kilter/runtime';
import {
  closedReason,
  initialState,
  type Input,
  type Instant,
  type Request,
  type State,
  step,
  wakeTime,
} from '../../../kilter/src/election/elector.ts';
import { type ElectionRules, requestTimeout } from '../../../kilter/src/election/options.ts';

type Lease = Extract<Input, { type: 'written' }>['lease'];

export interface ModelOptions {
  readonly seed: number;
  readonly replicas: number;
  readonly steps: number;
  /** Ask the gate before each write, as the transport does. Without it a replica writes while it believes that it leads. */
  readonly guarded?: boolean;
  /** How much faster the fastest clock is than the slowest. Default: 1.05, what R-5 covers. */
  readonly fastest?: number;
}

export interface ModelReport {
  readonly steps: number;
  readonly writes: number;
  readonly terms: number;
  readonly refused: number;
  /** Writes that arrived although a later term had begun, with the step they were found in. */
  readonly stale: readonly string[];
  /** Terms that began before the record had stayed as it was for 1.05 D of the candidate's own time. */
  readonly early: readonly string[];
}

const duration = 15_000;
const renewDeadline = 10_000;
/** What a guarded write may take: after it the connection is closed, and what was on its way is gone. */
const writeLimit = duration - renewDeadline;
/** Runs of a replica that go on side by side, and how long each lets pass between its writes at most. */
const workers = 8;
const betweenWrites = 8000;

interface Due {
  readonly at: number;
  readonly run: () => void;
}

/** Events in the order of their time. */
class Agenda {
  readonly #events: Due[] = [];

  add(event: Due): void {
    // Nearly all belong to the end: looked for from there.
    let place = this.#events.length;
    while (place > 0 && (this.#events[place - 1] as Due).at > event.at) place -= 1;
    this.#events.splice(place, 0, event);
  }

  next(): Due {
    return this.#events.shift() as Due;
  }
}

class Replica {
  readonly world: Model;
  readonly rate: number;
  rules: ElectionRules;
  state: State = initialState;
  /** Added to the model's time to get each clock; the monotonic one stands still while the machine is suspended. */
  mono: number;
  wall: number;
  /** Nothing of the process runs before it. */
  pausedUntil = 0;
  /** What came while it was paused; it is met in any order (J-08). */
  waiting: (() => void)[] = [];
  /** Of the process: what belongs to an earlier one is met by nobody. */
  life = 0;
  /** Requests for the Lease by number: only the last one matters. */
  request = 0;
  alarm = 0;
  /** Writes under way; a graceful stop waits for them. */
  inFlight = 0;
  stopping = false;

  constructor(world: Model, rate: number) {
    this.world = world;
    this.rate = rate;
    this.mono = world.chance() * 1e6;
    this.wall = 1.8e12 + (world.chance() - 0.5) * 7.2e6;
    this.rules = this.#rulesOf();
  }

  #rulesOf(): ElectionRules {
    const identity = `r${this.world.nextIdentity()}`;
    const lease = { name: 'op', namespace: 'default' };
    return { lease, identity, leaseDuration: duration, renewDeadline, retryPeriod: 2000, labels: {} };
  }

  now(): Instant {
    const { now } = this.world;
    return { mono: now * this.rate + this.mono, wall: now * this.rate + this.wall };
  }

  /** After so much of its own time. */
  after(ms: number, act: () => void): void {
    const { life, world } = this;
    world.at(world.now + ms / this.rate, () => this.#meet(life, act));
  }

  #meet(life: number, act: () => void): void {
    if (life !== this.life) return;
    if (this.world.now >= this.pausedUntil) act();
    else this.waiting.push(() => life === this.life && act());
  }

  pause(ms: number, suspended: boolean): void {
    const { world } = this;
    if (world.now < this.pausedUntil) return;
    this.pausedUntil = world.now + ms;
    if (suspended) this.mono -= ms * this.rate;
    world.at(this.pausedUntil, () => {
      const met = this.waiting.splice(0);
      while (met.length > 0) met.splice(Math.floor(world.chance() * met.length), 1)[0]?.();
    });
  }

  feed(input: Input): void {
    const { state, request } = step(
      { rules: this.rules, at: this.now(), chance: this.world.chance() },
      this.state,
      input,
    );
    this.state = state;
    this.#setAlarm();
    if (request !== undefined) this.#send(request);
    if (state.phase === 'lost' || state.phase === 'ended') this.restart();
  }

  #setAlarm(): void {
    const at = wakeTime(this.rules, this.state);
    const alarm = (this.alarm += 1);
    if (at === undefined) return;
    // As timers do: never early, so that a wake is not followed by another one in the same moment.
    this.after(Math.max(0, Math.ceil(at - this.now().mono)), () => {
      if (alarm === this.alarm) this.feed({ type: 'wake' });
    });
  }

  #send(request: Request): void {
    const number = (this.request += 1);
    const sent = this.now();
    const end = (input: Input): void => {
      if (number !== this.request) return;
      this.request += 1;
      this.feed(input);
    };
    this.after(requestTimeout(this.rules), () => end({ type: 'failed', conflict: false, answered: false }));
    const { world, life } = this;
    world.travel(() => {
      const answer = world.serve(this, request, sent);
      world.travel(() => this.#meet(life, () => end(answer)));
    });
  }

  /** Begins its first life, or the one after. */
  begin(): void {
    this.feed({ type: 'wake' });
    for (let i = 0; i < workers; i += 1) this.work();
  }

  /** What one of its workers does all the time. */
  work(): void {
    const { world } = this;
    this.after(world.chance() * betweenWrites, () => this.work());
    if (this.state.phase !== 'leading' || this.stopping) return;
    const { lease } = this.state;
    if (world.options.guarded !== false && closedReason(this.rules, this.state, this.now()) !== undefined) {
      world.refused += 1;
      return;
    }
    const term = lease.spec?.leaseTransitions ?? 0;
    const { life } = this;
    this.inFlight += 1;
    // Mostly at once; some as late as the limit lets them.
    const late = world.chance() < 0.1 ? world.chance() * writeLimit : world.chance() * 20;
    world.at(world.now + late / this.rate, () => {
      world.store(this.rules.identity, term);
      if (life === this.life) this.inFlight -= 1;
    });
  }

  /** Stops as SIGTERM makes it stop: the lease is given back once nothing is under way. */
  stop(): void {
    this.stopping = true;
    if (this.inFlight > 0) this.after(100, () => this.stop());
    else this.feed({ type: 'release', within: 10_000 });
  }

  /** A process that ended is started again, under another name. */
  restart(): void {
    this.life += 1;
    this.request += 1;
    this.inFlight = 0;
    this.waiting = [];
    this.stopping = false;
    this.state = initialState;
    this.rules = this.#rulesOf();
    this.after(1000, () => this.begin());
  }
}

class Model {
  readonly options: ModelOptions;
  readonly chance: () => number;
  now = 0;
  refused = 0;
  writes = 0;
  readonly stale: string[] = [];
  readonly early: string[] = [];
  readonly replicas: Replica[];
  readonly #agenda = new Agenda();
  #identities = 0;
  #steps = 0;
  /** As the server has it, and since when. */
  #lease: Lease | undefined;
  #changed = 0;
  #version = 0;

  constructor(options: ModelOptions) {
    this.options = options;
    this.chance = seededRandom(options.seed);
    const { fastest = 1.05 } = options;
    this.replicas = Array.from(
      { length: options.replicas },
      (_, i) => new Replica(this, i === 0 ? 1 : 1 + this.chance() * (fastest - 1)),
    );
    // The extremes are there in every run.
    const last = this.replicas.at(-1);
    if (last !== undefined) (last as { rate: number }).rate = fastest;
  }

  nextIdentity(): number {
    return (this.#identities += 1);
  }

  at(at: number, run: () => void): void {
    this.#agenda.add({ at, run });
  }

  blame(what: string): void {
    this.stale.push(`step ${this.#steps}: ${what}`);
  }

  /** Over the network: lost, late, or in a moment. */
  travel(arrive: () => void): void {
    const luck = this.chance();
    if (luck < 0.03) return;
    const ms = luck < 0.08 ? this.chance() * 12_000 : this.chance() * 30;
    this.at(this.now + ms, arrive);
  }

  /** The Lease as the API server keeps it: an update of another version than the stored one is a conflict. */
  serve(replica: Replica, request: Request, sent: Instant): Input {
    if (request.type === 'read') return { type: 'read', lease: this.#lease };
    const given = request.lease;
    const fits =
      this.#lease === undefined
        ? request.type === 'create'
        : request.type === 'update' && given.metadata.resourceVersion === this.#lease.metadata.resourceVersion;
    if (!fits) return { type: 'failed', conflict: true, answered: true };
    this.#checkPatience(replica, given);
    const lease = {
      ...given,
      metadata: { ...given.metadata, resourceVersion: String((this.#version += 1)), uid: 'u' },
    };
    this.#lease = lease;
    this.#changed = this.now;
    for (const other of this.replicas) {
      const { life } = other;
      this.travel(() =>
        other.after(
          0,
          () => life === other.life && other.state.phase === 'candidate' && other.feed({ type: 'seen', lease }),
        ),
      );
    }
    return { type: 'written', lease, sent };
  }

  #checkPatience(replica: Replica, given: Lease): void {
    const before = this.#lease?.spec;
    if (before === undefined || before.holderIdentity === '' || before.holderIdentity === replica.rules.identity)
      return;
    if (given.spec?.holderIdentity !== replica.rules.identity) return;
    const waited = (this.now - this.#changed) * replica.rate;
    if (waited < duration * 1.05 - 1e-6)
      this.early.push(`step ${this.#steps}: ${replica.rules.identity} took over after ${waited} ms of its own`);
  }

  /** A guarded write arrives at the server. */
  store(identity: string, term: number): void {
    this.writes += 1;
    const current = this.#lease?.spec;
    if (current === undefined || (current.leaseTransitions ?? 0) <= term) return;
    this.blame(
      `a write of ${identity}, term ${term}, arrived in term ${current.leaseTransitions} of ${current.holderIdentity}`,
    );
  }

  #disturb(replica: Replica): void {
    const again = 2000 + this.chance() * 40_000;
    this.at(this.now + again, () => this.#disturb(replica));
    const luck = this.chance();
    if (luck < 0.45) replica.pause(this.chance() * (this.chance() < 0.5 ? 3000 : 40_000), false);
    else if (luck < 0.65) replica.pause(this.chance() * 90_000, true);
    else if (luck < 0.75) replica.wall += this.chance() * 3_600_000;
    else if (luck < 0.85) replica.restart();
    else if (luck < 0.95 && replica.state.phase === 'leading' && !replica.stopping) replica.stop();
  }

  /** Holds whoever leads for a little longer than its lease lasts: the moment it goes on is the one the guard is for. */
  #aim(): void {
    this.at(this.now + 1000 + this.chance() * 8000, () => this.#aim());
    const leader = this.replicas.find(({ rules }) => rules.identity === this.#lease?.spec?.holderIdentity);
    leader?.pause(duration * 1.05 + 3000 + this.chance() * 5000, this.chance() < 0.3);
  }

  run(): ModelReport {
    this.#aim();
    for (const replica of this.replicas) {
      replica.begin();
      this.at(this.chance() * 60_000, () => this.#disturb(replica));
    }
    while (this.#steps < this.options.steps && this.stale.length === 0) {
      this.#steps += 1;
      const { at, run } = this.#agenda.next();
      this.now = at;
      run();
    }
    const { writes, refused, stale, early } = this;
    return { steps: this.#steps, writes, refused, stale, early, terms: this.#lease?.spec?.leaseTransitions ?? 0 };
  }
}

export function runModel(options: ModelOptions): ModelReport {
  return new Model(options).run();
}
