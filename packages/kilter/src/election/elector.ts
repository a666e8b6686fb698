import { compareResourceVersions } from '../api/index.ts';
import { deepEqual } from '../internal/index.ts';
import type { Lease } from '../k8s/coordination/v1.ts';
import {
  anew,
  durationOf,
  editedInTerm,
  firstLease,
  givenBack,
  holderOf,
  renewed,
  takenOver,
  termOf,
  editedAway,
} from './lease-record.ts';
import type { ElectionRules } from './options.ts';

/** A moment on both clocks, in milliseconds. */
export interface Instant {
  /** Never goes back, but may stand still while the machine is suspended. */
  readonly mono: number;
  /** May jump. */
  readonly wall: number;
}

/** A request under way; there is never more than one. */
type Busy = 'reading' | 'writing' | undefined;

/** A record and its age, on the monotonic clock. */
interface Seen {
  readonly lease: Lease;
  /** The greatest `leaseTransitions` there has been: an edit of the record does not take it back. */
  readonly counted: number;
  /** When it was first seen like that. */
  readonly since: number;
  /** When it was first found to be deleted. Undefined while it is there. */
  readonly gone?: number | undefined;
}

/** Wants the Lease: waits for its holder to give it back or fall silent. */
export interface Candidate {
  readonly phase: 'candidate';
  /** The record as it is known. */
  readonly seen: Seen | undefined;
  readonly busy: Busy;
  /** A request failed: what is known may be outdated and must be read before anything is written. */
  readonly mustRead: boolean;
  /** When the record is read again unless a watch tells of it before, on the monotonic clock. */
  readonly readAt: number;
  /** A watch has delivered something and has not ended since. */
  readonly watching: boolean;
  /** The term of a write of ours that may have won the Lease without our knowing. */
  readonly attempted: string | undefined;
  /** Somebody else was seen to renew the Lease under our identity. */
  readonly doubled: boolean;
}

/** Holds the Lease and renews it. */
export interface Leader {
  readonly phase: 'leading';
  /** As the last successful request left it. */
  readonly lease: Lease;
  /** When the last successful renewal was sent: what the gate is measured by. */
  readonly sent: Instant;
  readonly busy: Busy;
  readonly mustRead: boolean;
  /** When to renew, on the monotonic clock. */
  readonly renewAt: number;
}

/** Gives the Lease back; guarded work has ended. */
export interface Releasing {
  readonly phase: 'releasing';
  /** `draining`: a request from before is under way and its outcome no longer matters. */
  readonly step: 'draining' | 'reading' | 'writing' | 'resting';
  readonly readAt: number;
  /** When it is left to run out instead, on the monotonic clock. */
  readonly until: number;
  /** As `until`, unless the server answers something before. */
  readonly silentAt: number;
  /** The term to give back: a record of another one is not ours, whatever name it bears. */
  readonly term: string | undefined;
}

/** Led, and may no longer act. Nothing leads out of this. */
export interface Lost {
  readonly phase: 'lost';
  readonly reason: string;
}

/** Not a candidate any more. */
export interface Ended {
  readonly phase: 'ended';
  /** The term that may still be ours. */
  readonly term: string | undefined;
  /** Something that had to be given back could not be. */
  readonly unreleased: boolean;
}

export type State = Candidate | Leader | Releasing | Lost | Ended;

export type Input =
  /** A time of `wakeTime` has come. */
  | { readonly type: 'wake' }
  /** The Lease was read; undefined if there is none. */
  | { readonly type: 'read'; readonly lease: Lease | undefined }
  /** The Lease was written by a request sent then. */
  | { readonly type: 'written'; readonly lease: Lease; readonly sent: Instant }
  /** The request failed; with a conflict it is sure that nothing was written. `answered`: by the server, not by silence. */
  | { readonly type: 'failed'; readonly conflict: boolean; readonly answered: boolean }
  /** The watch tells of the Lease; undefined if it was deleted. */
  | { readonly type: 'seen'; readonly lease: Lease | undefined }
  /** The watch ended. */
  | { readonly type: 'unwatched' }
  /** The campaign is called off. */
  | { readonly type: 'withdraw' }
  /** To be given back within this time, in milliseconds. */
  | { readonly type: 'release'; readonly within: number };

export type Request =
  | { readonly type: 'read' }
  | { readonly type: 'create'; readonly lease: Lease }
  | { readonly type: 'update'; readonly lease: Lease };

/** What a step depends on beside state and input. */
export interface Moment {
  readonly rules: ElectionRules;
  readonly at: Instant;
  /** In [0, 1). */
  readonly chance: number;
}

export interface Step<S extends State = State> {
  readonly state: S;
  readonly request?: Request;
}

// Covers clocks that run at different rates.
const patience = 1.05;
// A release is a courtesy to the next leader: a server that says nothing for so long is not waited for.
const releasePatience = 2500;
const releaseRetry = 500;

export const initialState: Candidate = {
  phase: 'candidate',
  seen: undefined,
  busy: undefined,
  mustRead: true,
  readAt: -Infinity,
  watching: false,
  attempted: undefined,
  doubled: false,
};

/** One input at a time; the driver sends the request and feeds its outcome back. */
export function step(moment: Moment, state: State, input: Input): Step {
  switch (state.phase) {
    case 'candidate':
      return candidateStep(moment, state, input);
    case 'leading':
      return leaderStep(moment, state, input);
    case 'releasing':
      return releasingStep(moment, state, input);
    case 'ended':
      return input.type === 'release' && state.term !== undefined
        ? beginRelease(moment, { busy: undefined, term: state.term, within: input.within })
        : { state };
    case 'lost':
      return { state };
  }
}

/** When the next `wake` is due, on the monotonic clock. */
export function wakeTime(rules: ElectionRules, state: State): number | undefined {
  switch (state.phase) {
    case 'candidate':
      if (state.busy !== undefined) return undefined;
      return state.mustRead ? state.readAt : Math.min(state.readAt, silentUntil(rules, state));
    case 'leading':
      return Math.min(state.busy === undefined ? state.renewAt : Infinity, state.sent.mono + rules.renewDeadline);
    case 'releasing':
      return Math.min(state.step === 'resting' ? state.readAt : Infinity, state.until, state.silentAt);
    default:
      return undefined;
  }
}

/** Why guarded writes may not be sent at this moment. */
export function closedReason(rules: ElectionRules, state: State, at: Instant): string | undefined {
  const lease = `the Lease ${rules.lease.namespace}/${rules.lease.name}`;
  if (state.phase === 'lost') return `lost ${lease}: ${state.reason}`;
  if (state.phase !== 'leading') return `does not hold ${lease}`;
  if (isFresh(rules, state.sent, at)) return undefined;
  return `the last renewal of ${lease} was sent ${elapsed(state.sent, at) / 1000} s ago`;
}

/** Leadership is lost, though no timer may have said so yet. */
export function isOverdue({ renewDeadline }: ElectionRules, { sent }: Leader, at: Instant): boolean {
  return at.mono >= sent.mono + renewDeadline;
}

function elapsed(sent: Instant, at: Instant): number {
  return Math.max(at.mono - sent.mono, at.wall - sent.wall);
}

/** Both clocks are asked: one may have stood still, the other may have jumped. */
function isFresh({ renewDeadline }: ElectionRules, sent: Instant, at: Instant): boolean {
  return elapsed(sent, at) < renewDeadline;
}

/**
 * When the holder has been silent for long enough: never, as far as we know nothing of one. Of a record that was
 * deleted our own duration
 * is waited for at most: who leads makes it again, and who deletes one that nobody renews wants it to be free.
 */
function silentUntil(rules: ElectionRules, { seen }: Candidate): number {
  if (seen === undefined) return Infinity;
  const { lease, since, gone = Infinity } = seen;
  return Math.min(since + patience * durationOf(lease, rules), gone + patience * rules.leaseDuration);
}

/** Polls are rarer with a watch: renewals arrive every retry period, so a longer silence is worth a look. */
function nextPoll({ rules, at, chance }: Moment, watching: boolean): number {
  return at.mono + rules.retryPeriod * ((watching ? 2.2 : 1) + 1.2 * chance);
}

function candidateStep(moment: Moment, state: Candidate, input: Input): Step {
  switch (input.type) {
    case 'wake':
      return candidateActs(moment, state);
    case 'read':
      return candidateRead(moment, state, input.lease);
    case 'seen':
      return candidateSaw(moment, { ...state, watching: true }, input.lease);
    case 'unwatched':
      return { state: { ...state, watching: false, readAt: Math.min(state.readAt, nextPoll(moment, false)) } };
    case 'written':
      return candidateWrote(moment, state, input);
    case 'failed':
      return candidateFailed(moment, state, input.conflict);
    case 'withdraw':
      return { state: { phase: 'ended', term: state.attempted, unreleased: false } };
    case 'release':
      return state.attempted === undefined
        ? { state: { phase: 'ended', term: undefined, unreleased: false } }
        : beginRelease(moment, { busy: state.busy, term: state.attempted, within: input.within });
  }
}

function candidateActs(moment: Moment, state: Candidate): Step {
  if (state.busy !== undefined) return { state };
  const free = isFree(moment, state);
  const gone = state.seen?.gone !== undefined;
  if (free && !gone && !state.mustRead) return takeOver(moment, state);
  // What is not there cannot be updated: it is looked for once more and created.
  if (moment.at.mono < state.readAt && !(free && gone && !state.mustRead)) return { state };
  return { state: { ...state, busy: 'reading' }, request: { type: 'read' } };
}

function isFree({ rules, at }: Moment, state: Candidate): boolean {
  if (state.seen === undefined) return false;
  const { lease } = state.seen;
  return holderOf(lease) === undefined || isOurs(rules, state, lease) || at.mono >= silentUntil(rules, state);
}

/**
 * Our own write whose answer was lost. A record that merely bears our name is not: a process before this one, or a second
 * one with the same identity, holds it.
 */
function isOurs({ identity }: ElectionRules, { attempted }: Candidate, lease: Lease): boolean {
  return holderOf(lease) === identity && attempted !== undefined && termOf(lease) === attempted;
}

function takeOver({ rules, at }: Moment, state: Candidate): Step {
  if (state.seen === undefined) return { state };
  const { lease } = state.seen;
  const next = isOurs(rules, state, lease) ? renewed(lease, rules, at.wall) : takenOver(state.seen, rules, at.wall);
  return { state: { ...state, busy: 'writing', attempted: termOf(next) }, request: { type: 'update', lease: next } };
}

/** Only the record counts: a change of labels is not a sign of life. */
function noted({ rules, at }: Moment, state: Candidate, lease: Lease): Candidate {
  const { seen } = state;
  if (seen !== undefined && deepEqual(seen.lease.spec, lease.spec)) {
    return { ...state, seen: { lease, counted: seen.counted, since: seen.since } };
  }
  // Of one term, and not ours: only somebody alive renews it.
  const renewedByOther =
    seen !== undefined &&
    holderOf(lease) === rules.identity &&
    termOf(lease) === termOf(seen.lease) &&
    !isOurs(rules, state, lease);
  const counted = Math.max(seen?.counted ?? 0, lease.spec?.leaseTransitions ?? 0);
  return { ...state, seen: { lease, counted, since: at.mono }, doubled: state.doubled || renewedByOther };
}

function candidateRead(moment: Moment, state: Candidate, lease: Lease | undefined): Step {
  const rested = { ...state, busy: undefined, mustRead: false, readAt: nextPoll(moment, state.watching) };
  return lease === undefined ? candidateMissed(moment, rested) : candidateActs(moment, noted(moment, rested, lease));
}

/** There is no Lease. One that was held when it was deleted has a holder who still leads, and learns of it with its next renewal. */
function candidateMissed(moment: Moment, rested: Candidate): Step {
  const { rules, at } = moment;
  const state = { ...rested, seen: missing(moment, rested) };
  if (state.seen !== undefined && !isFree(moment, state)) return { state };
  const lease = state.seen === undefined ? firstLease(rules, at.wall) : anew(takenOver(state.seen, rules, at.wall));
  return { state: { ...state, busy: 'writing', attempted: termOf(lease) }, request: { type: 'create', lease } };
}

function missing({ at }: Moment, { seen }: Candidate): Seen | undefined {
  return seen && { ...seen, gone: seen.gone ?? at.mono };
}

function candidateSaw(moment: Moment, state: Candidate, lease: Lease | undefined): Step {
  // While a request is under way or its failure is not cleared up, what is seen is only noted.
  const free = state.busy === undefined && !state.mustRead;
  if (lease === undefined) {
    const gone = { ...state, seen: missing(moment, state) };
    return free ? candidateActs(moment, { ...gone, readAt: moment.at.mono }) : { state: gone };
  }
  if (isOlder(lease, state.seen?.lease)) return { state };
  const known = noted(moment, state, lease);
  return free ? candidateActs(moment, { ...known, readAt: nextPoll(moment, true) }) : { state: known };
}

/** A watch may lag behind a read. */
function isOlder({ metadata }: Lease, known: Lease | undefined): boolean {
  const [ours, theirs] = [known?.metadata.resourceVersion, metadata.resourceVersion];
  return ours !== undefined && theirs !== undefined && compareResourceVersions(theirs, ours) === -1;
}

function candidateWrote(moment: Moment, state: Candidate, { lease, sent }: { lease: Lease; sent: Instant }): Step {
  const { rules, at } = moment;
  if (isFresh(rules, sent, at)) {
    const renewAt = sent.mono + rules.retryPeriod;
    return { state: { phase: 'leading', lease, sent, busy: undefined, mustRead: false, renewAt } };
  }
  // The answer came so late that somebody else may have taken over since: look before believing it.
  return candidateActs(moment, {
    ...state,
    busy: undefined,
    mustRead: true,
    readAt: at.mono,
    attempted: termOf(lease),
  });
}

function candidateFailed(moment: Moment, state: Candidate, conflict: boolean): Step {
  const readAt = conflict ? moment.at.mono + moment.rules.retryPeriod : nextPoll(moment, false);
  const attempted = state.busy === 'writing' && conflict ? undefined : state.attempted;
  return { state: { ...state, busy: undefined, mustRead: true, readAt, attempted } };
}

function leaderStep(moment: Moment, state: Leader, input: Input): Step {
  const { rules, at } = moment;
  if (input.type === 'written') {
    const { lease, sent } = input;
    const renewAt = Math.max(sent.mono + rules.retryPeriod, at.mono);
    return unlessTooLate(moment, { ...state, lease, sent, busy: undefined, mustRead: false, renewAt }, (next) => ({
      state: next,
    }));
  }
  return unlessTooLate(moment, state, () => {
    switch (input.type) {
      case 'wake':
        return leaderActs(moment, state);
      case 'read':
        return leaderRead(moment, state, input.lease);
      case 'failed':
        return { state: { ...state, busy: undefined, mustRead: true, renewAt: at.mono + rules.retryPeriod } };
      case 'release':
        return beginRelease(moment, { busy: state.busy, term: termOf(state.lease), within: input.within });
      case 'withdraw':
        return { state: { phase: 'ended', term: termOf(state.lease), unreleased: false } };
      case 'seen':
      case 'unwatched':
        return { state };
    }
  });
}

/** Asked before anything else: after a stall the timer that says so may come last. */
function unlessTooLate(moment: Moment, state: Leader, act: (state: Leader) => Step): Step {
  const { renewDeadline } = moment.rules;
  if (!isOverdue(moment.rules, state, moment.at)) return act(state);
  return { state: { phase: 'lost', reason: `no renewal succeeded for ${renewDeadline / 1000} s` } };
}

function leaderActs(moment: Moment, state: Leader): Step {
  if (state.busy !== undefined || moment.at.mono < state.renewAt) return { state };
  if (state.mustRead) return { state: { ...state, busy: 'reading' }, request: { type: 'read' } };
  return leaderRenews(moment, state);
}

function leaderRenews({ rules, at }: Moment, state: Leader): Step {
  const lease = renewed(state.lease, rules, at.wall);
  return { state: { ...state, busy: 'writing' }, request: { type: 'update', lease } };
}

/** Somebody deleted the Lease: its term continues, unless another one was quicker. */
function leaderRestores({ rules, at }: Moment, state: Leader): Step {
  const lease = anew(renewed(state.lease, rules, at.wall));
  return { state: { ...state, busy: 'writing', mustRead: false }, request: { type: 'create', lease } };
}

function leaderRead(moment: Moment, state: Leader, lease: Lease | undefined): Step {
  if (lease === undefined) return leaderRestores(moment, state);
  const holder = holderOf(lease);
  if (holder !== moment.rules.identity) {
    const reason = holder === undefined ? editedAway(lease) : `${holder} holds it`;
    return { state: { phase: 'lost', reason } };
  }
  if (termOf(lease) !== termOf(state.lease)) {
    const edited = editedInTerm(lease, state.lease);
    const reason = edited ?? `a second manager with the same identity, ${holder}, holds it`;
    return { state: { phase: 'lost', reason } };
  }
  return leaderRenews(moment, { ...state, lease, mustRead: false });
}

function beginRelease(
  { rules, at }: Moment,
  { busy, term, within }: { busy: Busy; term: string; within: number },
): Step {
  const until = at.mono + Math.min(within, rules.renewDeadline);
  const silentAt = at.mono + releasePatience;
  const base = { phase: 'releasing', readAt: at.mono, until, silentAt, term } as const;
  if (busy !== undefined) return { state: { ...base, step: 'draining' } };
  return { state: { ...base, step: 'reading' }, request: { type: 'read' } };
}

function releasingStep(moment: Moment, given: Releasing, input: Input): Step {
  const { rules, at } = moment;
  if (at.mono >= Math.min(given.until, given.silentAt)) {
    return { state: { phase: 'ended', term: undefined, unreleased: true } };
  }
  const answered = input.type === 'read' || input.type === 'written' || (input.type === 'failed' && input.answered);
  const state = answered ? { ...given, silentAt: at.mono + releasePatience } : given;
  const readNow: Step = { state: { ...state, step: 'reading' }, request: { type: 'read' } };
  switch (input.type) {
    case 'wake':
      return state.step === 'resting' && at.mono >= state.readAt ? readNow : { state };
    case 'read':
      if (input.lease === undefined || holderOf(input.lease) !== rules.identity) return released;
      if (termOf(input.lease) !== state.term) return released;
      return {
        state: { ...state, step: 'writing' },
        request: { type: 'update', lease: givenBack(input.lease, rules, at.wall) },
      };
    case 'written':
      return state.step === 'draining' ? readNow : released;
    case 'failed': {
      if (state.step === 'draining' || input.conflict) return readNow;
      const pause = input.answered ? rules.retryPeriod : Math.min(rules.retryPeriod, releaseRetry);
      return { state: { ...state, step: 'resting', readAt: at.mono + pause } };
    }
    case 'seen':
    case 'unwatched':
    case 'withdraw':
    case 'release':
      return { state };
  }
}

const released: Step = { state: { phase: 'ended', term: undefined, unreleased: false } };
