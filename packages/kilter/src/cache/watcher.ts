import { compareResourceVersions } from '../api/index.ts';
import { KilterError } from '../errors/index.ts';
import { askedDelay, isSilence, verdictOf } from './watch-verdict.ts';
import type {
  Effect,
  In,
  Input,
  Memory,
  Report,
  RestartReason,
  ResyncReason,
  Step,
  Wakeable,
  WatcherState,
} from './watcher-state.ts';
import { longWatch, nextBackoff, parkedProbe, shortWatch } from './watcher-timing.ts';

const report = (told: Report): Effect => ({ do: 'report', report: told });
const discard: Effect = { do: 'discard' };
const apply: Effect = { do: 'apply' };
const applyAlone: readonly Effect[] = [apply];
const nothing: readonly Effect[] = [];
const stay = (state: WatcherState): Step => ({ state, effects: [] });

/** A version that cannot be ordered counts as newer: it arrived later. */
function later(a: string | undefined, b: string): string {
  return a !== undefined && compareResourceVersions(a, b) === 1 ? a : b;
}

/** The watcher's protocol: what one input means in one state. `at` is monotonic time. */
export function step(state: WatcherState, input: Input, at: number): Step {
  const { phase, memory } = state;
  if (input.type === 'stop') return { state: { memory, phase: { name: 'stopped' } }, effects: [discard] };
  switch (phase.name) {
    case 'idle':
      return input.type === 'start' ? resync(memory, 'initial', at) : stay(state);
    case 'streaming':
      return stepStreaming({ phase, memory }, input, at);
    case 'listing':
      return stepListing({ phase, memory }, input, at);
    case 'watching':
      return stepWatching({ phase, memory }, input, at);
    case 'waiting':
      if (input.type !== 'elapsed') return stay(state);
      return phase.after === 'watch' ? openWatch(memory, at) : resync(memory, phase.reason, at);
    case 'stopped':
      return stay(state);
  }
}

function openWatch(memory: Memory, at: number): Step {
  return {
    state: { phase: { name: 'watching', openedAt: at, progressed: false }, memory },
    effects: [],
    next: { do: 'watch', resourceVersion: memory.newest },
  };
}

function resync(memory: Memory, reason: ResyncReason, at: number): Step {
  const effects = [report({ what: 'resync', reason })];
  if (memory.watchListRefused) return list(memory, effects);
  return {
    state: { phase: { name: 'streaming', openedAt: at }, memory },
    effects,
    next: { do: 'watch', resourceVersion: undefined },
  };
}

function list(memory: Memory, effects: readonly Effect[], restarted = false): Step {
  return {
    state: { phase: { name: 'listing', continued: false, restarted }, memory },
    effects,
    next: { do: 'list', continue: undefined },
  };
}

interface Setback {
  readonly error: unknown;
  /** What follows the wait. */
  readonly after: { readonly watch: RestartReason } | { readonly resync: ResyncReason };
}

function backOff(memory: Memory, { error, after }: Setback, at: number): Step {
  const { ms, memory: counted } = nextBackoff(memory, at);
  const failure = [discard, report({ what: 'failure', error })];
  const watch = 'watch' in after;
  const silence = isSilence(error);
  const wakeable: Wakeable = askedDelay(error) > 0 ? 'never' : silence ? 'always' : 'rarely';
  return {
    state: {
      phase: watch
        ? { name: 'waiting', after: 'watch', wakeable }
        : { name: 'waiting', after: 'resync', reason: after.resync, wakeable },
      memory: { ...memory, ...counted, trouble: silence ? 'silence' : 'answer' },
    },
    effects: watch ? [...failure, report({ what: 'restart', reason: after.watch })] : failure,
    next: { do: 'wait', ms, jitter: true, atLeast: askedDelay(error) },
  };
}

/** The kind is gone from the server: nothing is wrong with what is held, so it stays until the kind is back. */
function park(memory: Memory, error: unknown): Step {
  const told = memory.parked ? [] : [report({ what: 'failure', error }), report({ what: 'parked' })];
  return {
    state: {
      phase: { name: 'waiting', after: 'resync', reason: 'parked', wakeable: 'never' },
      memory: { ...memory, parked: true, trouble: 'answer' },
    },
    effects: [discard, ...told],
    next: { do: 'wait', ms: parkedProbe, jitter: false, atLeast: 0 },
  };
}

/** The whole state has arrived. One older than what is known is doubted once, then taken as the truth. */
function complete(memory: Memory, resourceVersion: string, at: number): Step {
  const { newest } = memory;
  if (resourceVersion === '') {
    const error = new KilterError('CACHE_WATCH_UNEXPECTED', 'the server sent a complete state without its version');
    return backOff(memory, { error, after: { resync: 'failed' } }, at);
  }
  const behind = newest !== undefined && compareResourceVersions(resourceVersion, newest) === -1;
  if (behind && !memory.doubted) {
    const message = `the server's state has version ${resourceVersion}, older than ${newest}, which it sent before`;
    const error = new KilterError('CACHE_WATCH_UNEXPECTED', message);
    return backOff({ ...memory, doubted: true }, { error, after: { resync: 'behind' } }, at);
  }
  const known = {
    ...memory,
    newest: resourceVersion,
    synced: true,
    unmarked: 0,
    doubted: false,
    parked: false,
    trouble: undefined,
  };
  const rewound = behind ? [report({ what: 'rewound', from: newest, to: resourceVersion })] : [];
  return {
    state: { phase: { name: 'watching', openedAt: at, progressed: true }, memory: known },
    effects: [...rewound, { do: 'replace', resourceVersion, rewound: behind }, ...recovery(memory)],
  };
}

/** Told once, when what was said to fail works. */
function recovery({ trouble }: Memory): Effect[] {
  return trouble === undefined ? [] : [report({ what: 'recovered' })];
}

function stepStreaming(state: In<'streaming'>, input: Input, at: number): Step {
  const { memory } = state;
  switch (input.type) {
    case 'object':
      return { state, effects: [{ do: 'gather' }] };
    case 'bookmark':
      // The same connection goes on as the watch: there is no next operation.
      return input.initialEventsEnd ? complete({ ...memory, quiet: 0 }, input.resourceVersion, at) : stay(state);
    case 'quiet':
      return fellQuiet(memory);
    case 'ended':
      return unmarked(memory, at);
    case 'stalled':
      return list(memory, [discard, report({ what: 'fallback' })]);
    case 'failed':
      return streamFailed(memory, input.error, at);
    default:
      return stay(state);
  }
}

/** A slow server may be silent once; one that is silent again ignores what it was asked for, and is listed from then on. */
function fellQuiet(memory: Memory): Step {
  const quiet = memory.quiet + 1;
  const counted = { ...memory, quiet, watchListRefused: memory.watchListRefused || quiet > 1 };
  return list(counted, [discard, report({ what: 'fallback' })]);
}

/** One early end may be a server that restarts; a second one is a server that does not know end markers. */
function unmarked(memory: Memory, at: number): Step {
  const counted = { ...memory, unmarked: memory.unmarked + 1 };
  if (counted.unmarked > 1) return list(counted, [discard, report({ what: 'fallback' })]);
  const error = new KilterError('CACHE_WATCH_UNEXPECTED', 'the initial stream ended before its end marker');
  return backOff(counted, { error, after: { resync: 'failed' } }, at);
}

function streamFailed(memory: Memory, error: unknown, at: number): Step {
  const verdict = verdictOf(error);
  if (verdict === 'refused') {
    return list({ ...memory, watchListRefused: true }, [discard, report({ what: 'fallback' })]);
  }
  if (verdict === 'missing' && memory.synced) return park(memory, error);
  return backOff(memory, { error, after: { resync: 'failed' } }, at);
}

function stepListing(state: In<'listing'>, input: Input, at: number): Step {
  const { memory, phase } = state;
  if (input.type === 'page') {
    if (input.continue !== undefined) {
      return {
        state: { memory, phase: { ...phase, continued: true } },
        effects: [{ do: 'gather' }],
        next: { do: 'list', continue: input.continue },
      };
    }
    return listed(complete(memory, input.resourceVersion, at), at);
  }
  if (input.type !== 'failed') return stay(state);
  const verdict = verdictOf(input.error);
  // The fresh token of such an answer continues at a newer version: earlier pages would miss what changed since.
  if (verdict === 'expired' && phase.continued && !phase.restarted) return list(memory, [discard], true);
  if (verdict === 'missing' && memory.synced) return park(memory, input.error);
  return backOff(memory, { error: input.error, after: { resync: 'failed' } }, at);
}

/** After the last page a watch goes on from the list's version, unless the list is doubted. */
function listed(completed: Step, at: number): Step {
  const effects: readonly Effect[] = [{ do: 'gather' }, ...completed.effects];
  if (completed.next !== undefined) return { ...completed, effects };
  return { ...openWatch(completed.state.memory, at), effects };
}

function stepWatching(state: In<'watching'>, input: Input, at: number): Step {
  switch (input.type) {
    case 'object': {
      const { resourceVersion } = input;
      if (resourceVersion === undefined) return { state, effects: applyAlone };
      return advance(state, resourceVersion, applyAlone);
    }
    case 'bookmark':
      return input.resourceVersion === '' ? stay(state) : advance(state, input.resourceVersion, nothing);
    case 'opened':
      return opened(state);
    case 'ended':
      return watchEnded(state, at);
    case 'stalled':
      return restart(state.memory, 'stalled', at);
    case 'failed':
      return watchFailed(state, input.error, at);
    case 'differs':
      return resync(state.memory, 'differs', at);
    default:
      return stay(state);
  }
}

/** Where nobody answered, an answer is the end of it; after a bad answer only what arrives is. */
function opened(state: In<'watching'>): Step {
  const { phase, memory } = state;
  if (memory.trouble !== 'silence') return stay(state);
  return { state: { phase, memory: { ...memory, trouble: undefined } }, effects: recovery(memory) };
}

function advance({ phase, memory }: In<'watching'>, resourceVersion: string, effects: readonly Effect[]): Step {
  const newest = later(memory.newest, resourceVersion);
  // A repeated bookmark is not progress: a stream that brings nothing else and closes at once must not be a hot loop.
  if (newest === memory.newest) return { state: { phase, memory }, effects };
  const progress: Effect = { do: 'progress', resourceVersion: newest };
  return {
    state: {
      phase: phase.progressed ? phase : { ...phase, progressed: true },
      memory: { ...memory, newest, expired: false, trouble: undefined },
    },
    // Without spreading where nothing was wrong: this is the way of every event.
    effects:
      memory.trouble === undefined && effects === applyAlone
        ? [apply, progress]
        : [...effects, progress, ...recovery(memory)],
  };
}

function restart(memory: Memory, reason: RestartReason, at: number): Step {
  const opened = openWatch(memory, at);
  return { ...opened, effects: [report({ what: 'restart', reason })] };
}

function watchEnded({ phase, memory }: In<'watching'>, at: number): Step {
  if (!phase.progressed && at - phase.openedAt < shortWatch) {
    const error = new KilterError('CACHE_WATCH_UNEXPECTED', 'the server closed a watch at once, without an event');
    return backOff(memory, { error, after: { resync: 'short' } }, at);
  }
  return restart(memory, 'closed', at);
}

function watchFailed({ phase, memory }: In<'watching'>, error: unknown, at: number): Step {
  switch (verdictOf(error)) {
    case 'expired':
      return expired(memory, error, at);
    case 'missing':
      return park(memory, error);
    case 'refused':
    case 'internal':
      return backOff(memory, { error, after: { resync: 'internal' } }, at);
    case 'malformed':
      return malformed(memory, error, at);
    case 'lost': {
      const healthy = phase.progressed || at - phase.openedAt >= longWatch;
      return healthy ? restart(memory, 'lost', at) : backOff(memory, { error, after: { watch: 'failed' } }, at);
    }
    case 'retry':
      return backOff(memory, { error, after: { watch: 'failed' } }, at);
  }
}

/** At once, because nothing is wrong with the server; backed off where the new state expires as well. */
function expired(memory: Memory, error: unknown, at: number): Step {
  if (memory.expired) return backOff(memory, { error, after: { resync: 'expired' } }, at);
  const begun = resync({ ...memory, expired: true }, 'expired', at);
  return { ...begun, effects: [report({ what: 'failure', error }), ...begun.effects] };
}

/** Once more from the last good version; broken again at the same place, the line itself is bad. */
function malformed(memory: Memory, error: unknown, at: number): Step {
  const again = memory.newest !== undefined && memory.brokenAt === memory.newest;
  const after = again ? ({ resync: 'malformed' } as const) : ({ watch: 'malformed' } as const);
  return backOff({ ...memory, brokenAt: again ? undefined : memory.newest }, { error, after }, at);
}
