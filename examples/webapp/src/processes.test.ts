// Server and operators as processes of their own, over real sockets.
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, connect } from 'kilter';
import { Lease } from 'kilter/k8s/coordination/v1';
import { describe, expect, test } from 'vitest';
import { program, type Program } from './demo/child-process.ts';
import { WebApp } from './webapp.ts';

/** Where the programs of one test run and leave their files. */
function temporaryFolder(): Disposable & { readonly path: string } {
  const path = mkdtempSync(join(tmpdir(), 'kilter-demo-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

const sample = WebApp.build({ name: 'nginx-app', namespace: 'default', spec: { image: 'nginx:1.25', replicas: 3 } });

async function serve(folder: string): Promise<{ server: Program; kubeconfig: string; client: Client }> {
  const server = program('demo/main.ts', ['--server-only'], folder);
  // Nobody has it yet who would end it.
  await server.says('and apply the sample with').catch(async (error: unknown) => {
    await server[Symbol.asyncDispose]();
    throw error;
  });
  const kubeconfig = join(folder, '.kilter/demo/kubeconfig');
  return { server, kubeconfig, client: await connect({ kubeconfig }) };
}

function operate(kubeconfig: string, flags: readonly string[] = []): Program {
  const quiet = [
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    '--webhook-bind-address=127.0.0.1:0',
    '--webhook-url=https://127.0.0.1',
  ];
  return program('main.ts', ['--kubeconfig', kubeconfig, ...quiet, ...flags], tmpdir());
}

async function until<T>(look: () => Promise<T | undefined | false>, within = 40_000): Promise<T> {
  const over = Date.now() + within;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > over) throw new Error(`waited ${within / 1000} s for the expected state`);
    await new Promise((done) => setTimeout(done, 50));
  }
}

const observed = (client: Client, generation: number) =>
  until(async () => {
    const { metadata, status } = await client.get(WebApp, 'nginx-app');
    return metadata.generation === generation && status?.observedGeneration === generation;
  });

describe.concurrent('two operators', () => {
  test.each([
    // A lease beyond the end of the test: whoever takes over has not waited for it to expire.
    ['stopped', 'SIGTERM', 0, ['--leader-elect-lease-duration=300s', '--leader-elect-renew-deadline=200s']],
    ['killed', 'SIGKILL', 'SIGKILL', []],
  ] as const)(
    'MG-9: the second takes over when the first is %s',
    async (_, signal, end, flags) => {
      using folder = temporaryFolder();
      const { server, kubeconfig, client } = await serve(folder.path);
      await using _server = server;
      await using _client = client;
      await using first = operate(kubeconfig, flags);
      await first.says('this replica leads');
      await using second = operate(kubeconfig, flags);
      await client.create(sample);
      await observed(client, 1);
      const before = await client.get(Lease, 'webapp-operator');
      expect(second.output()).not.toContain('this replica leads');
      first.kill(signal);
      expect(await first.ended, first.output()).toBe(end);
      await second.says('this replica leads', 60_000);
      const after = await client.get(Lease, 'webapp-operator');
      expect(after.spec?.holderIdentity).not.toBe(before.spec?.holderIdentity);
      expect(after.spec?.leaseTransitions).toBe((before.spec?.leaseTransitions ?? 0) + 1);
      await client.patch(WebApp, 'nginx-app', { spec: { replicas: 4 } });
      await observed(client, 2);
      second.kill('SIGTERM');
      expect(await second.ended, second.output()).toBe(0);
      expect((await client.get(Lease, 'webapp-operator')).spec?.holderIdentity ?? '').toBe('');
    },
    120_000,
  );
});

/** How long it takes until a program has ended, and with what. */
async function ending(running: Program): Promise<{ code: number | NodeJS.Signals; seconds: number }> {
  const before = Date.now();
  const code = await running.ended;
  return { code, seconds: (Date.now() - before) / 1000 };
}

/** Every line it wrote is JSON: no stack of an uncaught error stands between them. */
const jsonLines = (running: Program): Record<string, unknown>[] =>
  running
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.concurrent('without its API server', () => {
  test.each([
    ['is gone', 'SIGKILL'],
    ['hangs', 'SIGSTOP'],
  ] as const)(
    'MG-4: an operator stopped by SIGTERM ends soon, although the server %s',
    async (_, fault) => {
      using folder = temporaryFolder();
      const { server, kubeconfig, client } = await serve(folder.path);
      await using _server = server;
      await using _client = client;
      await using leader = operate(kubeconfig);
      await leader.says('this replica leads');
      await using standby = operate(kubeconfig);
      await standby.says('this one stands by');
      server.kill(fault);
      leader.kill('SIGTERM');
      standby.kill('SIGTERM');
      const ends = await Promise.all([ending(leader), ending(standby)]);
      // Five seconds are promised; threefold, because the machine may be busy.
      for (const { code, seconds } of ends) expect([code, seconds < 15]).toEqual([0, true]);
      expect(jsonLines(leader).at(-1)).toMatchObject({ msg: 'stopped' });
    },
    120_000,
  );

  test('LE-7: a lost lease ends the process at once, with one line that says so and a code that is not 0', async () => {
    using folder = temporaryFolder();
    const { server, kubeconfig, client } = await serve(folder.path);
    await using _server = server;
    await using _client = client;
    await using leader = operate(kubeconfig);
    await leader.says('this replica leads');
    server.kill('SIGKILL');
    await leader.says('this replica no longer leads', 60_000);
    const { code, seconds } = await ending(leader);
    expect(code).toBe(1);
    // It takes a tenth of a second; the machine may be busy.
    expect(seconds, leader.output()).toBeLessThan(15);
    expect(jsonLines(leader).at(-1)).toMatchObject({ code: 'ELECTION_LOST', exitCode: 1 });
    expect(leader.output()).not.toContain('stack');
  }, 120_000);
});

describe('bad input is reported with a cure', () => {
  test.concurrent('a kubeconfig that points nowhere', async () => {
    using folder = temporaryFolder();
    await using lost = operate(join(folder.path, 'nowhere'));
    expect(await lost.ended).not.toBe(0);
    expect(lost.output()).toMatch(/CONFIG_NOT_FOUND.*nowhere|nowhere.*CONFIG_NOT_FOUND/s);
  });

  test.concurrent('an API server that is not there', async () => {
    using folder = temporaryFolder();
    const { server, kubeconfig } = await serve(folder.path);
    server.kill('SIGKILL');
    await server.ended;
    await using lost = operate(kubeconfig);
    await lost.says('TRANSPORT_UNREACHABLE');
    expect(lost.output()).toContain('start the server, or check host and port');
  });

  test.concurrent('a second demo beside the first', async () => {
    using folder = temporaryFolder();
    const { server } = await serve(folder.path);
    await using _server = server;
    await using second = program('demo/main.ts', ['--once'], folder.path);
    expect(await second.ended).toBe(1);
    expect(second.output()).toContain(`another demo is running (process ${server.pid}); stop it with Ctrl-C;`);
  });

  test.concurrent('a port in use', async () => {
    using folder = temporaryFolder();
    const { server, kubeconfig } = await serve(folder.path);
    await using _server = server;
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const taken = `127.0.0.1:${(other.address() as AddressInfo).port}`;
    const address = [`--metrics-bind-address=${taken}`, '--health-probe-bind-address=0'];
    await using blocked = program('main.ts', ['--kubeconfig', kubeconfig, ...address], folder.path);
    expect(await blocked.ended).not.toBe(0);
    expect(blocked.output()).toContain('MANAGER_PORT_IN_USE');
    expect(blocked.output()).toContain(taken);
    other.close();
  });

  test.concurrent('an unknown flag', async () => {
    using folder = temporaryFolder();
    await using confused = program('main.ts', ['--leader-elct'], folder.path);
    expect(await confused.ended).toBe(2);
    expect(confused.output().trim().split('\n')).toHaveLength(1);
    expect(confused.output()).toContain('--leader-elct');
    expect(confused.output()).toContain('--help');
  });
});

describe('the demo', () => {
  test.concurrent('reaches Ready and exits 0 with --once, leaving nothing behind', async () => {
    using folder = temporaryFolder();
    await using once = program('demo/main.ts', ['--once'], folder.path);
    expect(await once.ended).toBe(0);
    expect(once.output()).toContain('nginx-app is Ready: 3 of 3 replicas are available');
    expect(once.output()).toContain('because add of WebApp.example.com default/nginx-app');
    expect(() => statSync(join(folder.path, '.kilter/demo/lock'))).toThrow('ENOENT');
  });

  test.concurrent('ends cleanly on Ctrl-C, and its kubeconfig is for this user alone', async () => {
    using folder = temporaryFolder();
    await using running = program('demo/main.ts', [], folder.path);
    await running.says('running until Ctrl-C');
    expect(statSync(join(folder.path, '.kilter/demo/kubeconfig')).mode & 0o777).toBe(0o600);
    running.kill('SIGINT');
    expect(await running.ended).toBe(0);
  });
});
