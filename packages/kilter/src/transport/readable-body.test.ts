import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { ReadableBody } from './readable-body.ts';

function opened(): { source: PassThrough; body: ReadableBody; cancelled: () => number; broken: unknown[] } {
  const source = new PassThrough();
  let cancels = 0;
  const broken: unknown[] = [];
  const body = new ReadableBody(source, {
    incomplete: () => undefined,
    broken: (cause) => {
      broken.push(cause);
      return cause;
    },
    cancel: () => {
      cancels += 1;
      source.destroy();
    },
  });
  return { source, body, cancelled: () => cancels, broken };
}

const tooLarge = (): Error => new Error('too large');
const arrived = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a body in one piece', () => {
  test('is all of its chunks, those that came before it was asked for included', async () => {
    const { source, body } = opened();
    source.write('one ');
    await arrived();
    const whole = body.whole(100, tooLarge);
    source.write('two ');
    source.end('three');
    expect(Buffer.from(await whole).toString()).toBe('one two three');
  });

  test('is there also when it had ended before', async () => {
    const { source, body } = opened();
    source.end('all');
    await arrived();
    await arrived();
    expect(Buffer.from(await body.whole(3, tooLarge)).toString()).toBe('all');
  });

  test('larger than 256 KiB before it is asked for, it was paused and goes on', async () => {
    const { source, body } = opened();
    const size = 400_000;
    source.write(Buffer.alloc(size));
    await arrived();
    source.end(Buffer.alloc(size));
    await arrived();
    expect((await body.whole(2 * size, tooLarge)).length).toBe(2 * size);
  });

  test.each([
    ['while it comes', false],
    ['when all of it has come', true],
  ])('fails beyond its bound: %s', async (_, before) => {
    const { source, body, cancelled } = opened();
    if (before) {
      source.end('12345');
      await arrived();
      await arrived();
    }
    const whole = body.whole(4, tooLarge);
    if (!before) source.write('12345');
    await expect(whole).rejects.toThrow('too large');
    expect(cancelled()).toBe(1);
  });

  test('fails with what broke it, and with what ended it from this side', async () => {
    const lost = opened();
    const whole = lost.body.whole(100, tooLarge);
    lost.source.write('half');
    lost.source.destroy(new Error('lost'));
    await expect(whole).rejects.toThrow('lost');
    const left = opened();
    const other = left.body.whole(100, tooLarge);
    left.body.fail(new Error('aborted'));
    await expect(other).rejects.toThrow('aborted');
  });

  test('a body that came to its end makes no error of its closing', async () => {
    const { source, body, broken } = opened();
    source.end('all');
    await body.whole(100, tooLarge);
    await arrived();
    await arrived();
    expect(source.closed).toBe(true);
    expect(broken).toEqual([]);
  });
});
