// npx @kilter/apiserver --snapshot: the file between two runs.
import { type ChildProcess, spawn } from 'node:child_process';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { JsonObject } from 'kilter/api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { isReplaceable, kubeconfigText } from './kubeconfig.ts';
import { configMap, paths, ServerUnderTest } from './server-under-test.test-support.ts';
import { readSnapshot, writeSnapshot } from './snapshot-file.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'kilter-snapshot-'));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

interface Run {
  readonly child: ChildProcess;
  /** The text on both outputs so far. */
  readonly said: () => string;
  readonly ended: Promise<number | null>;
}

function command(cwd: string, ...args: string[]): Run {
  const program = resolve(import.meta.dirname, 'command.ts');
  const child = spawn(process.execPath, ['--conditions=@kilter/source', program, '--no-workloads', ...args], { cwd });
  onTestFinished(() => void child.kill('SIGKILL'));
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return { child, said: () => text, ended: new Promise((done) => child.once('close', done)) };
}

/** Resolves once the command serves; throws what it said if it ended instead. */
async function serving(run: Run): Promise<void> {
  await new Promise<void>((done, fail) => {
    run.child.stdout?.on('data', () => run.said().includes('export KUBECONFIG=') && done());
    void run.ended.then(() => fail(new Error(run.said())));
  });
}

async function snapshotOf(name: string): Promise<ReturnType<ServerUnderTest['server']['snapshot']>> {
  await using api = new ServerUnderTest();
  await api.ok(`POST ${paths.configMaps}`, configMap(name, { data: { k: '1' } }));
  return api.server.snapshot();
}

const heldIn = (file: string): string[] =>
  (JSON.parse(readFileSync(file, 'utf8')) as { objects: { bucket: string; key: string }[] }).objects
    .filter(({ bucket }) => bucket === '/configmaps')
    .map(({ key }) => key);

describe('API-H4: the file', () => {
  test('is read as it was written, and holds Secrets for nobody else to read', async () => {
    const file = join(folder(), 'state.json');
    expect(readSnapshot(file)).toBeUndefined();
    const snapshot = await snapshotOf('a');
    writeSnapshot(file, snapshot);
    expect(readSnapshot(file)).toEqual(snapshot);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('is replaced as a whole: a write that fails leaves the old one, and nothing beside it', async () => {
    const within = folder();
    const file = join(within, 'state.json');
    writeSnapshot(file, await snapshotOf('a'));
    const before = readFileSync(file, 'utf8');
    const broken = {
      toJSON: () => {
        throw new Error('no space');
      },
    } as unknown as Awaited<ReturnType<typeof snapshotOf>>;
    expect(() => writeSnapshot(file, broken)).toThrow('APISERVER_SNAPSHOT_UNWRITABLE');
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(readdirSync(within)).toEqual(['state.json']);
  });

  test('that is a link stays one', async () => {
    const within = folder();
    writeFileSync(join(within, 'real.json'), '{}');
    symlinkSync('real.json', join(within, 'link.json'));
    const snapshot = await snapshotOf('a');
    writeSnapshot(join(within, 'link.json'), snapshot);
    expect(readSnapshot(join(within, 'real.json'))).toEqual(snapshot);
  });
});

describe('the kubeconfig of the command', () => {
  test('is never one of somebody else: that would be gone in the end', async () => {
    const within = folder();
    const file = join(within, 'config');
    const own = 'apiVersion: v1\nkind: Config\nclusters: []\n';
    writeFileSync(file, own);
    const run = command(within, '--kubeconfig', file);
    expect([await run.ended, run.said()]).toEqual([1, expect.stringContaining('name another file')]);
    expect(readFileSync(file, 'utf8')).toBe(own);
  });

  test.each([
    ['nothing', '', true],
    ['one of a server before', kubeconfigText({ url: 'https://127.0.0.1:1', ca: undefined, token: 't' }), true],
    ['one of somebody else, in JSON', '{"clusters":[{"name":"prod"}],"contexts":[{"name":"prod"}]}', false],
    ['a list', '[]', false],
    ['null', 'null', false],
  ])('%s may be replaced or not', (_, text, replaced) => {
    expect(isReplaceable(text)).toBe(replaced);
  });
});

describe('API-H4: the command', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'keeps what it holds when it gets %s, and begins with it again',
    async (signal) => {
      const within = folder();
      const file = join(within, 'made', 'state.json');
      const first = command(within, '--snapshot', file);
      await serving(first);
      first.child.kill(signal);
      expect(await first.ended).toBe(0);
      expect(heldIn(file).length).toBeGreaterThan(0);
      // What another server made is what this one begins with.
      writeSnapshot(file, await snapshotOf('kept'));
      const second = command(within, '--snapshot', file);
      await serving(second);
      second.child.kill(signal);
      expect(await second.ended).toBe(0);
      expect(heldIn(file)).toContain('default/kept');
      expect(readdirSync(join(within, 'made'))).toEqual(['state.json']);
    },
  );

  test.each([
    ['not JSON', '{"form":"kilter-apis', 'APISERVER_SNAPSHOT_UNREADABLE'],
    ['empty', '', 'APISERVER_SNAPSHOT_UNREADABLE'],
    ['of another program', '{"kind":"List","items":[]}', 'does not have the form kilter-apiserver/1'],
  ])('refuses a file that is %s, and leaves it as it is', async (_, text, message) => {
    const within = folder();
    const file = join(within, 'state.json');
    writeFileSync(file, text);
    const run = command(within, '--snapshot', file);
    expect(await run.ended).toBe(1);
    expect(run.said()).toContain(message);
    expect(run.said()).toContain('APISERVER_SNAPSHOT_UNREADABLE: name another file, or move this one away');
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(join(within, '.kilter'))).toBe(false);
  });

  test('refuses a folder that cannot be written before it serves', async () => {
    const within = folder();
    writeFileSync(join(within, 'file'), '');
    const run = command(within, '--snapshot', join(within, 'file', 'state.json'));
    expect(await run.ended).toBe(1);
    expect(run.said()).toContain('APISERVER_SNAPSHOT_UN');
  });
});

describe('other files of the command', () => {
  test.each<[why: string, flag: string, path: readonly string[], message: string]>([
    ['users that are not there', '--users', ['none'], 'cannot be read: ENOENT'],
    ['users that are a folder', '--users', ['.'], 'cannot be read: EISDIR'],
    ['a kubeconfig below a file', '--kubeconfig', ['file', 'config'], 'cannot be written: ENOTDIR'],
    ['a kubeconfig that is a folder', '--kubeconfig', ['.'], 'cannot be written: EISDIR'],
  ])('%s: a message, and no stack', async (_, flag, path, message) => {
    const within = folder();
    writeFileSync(join(within, 'file'), '');
    const run = command(within, flag, join(within, ...path));
    expect(await run.ended).toBe(1);
    expect(run.said()).toMatch(new RegExp(`^${flag} \\S+ ${message}.*\n$`));
  });
});

test('a snapshot of text is plain JSON', async () => {
  const snapshot = (await snapshotOf('a')) as unknown as JsonObject;
  expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
});
