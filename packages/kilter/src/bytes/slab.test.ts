import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Resident, Slabs } from './slab.ts';

const mebibyte = 1024 * 1024;

class Record implements Resident {
  slab: Resident['slab'];
  offset: number;
  readonly size: number;
  kept = true;

  /** Filled with one byte. */
  constructor(slabs: Slabs, size: number, byte: number) {
    this.slab = slabs.room(size);
    this.offset = this.slab.used;
    this.size = size;
    this.slab.bytes.fill(byte, this.offset, this.offset + size);
    this.slab.used += size;
    slabs.keep(this);
  }

  release(slabs: Slabs): void {
    this.kept = false;
    slabs.release(this);
  }

  /** The byte it is full of; the first and what is odd about it where it is not. */
  get holds(): unknown {
    const bytes = this.slab.bytes.subarray(this.offset, this.offset + this.size);
    return bytes.equals(Buffer.alloc(this.size, bytes[0])) ? [bytes[0]] : [bytes[0], 'and others'];
  }
}

describe('slabs', () => {
  test('are filled one after the other, to the last byte', () => {
    const slabs = new Slabs();
    expect(slabs.size).toBe(0);
    const [first, second] = [new Record(slabs, mebibyte / 2, 1), new Record(slabs, mebibyte / 2, 2)];
    expect(second.slab).toBe(first.slab);
    expect([slabs.size, first.slab.used, first.slab.live]).toEqual([mebibyte, mebibyte, mebibyte]);
    const third = new Record(slabs, 1, 3);
    expect(third.slab).not.toBe(first.slab);
    expect([slabs.size, third.slab.used, third.slab.live]).toEqual([2 * mebibyte, 1, 1]);
    expect([first, second, third].map(({ holds }) => holds)).toEqual([[1], [2], [3]]);
  });

  test.each([mebibyte, mebibyte + 1, 3 * mebibyte])('a record of %d bytes has one of its own', (size) => {
    const slabs = new Slabs();
    const small = new Record(slabs, 10, 1);
    const large = new Record(slabs, size, 2);
    expect([large.slab.bytes.length, slabs.size]).toEqual([size, mebibyte + size]);
    expect(new Record(slabs, 10, 3).slab).toBe(small.slab);
    large.release(slabs);
    expect(slabs.size).toBe(mebibyte);
    expect(large.holds).toEqual([2]);
  });

  /** A slab of ten records that is full, and the next one, which is being filled. */
  function full(): { slabs: Slabs; records: Record[]; next: Record } {
    const slabs = new Slabs();
    const records = Array.from({ length: 10 }, (_, n) => new Record(slabs, 100_000, n));
    return { slabs, records, next: new Record(slabs, 100_000, 99) };
  }

  test('one of which at most three fifths are in use is given up: what is kept moves, whole', () => {
    const { slabs, records, next } = full();
    const old = records[0]?.slab;
    for (const record of records.slice(0, 3)) record.release(slabs);
    expect([slabs.size, records[9]?.slab === old]).toEqual([2 * mebibyte, true]);
    records[3]?.release(slabs);
    expect(slabs.size).toBe(mebibyte);
    const kept = records.slice(4);
    expect(kept.map(({ slab }) => slab)).toEqual(kept.map(() => next.slab));
    expect(kept.map(({ holds }) => holds)).toEqual([4, 5, 6, 7, 8, 9].map((n) => [n]));
    expect([next.slab.used, next.slab.live, next.holds]).toEqual([700_000, 700_000, [99]]);
    // Who holds one that was released reads what it was.
    expect(records.slice(0, 4).map(({ slab, holds }) => [slab === old, holds])).toEqual(
      [0, 1, 2, 3].map((n) => [true, [n]]),
    );
    expect([old?.live, old?.residents]).toEqual([0, []]);
  });

  test('what has moved moves again with the slab it is in now', () => {
    const { slabs, records, next } = full();
    for (const record of records.slice(0, 4)) record.release(slabs);
    const filler = Array.from({ length: 4 }, (_, n) => new Record(slabs, 100_000, 50 + n));
    expect(records[9]?.slab).toBe(next.slab);
    for (const record of [next, ...filler]) record.release(slabs);
    expect(slabs.size).toBe(2 * mebibyte - mebibyte);
    expect(records.slice(4).map(({ holds }) => holds)).toEqual([4, 5, 6, 7, 8, 9].map((n) => [n]));
    expect(records[4]?.slab).not.toBe(next.slab);
  });

  test('the one being filled is not given up, and is looked at once it is full', () => {
    const slabs = new Slabs();
    const records = Array.from({ length: 10 }, (_, n) => new Record(slabs, 100_000, n));
    for (const record of records.slice(0, 9)) record.release(slabs);
    expect([slabs.size, records[9]?.slab.used]).toEqual([mebibyte, 1_000_000]);
    const next = new Record(slabs, 100_000, 99);
    expect(slabs.size).toBe(mebibyte);
    expect([records[9]?.slab === next.slab, records[9]?.holds, next.holds]).toEqual([true, [9], [99]]);
  });

  test('whatever is added and released, what is kept can be read, and memory stays near what is kept', () => {
    const act = fc.record({ size: fc.integer({ min: 1, max: 400_000 }), release: fc.option(fc.nat()) });
    fc.assert(
      fc.property(fc.array(act, { maxLength: 40, size: 'max' }), (acts) => {
        const slabs = new Slabs();
        const kept: { record: Record; byte: number }[] = [];
        for (const [n, { size, release }] of acts.entries()) {
          kept.push({ record: new Record(slabs, size, n), byte: n });
          if (release === null) continue;
          const [gone] = kept.splice(release % kept.length, 1);
          gone?.record.release(slabs);
          expect(gone?.record.holds).toEqual([gone?.byte]);
        }
        for (const { record, byte } of kept) expect(record.holds).toEqual([byte]);
        const live = kept.reduce((sum, { record }) => sum + record.size, 0);
        // The end of a slab that the next record did not fit into is lost.
        expect(slabs.size).toBeLessThanOrEqual((live / 0.6) * (1 / 0.6) + 2 * mebibyte);
      }),
      { numRuns: 20 },
    );
  });
});
