import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { outliveReaders } from './signals.ts';

const config = {
  'current-context': 'x',
  clusters: [{ name: 'c', cluster: { server: 'https://127.0.0.1:1' } }],
  users: [{ name: 'u', user: { token: 't' } }],
  contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
};

/** An operator that talks all the time, once it has said something. */
async function talker(...args: readonly string[]): Promise<ChildProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'kilter-unread-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const kubeconfig = join(folder, 'config');
  await writeFile(kubeconfig, JSON.stringify(config));
  const program = resolve(import.meta.dirname, 'unread-log.child.test-support.ts');
  const child = spawn(process.execPath, ['--conditions=@kilter/source', program, ...args, '--kubeconfig', kubeconfig]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stderr, 'data');
  return child;
}

test('MG-19: an operator whose log nobody reads any more goes on, and stops when asked with code 0', async () => {
  const child = await talker();
  const beats = once(child.stdout as NodeJS.ReadableStream, 'data');
  child.stderr?.destroy();
  // It tells on its other stream that it went on after twenty lines were refused.
  expect(String(await beats)).toBe('20 lines after the first\n');
  expect(child.exitCode).toBeNull();
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
}, 60_000);

test('MG-19: however often operators are run in a process, each stream has one listener for it', () => {
  outliveReaders();
  const count = (): number[] => [process.stdout, process.stderr].map((stream) => stream.listenerCount('error'));
  const once = count();
  expect(Math.min(...once)).toBeGreaterThan(0);
  outliveReaders();
  expect(count()).toEqual(once);
});
