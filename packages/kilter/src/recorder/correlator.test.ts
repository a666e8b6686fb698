import { describe, expect, test } from 'vitest';
import { Correlator } from './correlator.ts';
import { cutToBytes, type Occurrence } from './occurrence.ts';
import { Recent } from './recent.ts';

const occurrence = (change: Partial<Occurrence> & { object?: string } = {}): Occurrence => ({
  regarding: { apiVersion: 'v1', kind: 'Pod', namespace: 'default', name: change.object ?? 'shop', uid: 'u' },
  type: 'Normal',
  reason: 'Rollout',
  note: 'hello',
  action: 'Reconcile',
  at: 0,
  tick: 0,
  ...change,
});

describe('correlation', () => {
  test('EV-2: same object, type, reason and message are one series; any other is another', () => {
    const correlator = new Correlator();
    const { series } = correlator.observe(occurrence());
    expect(correlator.observe(occurrence()).series).toBe(series);
    expect(series.count).toBe(2);
    for (const other of [{ object: 'bar' }, { type: 'Warning' as const }, { reason: 'Other' }, { note: 'bye' }]) {
      expect(correlator.observe(occurrence(other)).series).not.toBe(series);
    }
  });

  test('EV-3: the 10th distinct message of a reason becomes one combined Event whose count grows', () => {
    const correlator = new Correlator();
    const notes = Array.from({ length: 12 }, (_, i) => correlator.observe(occurrence({ note: `n${i}` })).series);
    expect(notes.slice(0, 9).map(({ note }) => note)).toEqual(Array.from({ length: 9 }, (_, i) => `n${i}`));
    expect(notes[9]).toMatchObject({ note: '(combined from similar events): n9', count: 3 });
    expect(notes[10]).toBe(notes[9]);
    expect(notes[11]).toBe(notes[9]);
    expect(correlator.observe(occurrence({ note: 'n3' })).series.note).toBe('n3');
  });

  test('EV-3: the 600 s slide from the last occurrence of the reason', () => {
    const correlator = new Correlator();
    const at = (note: string, tick: number): string => correlator.observe(occurrence({ note, tick })).series.note;
    for (let i = 0; i < 9; i += 1) at(`n${i}`, i * 600_000);
    expect(at('late', 9 * 600_000)).toBe('(combined from similar events): late');
    expect(at('fresh', 10 * 600_000 + 1)).toBe('fresh');
  });

  test('EV-3: messages of another reason or object are not similar', () => {
    const correlator = new Correlator();
    for (let i = 0; i < 9; i += 1) correlator.observe(occurrence({ note: `n${i}` }));
    expect(correlator.observe(occurrence({ note: 'x', reason: 'Other' })).series.note).toBe('x');
    expect(correlator.observe(occurrence({ note: 'x', object: 'bar' })).series.note).toBe('x');
  });

  test('EV-4: per object and type 25 Events, then one in 300 s, whatever reason and message', () => {
    const correlator = new Correlator();
    const allowed = (tick: number, i: number): boolean =>
      correlator.observe(occurrence({ reason: `R${i}`, note: `n${i}`, tick })).allowed;
    const first = Array.from({ length: 30 }, (_, i) => allowed(0, i));
    expect(first.filter(Boolean)).toHaveLength(25);
    expect(first.slice(25)).not.toContain(true);
    expect(allowed(299_999, 40)).toBe(false);
    expect(allowed(300_000, 41)).toBe(true);
    expect(allowed(300_001, 42)).toBe(false);
    expect(correlator.observe(occurrence({ type: 'Warning' })).allowed).toBe(true);
    expect(correlator.observe(occurrence({ object: 'bar' })).allowed).toBe(true);
  });

  test('EV-4: the filter comes last, so what it keeps back is still counted', () => {
    const correlator = new Correlator();
    for (let i = 0; i < 40; i += 1) correlator.observe(occurrence());
    expect(correlator.observe(occurrence({ tick: 300_000 }))).toMatchObject({ allowed: true, series: { count: 41 } });
  });

  test('EV-4: memory is bounded: of 4097 objects the one not used for longest is forgotten', () => {
    const correlator = new Correlator();
    const first = correlator.observe(occurrence({ object: 'first' })).series;
    const second = correlator.observe(occurrence({ object: 'second' })).series;
    for (let i = 0; i < 4094; i += 1) correlator.observe(occurrence({ object: `o${i}` }));
    expect(correlator.observe(occurrence({ object: 'first' })).series).toBe(first);
    correlator.observe(occurrence({ object: 'one more' }));
    expect(correlator.observe(occurrence({ object: 'first' })).series).toBe(first);
    expect(correlator.observe(occurrence({ object: 'second' })).series).not.toBe(second);
  });

  test('a bounded map never exceeds its limit', () => {
    const recent = new Recent<number>(3);
    for (let i = 0; i < 10; i += 1) recent.use(`k${i}`, () => i);
    expect(recent.size).toBe(3);
  });

  test.each([
    ['short', 'abc', 1024, 'abc'],
    ['exact', 'abc', 3, 'abc'],
    ['cut', 'abcdef', 3, 'abc'],
    ['never inside a character', 'aé€😀', 5, 'aé'],
  ])('texts are cut to bytes: %s', (...[, text, bytes, expected]) => {
    expect(cutToBytes(text, bytes)).toBe(expected);
  });
});
