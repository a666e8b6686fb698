import { constants } from 'node:http2';
import { describe, expect, test } from 'vitest';
import { type LostStream, needsHttp1, neverTaken } from './http2-failure.ts';
import { place, type Placement, type SessionLoad } from './placement.ts';

const busy = (open: number): SessionLoad => ({ open, limit: 100, usable: true });
const leaving: SessionLoad = { open: 1, limit: 100, usable: false };
const limits = { sessions: 2, leaving: 1 };

describe('the next stream', () => {
  test.each<[string, SessionLoad[], Placement]>([
    ['opens the first session', [], { type: 'connect' }],
    ['goes where there is room', [busy(99)], { type: 'use', index: 0 }],
    [
      'goes to the first with room, so that the last becomes idle',
      [busy(100), busy(3), busy(0)],
      { type: 'use', index: 1 },
    ],
    ['opens another when all are full', [busy(100)], { type: 'connect' }],
    ['opens no more than allowed', [busy(100), busy(100)], { type: 'full' }],
    ['does not count those that leave', [leaving, busy(100)], { type: 'connect' }],
    ['does not use them', [leaving], { type: 'connect' }],
    ['gives up the oldest of too many that leave', [busy(100), leaving, leaving], { type: 'evict', index: 1 }],
    [
      'leaves them alone where it needs no new session',
      [leaving, leaving, leaving, busy(1)],
      { type: 'use', index: 3 },
    ],
  ])('TR-13: %s', (_, sessions, placement) => {
    expect(place(sessions, limits)).toEqual(placement);
  });
});

describe('a stream without an answer', () => {
  const { NGHTTP2_REFUSED_STREAM, NGHTTP2_CANCEL, NGHTTP2_INTERNAL_ERROR, NGHTTP2_HTTP_1_1_REQUIRED } = constants;
  test.each<[string, LostStream, boolean]>([
    ['never left', { id: undefined, rstCode: 0, lastTaken: undefined }, true],
    ['was refused', { id: 5, rstCode: NGHTTP2_REFUSED_STREAM, lastTaken: undefined }, true],
    ['was refused for HTTP/2', { id: 5, rstCode: NGHTTP2_HTTP_1_1_REQUIRED, lastTaken: undefined }, true],
    ['is above the last one taken', { id: 5, rstCode: NGHTTP2_CANCEL, lastTaken: 3 }, true],
    ['is the last one taken', { id: 5, rstCode: NGHTTP2_CANCEL, lastTaken: 5 }, false],
    ['broke with its connection', { id: 5, rstCode: NGHTTP2_CANCEL, lastTaken: undefined }, false],
    ['was reset for another reason', { id: 5, rstCode: NGHTTP2_INTERNAL_ERROR, lastTaken: undefined }, false],
  ])('TR-3: %s', (_, stream, taken) => {
    expect(neverTaken(stream)).toBe(taken);
  });

  test('is moved to HTTP/1.1 only where the server says so', () => {
    expect([NGHTTP2_HTTP_1_1_REQUIRED, NGHTTP2_REFUSED_STREAM, undefined].map(needsHttp1)).toEqual([
      true,
      false,
      false,
    ]);
  });
});
