import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock, virtualClock } from '../internal/index.ts';
import type { ConnectionConfig, CredentialsOptions, ExecPlugin } from './index.ts';
import { credentials, loadConfig } from './index.ts';
import { failure } from './scripted-files.test-support.ts';

const folder = mkdtempSync(join(tmpdir(), 'kilter-exec-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const apiVersion = 'client.authentication.k8s.io/v1';
const printToken = (token: string): string =>
  `console.log(JSON.stringify({ apiVersion: '${apiVersion}', kind: 'ExecCredential', status: { token: ${token} } }));`;

let written = 0;
function script(body: string): string {
  const path = join(folder, `plugin-${(written += 1)}.cjs`);
  writeFileSync(path, body);
  return path;
}

/** The credentials of a plugin that is this script, run by the Node of this test. */
function login(
  body: string,
  more: { exec?: Partial<ExecPlugin>; options?: Partial<CredentialsOptions> } = {},
): ReturnType<typeof credentials> {
  const path = script(body);
  const exec: ExecPlugin = {
    apiVersion,
    command: process.execPath,
    args: [path],
    env: {},
    interactiveMode: 'Never',
    ...more.exec,
  };
  const config: ConnectionConfig = { server: 'https://h', namespace: 'default', exec };
  return credentials(config, { clock: systemClock, ...more.options });
}

/** Waits for what another process does. */
async function until(done: () => boolean): Promise<void> {
  while (!done()) await systemClock.sleep(10);
}

function alive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // A zombie waits for its parent to look; it runs no more.
  const stat = `/proc/${pid}/stat`;
  return !(existsSync(stat) && readFileSync(stat, 'utf8').includes(') Z '));
}

describe('an exec plugin as a process', () => {
  test('is given its arguments, its environment over that of the process, and KUBERNETES_EXEC_INFO', async () => {
    const seen =
      'process.argv.slice(2).concat(process.env.A, process.env.B, typeof process.env.HOME, process.env.KUBERNETES_EXEC_INFO)';
    const path = script(printToken(`Buffer.from(JSON.stringify(${seen})).toString('base64')`));
    const held = login('', {
      exec: { args: [path, 'one', '$(two)'], env: { A: 'over', KUBERNETES_EXEC_INFO: 'mine' } },
      options: { env: { A: 'under', B: 'kept' } },
    });
    const header = (await held.authorization()) ?? '';
    expect(JSON.parse(Buffer.from(header.slice(7), 'base64').toString())).toEqual([
      'one',
      '$(two)',
      'over',
      'kept',
      'undefined',
      JSON.stringify({ apiVersion, kind: 'ExecCredential', spec: { interactive: false } }),
    ]);
  });

  test('no shell reads its arguments', async () => {
    const mark = join(folder, 'mark');
    const path = script(printToken('"t"'));
    const held = login('', { exec: { args: [path, `; touch ${mark}`, `$(touch ${mark})`, `| touch ${mark}`] } });
    expect(await held.authorization()).toBe('Bearer t');
    expect(existsSync(mark)).toBe(false);
  });

  test('has no standard input to wait at', async () => {
    const held = login(`process.stdin.on('end', () => { ${printToken('"t"')} }).resume();`);
    expect(await held.authorization()).toBe('Bearer t');
  });

  test('may leave a helper behind that keeps its output open', async () => {
    const pidFile = join(folder, 'helper');
    const helper = `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { stdio: 'inherit', detached: true })`;
    const held = login(
      `const child = ${helper}; require('node:fs').writeFileSync(${JSON.stringify(pidFile)}, String(child.pid)); child.unref(); ${printToken('"t"')}`,
    );
    expect(await held.authorization()).toBe('Bearer t');
    process.kill(Number(readFileSync(pidFile, 'utf8')), 'SIGKILL');
  });
});

describe('an exec plugin that does not do its work', () => {
  const canary = 'S3cr3t-Canary';

  test('a failure says the exit code and the end of the complaint, without what it printed', async () => {
    const held = login(
      `process.stdout.write('{"status":{"token":"${canary}"}}');
       process.stderr.write('x'.repeat(50000) + '\\nbad \\u001b[31mlogin\\u001b[0m\\nfor ${canary} with ' + process.env.PW + '\\n', () => process.exit(3));`,
      { exec: { env: { PW: 'hunter2-hunter2' } } },
    );
    const error = await failure(held.authorization());
    expect(error.code).toBe('CONFIG_EXEC_FAILED');
    expect(error.message).toContain('failed with exit code 3; it said: …');
    expect(error.message).toContain('bad login for *** with ***');
    expect(error.message.length).toBeLessThan(1500);
    for (const secret of [canary, 'hunter2']) expect(error.message).not.toContain(secret);
    expect(error.cause).toBeUndefined();
  });

  test('no part of a secret is left where the complaint was cut', async () => {
    const PW = `begin-${'mississippi-'.repeat(30)}end`;
    for (const repeat of [40, 100, 1000]) {
      const held = login(`process.stderr.write(process.env.PW.repeat(${repeat}), () => process.exit(1));`, {
        exec: { env: { PW } },
      });
      const { message } = await failure(held.authorization());
      expect(message).toMatch(/exit code 1(; it said: …?\**)? \(CONFIG/);
    }
  });

  test('a signal is named', async () => {
    const error = await failure(login(`process.kill(process.pid, 'SIGKILL');`).authorization());
    expect(error.code).toBe('CONFIG_EXEC_FAILED');
    expect(error.message).toContain('signal SIGKILL');
  });

  test('more than 1 MiB of output is not kept', async () => {
    const error = await failure(
      login(`process.stdout.write('x'.repeat(2 ** 20 + 1)); setInterval(() => {}, 1000);`).authorization(),
    );
    expect(error.code).toBe('CONFIG_EXEC_INVALID');
    expect(error.message).toContain('1 MiB');
  });

  test.skipIf(process.platform === 'win32')('one that hangs is ended after a minute, with all it started', async () => {
    const clock = virtualClock();
    const pids = join(folder, 'pids');
    const child = `require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' })`;
    const held = login(
      `require('node:fs').writeFileSync(${JSON.stringify(pids)}, [process.pid, ${child}.pid].join(' '));
       process.stderr.write('waiting for a browser'); process.on('SIGTERM', () => {}); setInterval(() => {}, 1000);`,
      { options: { clock } },
    );
    const failing = failure(held.authorization());
    await until(() => existsSync(pids) && readFileSync(pids, 'utf8').includes(' '));
    const started = readFileSync(pids, 'utf8').split(' ').map(Number);
    onTestFinished(() => started.filter(alive).forEach((pid) => process.kill(pid, 'SIGKILL')));
    expect(started.map(alive)).toEqual([true, true]);
    await clock.advance(59_999);
    expect(started.map(alive)).toEqual([true, true]);
    await clock.advance(1);
    const error = await failing;
    expect(error.code).toBe('CONFIG_EXEC_TIMEOUT');
    expect(error.message).toContain('no answer within 60 s');
    await until(() => !started.some(alive));
    expect(started.map(alive)).toEqual([false, false]);
  });

  test.skipIf(process.platform === 'win32')(
    'one that hangs ends with the connection, and is not run again',
    async () => {
      const pids = join(folder, 'closed');
      const held = login(
        `require('node:fs').appendFileSync(${JSON.stringify(pids)}, process.pid + ' '); setInterval(() => {}, 1000);`,
      );
      const failing = failure(held.authorization());
      await until(() => existsSync(pids) && readFileSync(pids, 'utf8').includes(' '));
      const pid = Number(readFileSync(pids, 'utf8'));
      onTestFinished(() => void (alive(pid) && process.kill(pid, 'SIGKILL')));
      held.close();
      expect((await failing).code).toBe('TRANSPORT_CLOSED');
      await until(() => !alive(pid));
      expect((await failure(held.authorization())).code).toBe('TRANSPORT_CLOSED');
      expect(Number(readFileSync(pids, 'utf8'))).toBe(pid);
    },
  );

  test('the time it has is an option', async () => {
    const held = login('setInterval(() => {}, 1000);', { options: { execTimeout: 50 } });
    expect((await failure(held.authorization())).message).toContain('within 0.05 s');
  });

  test('an argument that cannot be is a coded error without the argument', async () => {
    const error = await failure(login('', { exec: { args: [`${canary}\0`] } }).authorization());
    expect(error.code).toBe('CONFIG_EXEC_FAILED');
    expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(canary);
  });
});

describe.skipIf(process.platform === 'win32')('where a plugin is found', () => {
  const program = (path: string, mode = 0o755): string => {
    writeFileSync(path, `#!${process.execPath}\n${printToken('"found"')}`);
    chmodSync(path, mode);
    return path;
  };
  const bin = join(folder, 'bin');
  mkdirSync(join(bin, 'kilter-login'), { recursive: true });
  mkdirSync(join(folder, 'later'));
  mkdirSync(join(folder, 'first'));
  program(join(folder, 'first', 'kilter-login'), 0o644);
  program(join(folder, 'later', 'kilter-login'));
  const named = (
    command: string,
    PATH: string | undefined,
    exec: Partial<ExecPlugin> = {},
  ): Promise<string | undefined> =>
    login('', { exec: { command, args: [], ...exec }, options: { env: { PATH } } }).authorization();

  test('a name: in the folders of $PATH, but for files that cannot be run, and folders', async () => {
    const path = ['first', 'bin', 'later'].map((name) => join(folder, name)).join(delimiter);
    expect(await named('kilter-login', path)).toBe('Bearer found');
  });

  test('a path relative to the kubeconfig, whatever the current folder', async () => {
    const config = join(folder, 'config');
    const exec = { apiVersion, command: './later/kilter-login', interactiveMode: 'Never' };
    writeFileSync(
      config,
      JSON.stringify({
        'current-context': 'a',
        contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
        clusters: [{ name: 'a', cluster: { server: 'https://h' } }],
        users: [{ name: 'a', user: { exec } }],
      }),
    );
    const loaded = await loadConfig({ env: {}, kubeconfig: config });
    expect(await credentials(loaded, { clock: systemClock, env: {} }).authorization()).toBe('Bearer found');
  });

  test.each<[string, string, string | undefined]>([
    ['no $PATH', 'kilter-login', undefined],
    ['nothing of that name', 'kilter-nowhere', join(folder, 'later')],
    ['the current folder is not looked at', 'package.json', ['', '.'].join(delimiter)],
    ['not executable', join(folder, 'first', 'kilter-login'), undefined],
  ])('%s: the error holds the hint of the kubeconfig', async (_, command, PATH) => {
    const error = await failure(named(command, PATH, { installHint: 'brew install\n\u001b[1mkilter-login\u001b[0m' }));
    expect(error.code).toBe('CONFIG_EXEC_NOT_FOUND');
    expect(error.message).toContain(command);
    expect(error.cure).toBe('brew install kilter-login');
    expect((await failure(named(command, PATH))).cure).toContain('install it');
  });
});
