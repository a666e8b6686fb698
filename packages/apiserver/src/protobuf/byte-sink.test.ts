import { describe, expect, test } from 'vitest';
import { ByteSink } from './byte-sink.ts';

const firstSize = 64 * 1024;
const long = 'a text that is long enough for native code';

/** What a sink writes that has so many bytes left before it must grow. */
function written(left: number, write: (sink: ByteSink) => void): Buffer {
  const sink = new ByteSink();
  sink.bytes(new Uint8Array(firstSize - left).fill(7));
  write(sink);
  const all = sink.take();
  return all.subarray(0, all.length - (firstSize - left));
}

describe('API-B2: nothing is lost where the sink grows, and no memory of others is shown', () => {
  test.each<[string, (sink: ByteSink) => void]>([
    ['a long text', (sink) => sink.text(long)],
    ['a long text beyond ASCII', (sink) => sink.text(`${long} ✓`)],
    ['a short text', (sink) => sink.text('short')],
    ['a short text beyond ASCII', (sink) => sink.text('✓')],
    ['bytes', (sink) => sink.bytes(Buffer.from(long))],
    ['a double', (sink) => sink.double(1.5)],
    ['a negative integer', (sink) => sink.integer(-1)],
    ['a large number', (sink) => sink.varint(2 ** 40)],
  ])('%s', (_, write) => {
    const expected = written(firstSize, write);
    expect(expected.length).toBeGreaterThan(0);
    for (let left = 0; left <= long.length + 8; left += 1) expect(written(left, write)).toEqual(expected);
  });
});
