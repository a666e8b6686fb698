// An operator whose parts only write down what is asked of them.
import { expect } from 'vitest';
import { type VirtualClock, virtualClock } from '../internal/index.ts';
import { silentLogger } from '../telemetry/index.ts';
import { Lifecycle } from './lifecycle.ts';
import { PartGroup } from './part-group.ts';
import type { Part, PartContext } from './part.ts';
import type { Parts } from './parts.ts';
import { RunnerGroup } from './runner-group.ts';

export interface Given {
  readonly election?: boolean;
  readonly hooks?: Parts['hooks'];
  readonly synced?: Promise<void>;
  /** With webhooks, which serve once it is resolved. */
  readonly serving?: Promise<void>;
  /** Ends of loops by their name; one that is missing ends with its shutdown. */
  readonly loops?: Record<string, Promise<void>>;
  readonly drained?: Promise<void>;
  readonly gracefulStop?: number;
  readonly refuse?: Record<string, Error>;
  readonly review?: Parts['review'];
  readonly uncaught?: Promise<never>;
  /** With a controller `r` of every replica. */
  readonly replica?: boolean;
  readonly replicaParts?: readonly Part[];
  readonly leaderParts?: readonly Part[];
}

/** An operator whose parts only write down what is asked of them. */
export function setUp(given: Given = {}) {
  const { hooks, synced = Promise.resolve(), loops = {}, drained, refuse = {} } = given;
  const log: string[] = [];
  const warnings: unknown[] = [];
  const did = async (what: string): Promise<void> => {
    // Some turns later: whoever does not wait for it is seen to be early.
    const turns = what === 'cache stops' ? 20 : 5;
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    log.push(what);
    if (refuse[what] !== undefined) throw refuse[what];
  };
  const clock = virtualClock();
  const work = new AbortController();
  work.signal.addEventListener('abort', () => log.push(`abort: ${(work.signal.reason as Error).message}`));
  const lost = Promise.withResolvers<never>();
  lost.promise.catch(() => undefined);
  const won = Promise.withResolvers<{ epoch: number; identity: string }>();
  const state = { answered: true, limits: undefined as unknown, releasedWithin: undefined as unknown };
  const election = {
    campaign: (signal: AbortSignal) => (
      log.push('campaign'),
      signal.aborted ? Promise.reject(signal.reason) : won.promise
    ),
    lost: lost.promise,
    release: (within: number) => ((state.releasedWithin = within), did('release')),
    abandon: () => void log.push('abandon'),
    get answered() {
      return state.answered;
    },
  };
  const runner = (name: string) => {
    const ended = Promise.withResolvers<void>();
    return {
      name,
      connect: () => void log.push(`connect ${name}`),
      start: () => (log.push(`start ${name}`), loops[name] ?? ended.promise),
      shutdown: () => (log.push(`shutdown ${name}`), ended.resolve()),
      drained: () => drained ?? ended.promise,
    };
  };
  const groupOf = (parts: readonly Part[] = []): PartGroup =>
    new PartGroup(parts, {
      clock,
      logger: silentLogger,
      cache: { informer: () => expect.unreachable('nothing is read') },
      contextOf: (_, signal) => ({ signal }) as PartContext,
    });
  const parts = {
    cache: { start: () => (log.push('sync'), synced), stop: () => did('cache stops') },
    webhooks: given.serving && {
      start: () => (log.push('webhooks'), given.serving),
      close: () => did('webhooks close'),
    },
    runners: new RunnerGroup([runner('a'), runner('b')] as never),
    replicaRunners: new RunnerGroup((given.replica === true ? [runner('r')] : []) as never),
    replicaParts: groupOf(given.replicaParts),
    leaderParts: groupOf(given.leaderParts),
    election: given.election === true ? election : undefined,
    hooks,
    recorder: { stop: (limits: unknown) => ((state.limits = limits), did('recorder stops')) },
    clock,
    logger: { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line.at(-1)) },
    gracefulStop: given.gracefulStop ?? 30_000,
    work,
    review: given.review,
    uncaught: given.uncaught,
    openEndpoints: async () => (await did('open'), [{ address: 'x', close: () => did('endpoint closes') }]),
  } as unknown as Parts;
  const stop = new AbortController();
  const lifecycle = new Lifecycle(parts, stop.signal);
  return { lifecycle, log, warnings, stop, clock: clock as VirtualClock, lost, won, state };
}
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
};
