// The operators of both examples under Node's permission model: they read files and start the watchdog's thread, and may do nothing else.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { apiServer } from '@kilter/testing';
import { connectTo, systemRuntime } from 'kilter/runtime';
import { expect, test } from 'vitest';
import { victims } from './adversary/victims.ts';

const root = resolve(import.meta.dirname, '..');

test.each(['webapp', 'recycler'] as const)(
  'C-22: the operator of %s does its work under --permission, without files to write, programs to start or addons to load',
  async (name) => {
    await using closing = new AsyncDisposableStack();
    const { definition, prepare } = victims[name];
    const server = closing.use(apiServer({ controllers: { workloads: false } }));
    const client = connectTo(server.connection('user'), { runtime: systemRuntime });
    await client.create(definition());
    const folder = mkdtempSync(join(tmpdir(), 'kilter-permission-'));
    closing.defer(() => rmSync(folder, { recursive: true, force: true }));
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, (await server.listen()).kubeconfig, { mode: 0o600 });
    const victim = closing.use(await prepare(client));
    const readable = [root, folder, '/var/run/secrets/kubernetes.io/serviceaccount/*'];
    const allowed = ['--permission', '--allow-worker', ...readable.map((path) => `--allow-fs-read=${path}`)];
    const flags = ['--metrics-bind-address=0', '--health-probe-bind-address=0', '--kubeconfig', kubeconfig];
    // What is compiled cannot be kept without a file to write.
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const args = [...allowed, '--conditions=@kilter/source', victim.program, ...flags];
    const child = spawn(process.execPath, args, { env: { ...env, ...victim.env }, stdio: ['pipe', 'pipe', 'pipe'] });
    const ended = new Promise<unknown>((done) => void child.once('exit', (code, signal) => done(signal ?? code)));
    closing.defer(async () => {
      child.kill('SIGKILL');
      await ended;
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text));
    await victim.touch(client, 3);
    await expect
      .poll(async () => (child.exitCode === null ? await victim.isServed(client, 3) : `it has ended: ${output}`), {
        timeout: 120_000,
      })
      .toBe(true);
    child.kill('SIGTERM');
    expect(await ended, output).toBe(0);
    expect(output).not.toMatch(/ERR_ACCESS_DENIED|watchdog of the event loop has failed/);
  },
  300_000,
);
