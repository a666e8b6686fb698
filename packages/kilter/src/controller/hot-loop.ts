import { keyOfRef, type MergedCause } from '../api/index.ts';
import type { Work } from '../queue/index.ts';

/** A write of a run, as far as telling loops from work needs it. */
export interface ObservedWrite {
  /** What was written: `ConfigMap default/a`, `WebApp.example.com default/shop/status`. */
  readonly target: string;
  /** Kind and key: the object without its version. */
  readonly object: string;
  /** How the event of this write will look as a cause. */
  readonly echo: string;
  /** Stands for what was asked for; undefined where that is not known. */
  readonly desire: string | undefined;
  /** The version the server answered with. */
  readonly version: string | undefined;
  /** Fields of a status that were sent, as paths. */
  readonly sent?: string | undefined;
}

export interface RunSummary {
  /** Asked for where the run wrote something: putting them together takes time. */
  readonly started: Pick<Work, 'causes' | 'moreCauses'>;
  readonly writes: readonly ObservedWrite[];
  /** On the monotonic clock. */
  readonly now: number;
}

/** The last write to one object. */
interface Repeated {
  readonly desire: string | undefined;
  readonly version: string | undefined;
  readonly at: number;
  /** How often the same was written again although it had been. */
  readonly times: number;
}

/** What is remembered of a key between its runs. */
export interface LoopState {
  /** Echoes of the last two runs: an event may come while the next run already waits for it. */
  readonly echoes: readonly [ReadonlySet<string>, ReadonlySet<string>];
  /** Points for runs in a row that only own writes, or answers of others to them, started; each run wrote again. */
  readonly selfWoken: number;
  readonly repeated: ReadonlyMap<string, Repeated>;
  /** Runs in a row that nothing foreign started, each sending the same status fields with other values. */
  readonly restless: { readonly sent: string; readonly desire: string | undefined; readonly runs: number } | undefined;
}

export type LoopKind =
  /** Its own writes wake it. */
  | 'self-waking'
  /** Another writer takes back what it writes. */
  | 'contested'
  /** Its status is another one after every run, though nothing else changed. */
  | 'restless-status';

export interface Suspicion {
  readonly kind: LoopKind;
  /** The objects that were written again and again. */
  readonly targets: readonly string[];
  /** So often that it is reported even if no look shows which fields it is about. */
  readonly certain?: boolean | undefined;
}

// Ten: enough for a state machine that advances by its own writes to come to an end, reached within a second by one that does not.
export const enough = 10;
// A run that somebody else's write to the same objects started may be a reaction to ours: it takes thirty of those to be sure.
const points = { own: 3, answer: 1 };
const enoughPoints = enough * points.own;
// Two writers that meet less often than this do not load anybody: HPAs and other operators come round every few seconds.
const contestGap = 120_000;
// A run with more writes than this is judged by the first ones.
const mostWrites = 64;

const noEchoes: ReadonlySet<string> = new Set();

export const nothingKnown: LoopState = {
  echoes: [noEchoes, noEchoes],
  selfWoken: 0,
  repeated: new Map(),
  restless: undefined,
};

/** The event of a write, as a cause would name it. A deletion is known by its object alone. */
export function echoOf(label: string, key: string, version: string | undefined): string {
  return version === undefined ? `${label}/${key} deleted` : `${label}/${key}@${version}`;
}

type Origin = 'own' | 'answer' | 'neutral' | 'clockwork' | 'foreign';

/** Who started a run. A retry has its own backoff and says nothing; what a clock started is nobody's change. */
function originOf(cause: MergedCause, { echoes }: LoopState): Origin {
  const { change, kind, ref, resourceVersion } = cause;
  if (change === 'retry') return 'neutral';
  if (change === 'timer' || change === 'resync') return 'clockwork';
  if (kind === undefined || ref === undefined) return 'foreign';
  const echo = echoOf(kind, keyOfRef(ref), change === 'delete' ? undefined : resourceVersion);
  if (echoes.some((known) => known.has(echo))) return 'own';
  return echoes.some((known) => known.has(`${kind}/${keyOfRef(ref)}`)) ? 'answer' : 'foreign';
}

function originsOf({ causes, moreCauses }: RunSummary['started'], state: LoopState): Set<Origin> {
  const origins = new Set(causes.map((cause) => originOf(cause, state)));
  if (moreCauses > 0) origins.add('foreign');
  return origins;
}

function selfWokenAfter(origins: ReadonlySet<Origin>, before: number): number {
  if (origins.has('foreign') || origins.has('clockwork')) return 0;
  if (origins.has('answer')) return before + points.answer;
  return origins.has('own') ? before + points.own : before;
}

function repeatedAfter(state: LoopState, { writes, now }: RunSummary): LoopState['repeated'] {
  const repeated = new Map(state.repeated);
  for (const { target, desire, version } of writes.slice(0, mostWrites)) {
    const last = repeated.get(target);
    const again = last !== undefined && last.desire === desire && now - last.at <= contestGap;
    // The same answer again: the server has seen that nothing was to do.
    const idle = last !== undefined && last.version === version;
    const times = again ? last.times + (idle ? 0 : 1) : 0;
    repeated.delete(target);
    repeated.set(target, { desire, version, at: now, times });
  }
  for (const target of repeated.keys()) {
    if (repeated.size <= mostWrites) break;
    repeated.delete(target);
  }
  return repeated;
}

function restlessAfter(
  state: LoopState,
  origins: ReadonlySet<Origin>,
  writes: RunSummary['writes'],
): LoopState['restless'] {
  const { sent, desire } = writes.findLast((write) => write.sent !== undefined) ?? {};
  if (sent === undefined || origins.has('foreign')) return undefined;
  const same = state.restless?.sent === sent && state.restless.desire !== desire;
  return { sent, desire, runs: same ? (state.restless?.runs ?? 0) + 1 : 1 };
}

/** What is known after a run. */
export function afterRun(state: LoopState, run: RunSummary): LoopState {
  const { writes } = run;
  // Whoever started a run that writes nothing: it goes round no loop. Nearly every write is followed by such a run.
  if (writes.length === 0) return { ...nothingKnown, echoes: [noEchoes, state.echoes[0]], repeated: state.repeated };
  const origins = originsOf(run.started, state);
  return {
    echoes: [new Set(writes.slice(0, mostWrites).flatMap(({ echo, object }) => [echo, object])), state.echoes[0]],
    selfWoken: selfWokenAfter(origins, state.selfWoken),
    repeated: repeatedAfter(state, run),
    restless: restlessAfter(state, origins, writes),
  };
}

/** Whether this is a loop, after a run with these writes. One that is fought over explains why it triggers itself. */
export function suspicionOf(state: LoopState, writes: RunSummary['writes']): Suspicion | undefined {
  const targets = [...new Set(writes.map(({ target }) => target))];
  const timesOf = (target: string): number => state.repeated.get(target)?.times ?? 0;
  const contested = targets.filter((target) => timesOf(target) >= enough);
  if (contested.length > 0) {
    return {
      kind: 'contested',
      targets: contested,
      certain: contested.some((target) => timesOf(target) >= 2 * enough),
    };
  }
  if (state.selfWoken >= enoughPoints) return { kind: 'self-waking', targets };
  const { restless } = state;
  if (restless === undefined || restless.runs < enough) return undefined;
  const status = writes.filter(({ sent }) => sent !== undefined).map(({ target }) => target);
  return { kind: 'restless-status', targets: [...new Set(status)] };
}

/** Whether a write to this object should be looked at closely: one more and it is a loop. */
export function isSuspect(state: LoopState, target: string): boolean {
  if (state.selfWoken >= enoughPoints - points.own || (state.restless?.runs ?? 0) >= enough - 1) return true;
  return (state.repeated.get(target)?.times ?? 0) >= enough - 1;
}

/** Nothing in it could lead to a loop soon: it need not be kept. */
export function isForgettable({ echoes, selfWoken, repeated, restless }: LoopState): boolean {
  return echoes.every(({ size }) => size === 0) && selfWoken === 0 && repeated.size === 0 && restless === undefined;
}
