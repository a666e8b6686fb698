import { Buffer } from 'node:buffer';
import { expect, onTestFinished, test } from 'vitest';
import { listen } from './listen.ts';

test('a socket that is full again and again gathers no listeners', async () => {
  const warnings: string[] = [];
  const note = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const chunk = Buffer.alloc(1_000_000, 'x');
  async function* body(): AsyncGenerator<Uint8Array> {
    for (let i = 0; i < 30; i += 1) yield chunk;
  }
  const listener = await listen(() => Promise.resolve({ status: 200, headers: {}, warnings: [], body: body() }));
  onTestFinished(() => listener.close());
  const response = await fetch(listener.url);
  expect((await response.arrayBuffer()).byteLength).toBe(30 * chunk.byteLength);
  expect(warnings).toEqual([]);
});
