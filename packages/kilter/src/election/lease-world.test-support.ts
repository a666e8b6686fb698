// Replicas with clocks and networks of their own, around one Lease.
import type { Change, Client } from '../client/index.ts';
import { ApiError, KilterError } from '../errors/index.ts';
import { type Clock, seededRandom, virtualClock, type VirtualClock } from '../internal/index.ts';
import type { Lease } from '../k8s/coordination/v1.ts';
import type { EventInput } from '../recorder/index.ts';
import { jsonLogger, MetricsRegistry } from '../telemetry/index.ts';
import type { Election } from './election.ts';
import { createElection } from './lease-election.ts';
import type { ElectionOptions } from './options.ts';

export const answer = (code: number, reason: string): ApiError =>
  new ApiError(
    { code, reason, message: 'no', causes: [], retryAfterSeconds: undefined, details: {} },
    { method: 'PUT', path: '/' },
  );
const lostConnection = (): KilterError => new KilterError('TRANSPORT_OUTCOME_UNKNOWN', 'reset');

/** One Lease with optimistic concurrency, as an API server keeps it. */
export class LeaseStore {
  lease: Lease | undefined;
  version = 0;
  readonly listeners = new Set<(change: Change<Lease>) => void>();
  /** Every accepted write: who made it. */
  readonly writers: string[] = [];
  reads = 0;

  create(lease: Lease, by: string): Lease {
    if (this.lease !== undefined) throw answer(409, 'AlreadyExists');
    return this.#keep(lease, by, 'ADDED');
  }
  update(lease: Lease, by: string): Lease {
    if (this.lease === undefined) throw answer(404, 'NotFound');
    if (lease.metadata.resourceVersion !== this.lease.metadata.resourceVersion) throw answer(409, 'Conflict');
    return this.#keep(lease, by, 'MODIFIED');
  }
  /** Somebody deletes it. */
  remove(): void {
    if (this.lease === undefined) return;
    const object = this.lease;
    this.lease = undefined;
    for (const listener of this.listeners) listener({ type: 'DELETED', object });
  }
  #keep(lease: Lease, by: string, type: 'ADDED' | 'MODIFIED'): Lease {
    this.version += 1;
    this.writers.push(by);
    this.lease = { ...lease, metadata: { ...lease.metadata, resourceVersion: String(this.version) } };
    for (const listener of this.listeners) listener({ type, object: this.lease });
    return this.lease;
  }
}

export interface Network {
  /** One way, in milliseconds. */
  latency(): number;
  /** What becomes of the next request; a request that is held is never answered. */
  fate(): 'ok' | 'lost' | 'answer lost' | 'held';
}

export const perfect: Network = { latency: () => 0, fate: () => 'ok' };

/** A replica: its own clock, which can be stalled and jumped, and its own way to the server. */
export class Replica {
  readonly #world: VirtualClock;
  readonly #store: LeaseStore;
  readonly identity: string;
  network: Network = perfect;
  mayWatch = true;
  /** Watches it opened. */
  watches = 0;
  /** Added to the wall clock. */
  jumped = 0;
  #stalled = false;
  /** What would have run during the stall, in order. */
  #overdue: (() => void)[] = [];
  readonly lines: Record<string, unknown>[] = [];
  readonly events: EventInput[] = [];
  readonly metrics = new MetricsRegistry();
  readonly election: Election;

  constructor(world: VirtualClock, store: LeaseStore, options: Partial<ElectionOptions> & { identity: string }) {
    this.#world = world;
    this.#store = store;
    this.identity = options.identity;
    this.election = createElection({
      client: this.#client(),
      runtime: { clock: this.#clock(), random: seededRandom(options.identity.length), uuid: () => 'uuid' },
      logger: jsonLogger({ write: (line) => this.lines.push(JSON.parse(line)), now: () => 0 }),
      metrics: this.metrics,
      recorder: { record: (event) => this.events.push(event) },
      lease: { name: 'op', namespace: 'ns' },
      ...options,
    });
  }

  stall(): void {
    this.#stalled = true;
  }
  resume(): void {
    this.#stalled = false;
    for (const callback of this.#overdue.splice(0)) callback();
  }

  #run(callback: () => void): void {
    if (this.#stalled) this.#overdue.push(callback);
    else callback();
  }

  #clock(): Clock {
    const timer: Clock['timer'] = (ms, callback) => {
      let cancelled = false;
      const once = this.#world.timer(ms, () => this.#run(() => (cancelled ? undefined : callback())));
      return {
        cancel: () => {
          cancelled = true;
          once.cancel();
        },
      };
    };
    const sleep: Clock['sleep'] = (ms, signal) =>
      new Promise((resolve, reject) => {
        const once = timer(ms, resolve);
        signal?.addEventListener('abort', () => {
          once.cancel();
          reject(signal.reason);
        });
      });
    return { ...this.#world, now: () => this.#world.now() + this.jumped, timer, sleep };
  }

  /** A request travels on even when its caller has given up on it. */
  #call<T>(act: () => T): Promise<T> {
    const fate = this.network.fate();
    return new Promise((resolve, reject) => {
      if (fate === 'held') return;
      const back = (settle: () => void): void =>
        void this.#world.timer(this.network.latency(), () => this.#run(settle));
      this.#world.timer(this.network.latency(), () => {
        if (fate === 'lost') return back(() => reject(lostConnection()));
        try {
          const result = act();
          return back(() => (fate === 'answer lost' ? reject(lostConnection()) : resolve(result)));
        } catch (error) {
          return back(() => reject(error));
        }
      });
    });
  }

  #client(): ElectionOptions['client'] {
    const store = this.#store;
    return {
      find: () => ((store.reads += 1), this.#call(() => store.lease)),
      create: (lease: Lease) => this.#call(() => store.create(lease, this.identity)),
      update: (lease: Lease) => this.#call(() => store.update(lease, this.identity)),
      watch: (_: unknown, { signal }: { signal: AbortSignal }) => this.#watch(signal),
    } as unknown as Client;
  }

  async *#watch(signal: AbortSignal): AsyncGenerator<Change<Lease>> {
    this.watches += 1;
    if (!this.mayWatch) throw answer(403, 'Forbidden');
    const arrived: Change<Lease>[] =
      this.#store.lease === undefined ? [] : [{ type: 'ADDED', object: this.#store.lease }];
    let wake = (): void => undefined;
    const listener = (change: Change<Lease>): void => {
      if (this.network.fate() !== 'ok') return;
      this.#world.timer(this.network.latency(), () =>
        this.#run(() => {
          arrived.push(change);
          wake();
        }),
      );
    };
    this.#store.listeners.add(listener);
    signal.addEventListener('abort', () => wake());
    while (!signal.aborted) {
      for (const change of arrived.splice(0)) yield change;
      if (signal.aborted) break;
      await new Promise<void>((resolve) => (wake = resolve));
    }
    this.#store.listeners.delete(listener);
  }
}

export function setup() {
  const clock = virtualClock();
  const store = new LeaseStore();
  const replica = (identity: string, options: Partial<ElectionOptions> = {}): Replica =>
    new Replica(clock, store, { identity, ...options });
  return { clock, store, replica };
}

export const forEver = new AbortController().signal;
/** Campaigns and keeps what came of it. */
export function campaign(replica: Replica, signal: AbortSignal = forEver) {
  const outcome: { epoch?: number; error?: unknown; lost?: unknown } = {};
  replica.election.campaign(signal).then(
    ({ epoch }) => (outcome.epoch = epoch),
    (error: unknown) => (outcome.error = error),
  );
  replica.election.lost.catch((error: unknown) => (outcome.lost = error));
  return outcome;
}
export const isOpen = ({ election }: Replica): boolean => election.closed() === undefined;

/** `a` leads, `b` stands by. */
export async function pair(options: Partial<ElectionOptions> = {}) {
  const { clock, store, replica } = setup();
  const [a, b] = [replica('a', options), replica('b', options)];
  const first = campaign(a);
  await clock.advance(0);
  const second = campaign(b);
  await clock.advance(100);
  if (first.epoch !== 0 || second.epoch !== undefined) throw new Error('the first does not lead alone');
  return { clock, store, a, b, first, second, replica };
}
