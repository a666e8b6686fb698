import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KilterError } from '../errors/index.ts';
import { apiError } from './model-server.test-support.ts';
import { step } from './watcher.ts';
import {
  idle,
  type Input,
  type Memory,
  type Phase,
  type Report,
  type Step,
  type WatcherState,
} from './watcher-state.ts';

const at = 10_000;
const memory: Memory = { ...idle.memory, newest: '50', synced: true };
const inPhase = (phase: Phase, changed: Partial<Memory> = {}): WatcherState => ({
  phase,
  memory: { ...memory, ...changed },
});

const streaming: Phase = { name: 'streaming', openedAt: at - 5000 };
const listing: Phase = { name: 'listing', continued: false, restarted: false };
const watching: Phase = { name: 'watching', openedAt: at - 5000, progressed: false };
const fresh: Phase = { name: 'watching', openedAt: at - 500, progressed: false };

const failed = (error: unknown): Input => ({ type: 'failed', error });
const bookmark = (resourceVersion: string, initialEventsEnd = false): Input => ({
  type: 'bookmark',
  resourceVersion,
  initialEventsEnd,
});
const reports = ({ effects }: Step): Report[] =>
  effects.flatMap((effect) => (effect.do === 'report' ? [effect.report] : []));
const reasons = (taken: Step): string[] =>
  reports(taken).flatMap((report) => ('reason' in report ? [`${report.what}:${report.reason}`] : []));
const deeds = ({ effects }: Step): string[] => effects.map((effect) => effect.do).filter((deed) => deed !== 'report');
/** What follows, in short: `watch@50`, `watch-list`, `list`, `wait`. */
function next({ next: operation }: Step): string {
  if (operation === undefined) return 'go on';
  if (operation.do === 'watch')
    return operation.resourceVersion === undefined ? 'watch-list' : `watch@${operation.resourceVersion}`;
  return operation.do === 'list' && operation.continue !== undefined ? `list+${operation.continue}` : operation.do;
}
/** What is done once the wait is over. */
const afterWait = (taken: Step): string => next(step(taken.state, { type: 'elapsed' }, at + 60_000));

describe('the first sync', () => {
  test('RF-1: it is a watch for the present state without a version, complete only at the end marker', () => {
    const started = step(idle, { type: 'start' }, at);
    expect(next(started)).toBe('watch-list');
    const object = step(started.state, { type: 'object', resourceVersion: '9' }, at);
    expect(deeds(object)).toEqual(['gather']);
    const early = step(object.state, bookmark('9'), at);
    expect(deeds(early)).toEqual([]);
    const complete = step(early.state, bookmark('10', true), at);
    expect(complete.effects).toEqual([{ do: 'replace', resourceVersion: '10', rewound: false }]);
  });

  test('RF-2: the connection goes on as the watch after the end marker', () => {
    const complete = step(inPhase(streaming, { newest: undefined }), bookmark('10', true), at);
    expect(next(complete)).toBe('go on');
    const change = step(complete.state, { type: 'object', resourceVersion: '11' }, at);
    expect(deeds(change)).toEqual(['apply', 'progress']);
  });

  test.each([400, 405, 406, 415, 422, 501])(
    'RF-3: a server that answers %i is listed in the same attempt, streamed objects discarded',
    (code) => {
      const refused = step(inPhase(streaming, { newest: undefined }), failed(apiError(code, 'Invalid')), at);
      expect(next(refused)).toBe('list');
      expect(deeds(refused)).toEqual(['discard']);
      const again = step({ ...refused.state, phase: watching }, failed(apiError(410, 'Expired')), at);
      expect(next(again)).toBe('list');
    },
  );

  test('RF-3: a server whose initial stream never gets an end marker is listed in the same attempt', () => {
    expect(next(step(inPhase(streaming), { type: 'stalled' }, at))).toBe('list');
    const first = step(inPhase(streaming), { type: 'ended' }, at);
    expect([next(first), afterWait(first)]).toEqual(['wait', 'watch-list']);
    const second = step(inPhase(streaming, first.state.memory), { type: 'ended' }, at);
    expect([next(second), deeds(second)]).toEqual(['list', ['discard']]);
  });

  test('RF-15: a break before the end marker starts over, and streamed objects move no version', () => {
    const before = inPhase(streaming, { newest: undefined, synced: false });
    const object = step(before, { type: 'object', resourceVersion: '70' }, at);
    expect(object.state.memory.newest).toBeUndefined();
    const broken = step(object.state, failed(new KilterError('TRANSPORT_CONNECTION_LOST', 'lost')), at);
    expect([deeds(broken), afterWait(broken)]).toEqual([['discard'], 'watch-list']);
  });

  test('a state without a version is not used: nothing could be resumed from it', () => {
    for (const taken of [
      step(inPhase(streaming), bookmark('', true), at),
      step(inPhase(listing), { type: 'page', resourceVersion: '', continue: undefined }, at),
    ]) {
      expect(deeds(taken)).not.toContain('replace');
      expect(next(taken)).toBe('wait');
    }
  });

  test('RF-25: before it, a kind the server does not know is tried again with backoff and never parked', () => {
    const missing = step(inPhase(streaming, { synced: false }), failed(apiError(404, 'NotFound')), at);
    expect(reports(missing).map(({ what }) => what)).toEqual(['failure']);
    expect(missing.next).toMatchObject({ do: 'wait', jitter: true });
  });
});

describe('a list', () => {
  test('RF-6: pages follow each other and are used only when the last has come', () => {
    const first = step(inPhase(listing), { type: 'page', resourceVersion: '60', continue: 'x' }, at);
    expect([deeds(first), next(first)]).toEqual([['gather'], 'list+x']);
    const last = step(first.state, { type: 'page', resourceVersion: '60', continue: undefined }, at);
    expect([deeds(last), next(last)]).toEqual([['gather', 'replace'], 'watch@60']);
  });

  test('RF-6: an expired token starts the list again at once; a second one backs off', () => {
    const continued = inPhase({ ...listing, continued: true });
    const again = step(continued, failed(apiError(410, 'Expired')), at);
    expect([deeds(again), next(again)]).toEqual([['discard'], 'list']);
    const page = step(again.state, { type: 'page', resourceVersion: '60', continue: 'x' }, at);
    expect(next(step(page.state, failed(apiError(410, 'Expired')), at))).toBe('wait');
  });

  test('any other failure discards the pages and backs off', () => {
    const broken = step(inPhase(listing), failed(apiError(503, 'ServiceUnavailable')), at);
    expect([deeds(broken), next(broken), afterWait(broken)]).toEqual([['discard'], 'wait', 'watch-list']);
  });
});

describe('a watch', () => {
  test('RF-9: closed normally, it is opened again at once from the last version', () => {
    const moved = step(inPhase(watching), { type: 'object', resourceVersion: '51' }, at);
    const ended = step(moved.state, { type: 'ended' }, at);
    expect([next(ended), deeds(ended), reasons(ended)]).toEqual(['watch@51', [], ['restart:closed']]);
  });

  test('RF-10: closed within a second without an event, it backs off and reads everything again', () => {
    const ended = step(inPhase(fresh), { type: 'ended' }, at);
    expect([next(ended), afterWait(ended)]).toEqual(['wait', 'watch-list']);
    expect(reports(ended)[0]).toMatchObject({ what: 'failure' });
  });

  test('RF-10: a repeated bookmark is not an event that would allow a hot loop', () => {
    const repeated = step(inPhase(fresh), bookmark('50'), at);
    expect(next(step(repeated.state, { type: 'ended' }, at))).toBe('wait');
    const moved = step(inPhase(fresh), bookmark('51'), at);
    expect(next(step(moved.state, { type: 'ended' }, at))).toBe('watch@51');
  });

  test.each([
    ['RF-7: 410 reads everything again at once', apiError(410, 'Expired'), 'watch-list', 'go on'],
    ['RF-7: 410 with the reason Gone too', apiError(410, 'Gone'), 'watch-list', 'go on'],
    [
      'RF-11: connection refused backs off and resumes',
      new KilterError('TRANSPORT_UNREACHABLE', 'refused'),
      'wait',
      'watch@50',
    ],
    ['RF-11: 429 backs off and resumes', apiError(429, 'TooManyRequests'), 'wait', 'watch@50'],
    ['RF-12: 500 backs off and reads everything again', apiError(500, 'InternalError'), 'wait', 'watch-list'],
    ['503 backs off and resumes', apiError(503, 'ServiceUnavailable'), 'wait', 'watch@50'],
    ['403 backs off and resumes', apiError(403, 'Forbidden'), 'wait', 'watch@50'],
    ['an unknown error backs off and resumes', new TypeError('surprise'), 'wait', 'watch@50'],
    [
      'a version the server does not reach backs off and reads everything again',
      apiError(504, 'Timeout', [{ reason: 'ResourceVersionTooLarge' }]),
      'wait',
      'watch-list',
    ],
  ])('%s', (_, error, first, second) => {
    const taken = step(inPhase(watching), failed(error), at);
    expect(next(taken)).toBe(first);
    if (first === 'wait') expect(afterWait(taken)).toBe(second);
  });

  test('RF-7: a second 410 right after the re-sync of the first backs off', () => {
    const once = step(inPhase(watching), failed(apiError(410, 'Expired')), at);
    const complete = step(once.state, bookmark('60', true), at);
    const twice = step(complete.state, failed(apiError(410, 'Expired')), at);
    expect([next(twice), afterWait(twice)]).toEqual(['wait', 'watch-list']);
    const moved = step(complete.state, { type: 'object', resourceVersion: '61' }, at);
    expect(next(step(moved.state, failed(apiError(410, 'Expired')), at))).toBe('watch-list');
  });

  test('a connection lost after it delivered something is opened again at once, else with backoff', () => {
    const lost = failed(new KilterError('TRANSPORT_CONNECTION_LOST', 'lost'));
    expect(next(step(inPhase({ ...watching, progressed: true }), lost, at))).toBe('watch@50');
    expect(next(step(inPhase({ ...watching, openedAt: at - 30_000 }), lost, at))).toBe('watch@50');
    const early = step(inPhase(watching), lost, at);
    expect([next(early), afterWait(early)]).toEqual(['wait', 'watch@50']);
    expect(reasons(step(inPhase({ ...watching, progressed: true }), lost, at))).toEqual(['restart:lost']);
    expect(reasons(early)).toEqual(['restart:failed']);
    expect(reasons(step(inPhase(watching), failed(apiError(503, 'ServiceUnavailable')), at))).toEqual([
      'restart:failed',
    ]);
  });

  test('what is wrong is remembered as silence or as an answer', () => {
    const trouble = (error: unknown): unknown => step(inPhase(watching), failed(error), at).state.memory.trouble;
    expect(trouble(new KilterError('TRANSPORT_UNREACHABLE', 'refused'))).toBe('silence');
    expect(trouble(apiError(403, 'Forbidden'))).toBe('answer');
    expect(trouble(new KilterError('TRANSPORT_STREAM_MALFORMED', 'half a line'))).toBe('answer');
    const unversioned = step(inPhase(streaming), bookmark('', true), at);
    expect([unversioned.state.memory.trouble, reasons(unversioned)]).toEqual(['answer', []]);
  });

  test.each<[string, Input]>([
    ['is refused', failed(apiError(400, 'Invalid'))],
    ['outlives its time-out', { type: 'stalled' }],
    ['falls silent', { type: 'quiet' }],
    ['ends without its marker once more', { type: 'ended' }],
  ])('an initial stream that %s is listed, and that is reported', (_, input) => {
    const taken = step(inPhase(streaming, { unmarked: 1 }), input, at);
    expect([next(taken), reports(taken)]).toEqual(['list', [{ what: 'fallback' }]]);
  });

  test('a complete state ends every doubt: what is counted is counted anew', () => {
    const doubts = { unmarked: 1, doubted: true, parked: true, trouble: 'answer', quiet: 1 } as const;
    const complete = step(inPhase(streaming, doubts), bookmark('60', true), at);
    const none = { unmarked: 0, doubted: false, parked: false, trouble: undefined, quiet: 0 };
    expect(complete.state.memory).toMatchObject({ ...none, newest: '60', synced: true });
    expect(reports(complete)).toEqual([{ what: 'recovered' }]);
  });

  test('a broken line is tried again from the last good version; at the same place again, everything is read', () => {
    const malformed = failed(new KilterError('TRANSPORT_STREAM_MALFORMED', 'no JSON'));
    const once = step(inPhase(watching), malformed, at);
    expect([next(once), afterWait(once)]).toEqual(['wait', 'watch@50']);
    const twice = step(inPhase(watching, once.state.memory), malformed, at);
    expect([next(twice), afterWait(twice)]).toEqual(['wait', 'watch-list']);
    const moved = step(inPhase(watching, once.state.memory), { type: 'object', resourceVersion: '51' }, at);
    expect(afterWait(step(moved.state, malformed, at))).toBe('watch@51');
  });

  test('RF-14: a bookmark moves the version to resume from and touches no object', () => {
    const moved = step(inPhase(watching), bookmark('77'), at);
    expect(moved.effects).toEqual([{ do: 'progress', resourceVersion: '77' }]);
    expect(next(step(moved.state, { type: 'ended' }, at))).toBe('watch@77');
  });

  test('RF-5, RF-22: an older version never moves it back, whatever the number of digits', () => {
    const start = inPhase(watching, { newest: '99999999999999999999' });
    const older = step(start, { type: 'object', resourceVersion: '99999999999999999998' }, at);
    expect(older.state.memory.newest).toBe('99999999999999999999');
    const newer = step(start, { type: 'object', resourceVersion: '100000000000000000000' }, at);
    expect(newer.state.memory.newest).toBe('100000000000000000000');
    const opaque = step(start, { type: 'object', resourceVersion: 'abc' }, at);
    expect(opaque.state.memory.newest).toBe('abc');
  });

  test('RF-21: one that outlives its time-out is resumed from the last version', () => {
    const stalled = step(inPhase(watching), { type: 'stalled' }, at);
    expect([next(stalled), reasons(stalled)]).toEqual(['watch@50', ['restart:stalled']]);
  });

  test('RF-25: 404 parks it: a probe every 30 s, reported once, until the kind is back', () => {
    const parked = step(inPhase(watching), failed(apiError(404, 'NotFound')), at);
    expect(parked.next).toEqual({ do: 'wait', ms: 30_000, jitter: false, atLeast: 0 });
    expect(reports(parked).map(({ what }) => what)).toEqual(['failure', 'parked']);
    const probe = step(parked.state, { type: 'elapsed' }, at + 30_000);
    expect(next(probe)).toBe('watch-list');
    const still = step(probe.state, failed(apiError(404, 'NotFound')), at + 30_000);
    expect([reports(still), still.next]).toEqual([[], parked.next]);
    const back = step(probe.state, bookmark('90', true), at + 30_000);
    expect([deeds(back), back.state.memory.parked]).toEqual([['replace'], false]);
  });
});

describe('a re-sync below the newest version', () => {
  test('RF-5: is made once more after a backoff, then taken as the truth and told', () => {
    const behind = step(inPhase(streaming), bookmark('40', true), at);
    expect([deeds(behind), next(behind), afterWait(behind)]).toEqual([['discard'], 'wait', 'watch-list']);
    const again = step(inPhase(streaming, behind.state.memory), bookmark('41', true), at);
    expect(reports(again)).toEqual([{ what: 'rewound', from: '50', to: '41' }, { what: 'recovered' }]);
    expect(again.effects).toContainEqual({ do: 'replace', resourceVersion: '41', rewound: true });
    expect(again.state.memory.newest).toBe('41');
  });

  test('is forgotten when the second read is up to date', () => {
    const behind = step(inPhase(streaming), bookmark('40', true), at);
    const again = step(inPhase(streaming, behind.state.memory), bookmark('55', true), at);
    expect(again.effects).toEqual([
      { do: 'replace', resourceVersion: '55', rewound: false },
      { do: 'report', report: { what: 'recovered' } },
    ]);
    expect(again.state.memory.doubted).toBe(false);
  });

  test('of a list is treated alike', () => {
    const behind = step(inPhase(listing), { type: 'page', resourceVersion: '40', continue: undefined }, at);
    expect([deeds(behind), next(behind)]).toEqual([['gather', 'discard'], 'wait']);
  });
});

describe('backing off', () => {
  const refusedAt = (state: WatcherState, time: number): Step => {
    const waiting = step(state, failed(new KilterError('TRANSPORT_UNREACHABLE', 'refused')), time);
    return { ...waiting, state: inPhase({ ...watching, openedAt: time }, waiting.state.memory) };
  };

  test('RF-13: from 0.8 s, doubled up to 30 s, from the start again after two quiet minutes', () => {
    const waits: number[] = [];
    let state = inPhase(watching);
    let time = at;
    for (let n = 0; n < 8; n += 1) {
      const taken = refusedAt(state, (time += 31_000));
      state = taken.state;
      if (taken.next?.do === 'wait') waits.push(taken.next.ms);
    }
    expect(waits).toEqual([800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
    expect(refusedAt(state, time + 120_000).next).toMatchObject({ ms: 30_000, jitter: true });
    expect(refusedAt(state, time + 120_001).next).toMatchObject({ ms: 800 });
  });

  test('never returns sooner than the server asked', () => {
    const error = apiError(429, 'TooManyRequests');
    Object.assign(error.status, { retryAfterSeconds: 7 });
    expect(step(inPhase(watching), failed(error), at).next).toMatchObject({ atLeast: 7000 });
  });
});

test('RF-20: a stop ends every phase, discards what was gathered and reports nothing', () => {
  for (const phase of [
    idle.phase,
    streaming,
    listing,
    watching,
    { name: 'waiting', after: 'watch', wakeable: 'always' } as const,
  ]) {
    const stopped = step(inPhase(phase), { type: 'stop' }, at);
    expect(stopped).toMatchObject({ state: { phase: { name: 'stopped' } }, effects: [{ do: 'discard' }] });
    expect(step(stopped.state, { type: 'elapsed' }, at).next).toBeUndefined();
  }
});

describe('whatever arrives', () => {
  const errors = [
    apiError(410, 'Expired'),
    apiError(404, 'NotFound'),
    apiError(422, 'Invalid'),
    apiError(429, 'TooManyRequests'),
    apiError(500, 'InternalError'),
    new KilterError('TRANSPORT_CONNECTION_LOST', 'lost'),
    new KilterError('TRANSPORT_STREAM_MALFORMED', 'no JSON'),
    new TypeError('surprise'),
  ];
  const version = fc.integer({ min: 1, max: 99 }).map(String);
  const arrival = fc.oneof(
    fc.record({ type: fc.constant('object' as const), resourceVersion: version }),
    fc.record({ type: fc.constant('bookmark' as const), resourceVersion: version, initialEventsEnd: fc.boolean() }),
  );
  const ending = fc.oneof(
    fc.constant<Input>({ type: 'ended' }),
    fc.constant<Input>({ type: 'stalled' }),
    fc.constantFrom(...errors).map(failed),
  );
  const page = fc.record({
    type: fc.constant('page' as const),
    resourceVersion: version,
    continue: fc.option(fc.constant('x'), { nil: undefined }),
  });

  test('the end of an operation always leads to the next one, and a version is resumed from only once there is one', () => {
    const script = fc.array(fc.record({ arrival, ending, page, listFails: fc.boolean(), steps: fc.nat(3) }), {
      maxLength: 30,
    });
    fc.assert(
      fc.property(script, (rounds) => {
        let taken = step(idle, { type: 'start' }, 0);
        let time = 0;
        for (const round of rounds) {
          const operation = taken.next;
          if (operation === undefined) throw new Error('nothing to do next');
          if (operation.do === 'watch' && operation.resourceVersion !== undefined)
            expect(taken.state.memory.synced).toBe(true);
          time += 700;
          if (operation.do === 'wait') taken = step(taken.state, { type: 'elapsed' }, time);
          else if (operation.do === 'list')
            taken = step(taken.state, round.listFails ? failed(errors[0]) : round.page, time);
          else {
            for (let n = 0; n < round.steps && (n === 0 || taken.next === undefined); n += 1) {
              taken = step(taken.state, round.arrival, time);
            }
            if (taken.next === undefined || taken.next === operation) taken = step(taken.state, round.ending, time);
          }
        }
        expect(taken.next).toBeDefined();
      }),
    );
  });
});

describe('why everything is read again is told when that begins', () => {
  const lost = new KilterError('TRANSPORT_CONNECTION_LOST', 'lost');
  const broken = new KilterError('TRANSPORT_STREAM_MALFORMED', 'half a line');
  test.each<[reason: string, from: WatcherState, input: Input]>([
    ['failed', inPhase(streaming), bookmark('', true)],
    ['failed', inPhase(streaming), { type: 'ended' }],
    ['failed', inPhase(streaming), failed(lost)],
    ['failed', inPhase(listing), failed(lost)],
    ['failed', inPhase(listing), { type: 'page', resourceVersion: '', continue: undefined }],
    ['behind', inPhase(streaming), bookmark('7', true)],
    ['short', inPhase(fresh), { type: 'ended' }],
    ['internal', inPhase(watching), failed(apiError(500, 'InternalError'))],
    ['internal', inPhase(watching), failed(apiError(400, 'Invalid'))],
    ['expired', inPhase(watching, { expired: true }), failed(apiError(410, 'Expired'))],
    ['malformed', inPhase(watching, { brokenAt: '50' }), failed(broken)],
    ['parked', inPhase(watching), failed(apiError(404, 'NotFound'))],
  ])('%s', (reason, from, input) => {
    const taken = step(from, input, at);
    expect(next(taken)).toBe('wait');
    expect(reasons(step(taken.state, { type: 'elapsed' }, at + 60_000))).toEqual([`resync:${reason}`]);
  });

  test.each<[reason: string, from: WatcherState, input: Input]>([
    ['failed', inPhase(watching), failed(new KilterError('TRANSPORT_UNREACHABLE', 'refused'))],
    ['failed', inPhase(fresh), failed(lost)],
    ['malformed', inPhase(watching), failed(broken)],
    ['closed', inPhase(watching), { type: 'ended' }],
    ['lost', inPhase({ ...watching, progressed: true }), failed(lost)],
    ['stalled', inPhase(watching), { type: 'stalled' }],
  ])('and why a watch is only opened again: %s', (reason, from, input) => {
    expect(reasons(step(from, input, at))).toEqual([`restart:${reason}`]);
  });
});

test.each([streaming, listing, watching])(
  'RF-25: a kind that is gone is an answer, and nothing but time wakes its probe: %o',
  (phase) => {
    const { state } = step(inPhase(phase), failed(apiError(404, 'NotFound')), at);
    expect(state.phase).toMatchObject({ name: 'waiting', reason: 'parked', wakeable: 'never' });
    expect(state.memory).toMatchObject({ parked: true, trouble: 'answer' });
  },
);
