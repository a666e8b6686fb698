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

const text = async (body: ReadableBody): Promise<string | undefined> => {
  const { done, value } = await body.next();
  return done === true ? undefined : Buffer.from(value).toString();
};

describe('a body in parts', () => {
  test('whoever waits is woken once for all that came in one turn, however many frames it was', async () => {
    const { source, body } = opened();
    const first = text(body);
    source.emit('data', Buffer.from('one '));
    // As Node does between two frames of one read.
    await Promise.resolve();
    source.emit('data', Buffer.from('two '));
    source.emit('data', Buffer.from('three'));
    expect(await first).toBe('one two three');
  });

  test('of what waits, no more than about 64 KiB is handed out at once, in order, and nothing is lost', async () => {
    const { source, body } = opened();
    const frames = Array.from({ length: 40 }, (_, at) => Buffer.alloc(4096, at + 1));
    for (const frame of frames) source.emit('data', frame);
    const got: Buffer[] = [];
    while (Buffer.concat(got).length < 40 * 4096) got.push(Buffer.from((await body.next()).value ?? []));
    expect(got.map(({ length }) => length)).toEqual([65_536, 65_536, 32_768]);
    expect(Buffer.concat(got).equals(Buffer.concat(frames))).toBe(true);
  });

  test.each([
    ['the end', (source: PassThrough) => source.emit('end'), undefined],
    ['a break', (source: PassThrough) => source.emit('error', new Error('lost')), 'lost'],
  ])('%s in the same turn comes after what came before it', async (_, end, error) => {
    const { source, body } = opened();
    const first = text(body);
    source.emit('data', Buffer.from('last words'));
    end(source);
    expect(await first).toBe('last words');
    if (error === undefined) expect(await text(body)).toBeUndefined();
    else await expect(body.next()).rejects.toThrow(error);
    expect(await text(body)).toBeUndefined();
  });

  test('a stream that is to end at the end of a line hands out that line first', async () => {
    const { source, body } = opened();
    const first = text(body);
    source.emit('data', Buffer.from('half'));
    body.retire();
    source.emit('data', Buffer.from(' a line\n'));
    expect(await first).toBe('half a line\n');
    expect(await text(body)).toBeUndefined();
  });

  test('a reader that leaves gets nothing of what was on its way', async () => {
    const { source, body } = opened();
    const first = text(body);
    source.emit('data', Buffer.from('unread'));
    await body.return();
    expect(await first).toBeUndefined();
  });
});
