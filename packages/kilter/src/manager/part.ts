import type { Duration, Kind } from '../api/index.ts';
import type { OperatorCache } from '../cache/index.ts';
import type { Client, Reader } from '../client/index.ts';
import { Checks, type WritesOptions, type WrittenSpec } from '../controller/index.ts';
import { inShort, KilterError, optionMistakes, type OptionNames } from '../errors/index.ts';
import { parseDuration } from '../internal/index.ts';
import type { Logger, UseMetric } from '../telemetry/index.ts';

/** What a part works with. */
export interface PartContext {
  /** Aborts when the part has to end: on a stop, or when leadership is lost. */
  readonly signal: AbortSignal;
  /** Reads from the cache, writes to the server; guarded by the Lease for parts of the leader. */
  readonly client: Client;
  /** Reads from the server. */
  readonly live: Reader;
  readonly cache: OperatorCache;
  readonly log: Logger;
  /** Counts or sets a metric that the operator declares: `ctx.metric(sweeps).inc()`. */
  readonly metric: UseMetric;
  /** Runs an effect outside the cluster under the write guard, which is always open for parts that run on every replica. */
  fence<R>(effect: (signal: AbortSignal) => Promise<R>): Promise<R>;
}

/** A kind that a part writes with verbs other than `create` and `patch`, or only in some namespaces. */
export interface PartWrites extends WritesOptions {
  kind: Kind;
}

/** The options of one part: where it runs, how often, and what it reads and writes. */
export interface PartOptions {
  /** Where it runs: on the leader or on every replica. Default: 'leader'. Use 'everyReplica' for servers and for parts that only read. */
  on?: 'leader' | 'everyReplica' | undefined;
  /** Call it repeatedly, this long after each end. Default: once. If a call throws, that is logged and the next call follows. */
  every?: Duration | undefined;
  /** Whether the operator continues if it fails. Default: false, the operator stops with its error. */
  optional?: boolean | undefined;
  /** Kinds it reads through `ctx.client` and `ctx.cache`: cached, and among the permissions. Default: what controllers declare. */
  reads?: readonly Kind[] | undefined;
  /**
   * Kinds it writes, for the permissions: `ConfigMap` to create and patch it, `{ kind: Pod, verbs: ['delete'] }` for other verbs.
   * Default: none; what is not declared here is missing from `operator.permissions()`.
   */
  writes?: readonly (Kind | PartWrites)[] | undefined;
}

type PartRun = (ctx: PartContext) => void | Promise<void>;

/** A server, a ticker or a one-time job that runs inside an operator, for `operator({ parts: [...] })`. */
export interface Part {
  readonly name: string;
  readonly on: 'leader' | 'everyReplica';
  /** In milliseconds; undefined: called once. */
  readonly every: number | undefined;
  readonly optional: boolean;
  readonly reads: readonly Kind[];
  readonly writes: readonly WrittenSpec[];
  readonly run: PartRun;
}

const partOptions: OptionNames<PartOptions> = { on: true, every: true, optional: true, reads: true, writes: true };

const invalid = (message: string): KilterError => new KilterError('MANAGER_PART_INVALID', message);

/**
 * Declares a part: `run` is called once the caches are synced (and the Lease is held, for parts of the leader). It may
 * return as soon as its job is done, and must return when its signal aborts.
 */
export function part(name: string, run: PartRun): Part;
export function part(name: string, options: PartOptions, run: PartRun): Part;
export function part(name: string, ...given: readonly [PartRun] | readonly [PartOptions, PartRun]): Part {
  const [options, run] = given.length === 1 ? [{}, given[0]] : given;
  if (typeof name !== 'string' || !/^[a-zA-Z0-9][-a-zA-Z0-9_.]{0,62}$/.test(name)) {
    throw invalid(`a part has a name of 1 to 63 letters, digits, '-', '_' or '.', not ${inShort(name)}`);
  }
  if (typeof run !== 'function') throw invalid(`the part ${name} takes a function, not ${inShort(run)}`);
  const [mistake] = optionMistakes(`the part ${name}`, options, partOptions);
  if (mistake !== undefined) throw invalid(mistake);
  const { on = 'leader', every, optional = false, reads = [], writes = [] } = options;
  if (on !== 'leader' && on !== 'everyReplica') {
    throw invalid(`the part ${name} runs on 'leader' or 'everyReplica', not ${inShort(on)}`);
  }
  const ms = every === undefined ? undefined : parseDuration(every);
  if (every !== undefined && (ms === undefined || ms <= 0)) {
    throw invalid(`every of the part ${name} must be a duration above zero, not ${inShort(every)}`);
  }
  return { name, on, every: ms, optional, ...declared(name, reads, writes), run };
}

/** The names of a kind are an object; those of a declaration bound it to single objects. */
const isKind = (one: Kind | PartWrites): one is Kind => !('kind' in Object(one));

function declared(
  name: string,
  reads: NonNullable<PartOptions['reads']>,
  writes: NonNullable<PartOptions['writes']>,
): Pick<Part, 'reads' | 'writes'> {
  for (const [option, list] of Object.entries({ reads, writes })) {
    if (!Array.isArray(list)) throw invalid(`${option} of the part ${name} is not a list: ${inShort(list)}`);
  }
  const checks = new Checks();
  const found = {
    reads: reads.map((kind) => checks.kind('reads', kind)),
    writes: writes.map((one) => {
      const { kind, ...options } = isKind(one) ? { kind: one } : one;
      return checks.written(kind, options);
    }),
  };
  const [problem] = checks.problems;
  if (problem !== undefined) throw invalid(`the part ${name}: ${problem}`);
  return found;
}

export function checkParts(parts: readonly Part[]): readonly Part[] {
  const names = parts.map((one) => one?.name);
  const wrong = parts.findIndex((one) => typeof one?.run !== 'function');
  if (wrong >= 0) throw invalid(`parts[${wrong}] is not a part: make it with part(name, run)`);
  const twice = names.find((name, i) => names.indexOf(name) !== i);
  if (twice !== undefined) throw invalid(`two parts are named ${twice}`);
  return parts;
}
