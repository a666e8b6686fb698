// npm run getting-started: does what docs/guide/getting-started.md says, in its order, from an empty folder, with the packages as
// they would be published: on the oldest Node that is supported and on that of this workspace.
//   -- --keep   leaves the folders, for a look at them
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { manifestOf, oldestNode, ownEnvironment, pack, run } from '../packages.ts';
import { workspace } from '../test-results.ts';
import { type Step, stepsOf, substituted } from './steps.ts';

const page = resolve(workspace, 'docs/guide/getting-started.md');
/** Milliseconds until a command that is left running must have said that it runs. */
const patience = 120_000;

/** What a reader's npm would find in the registry: our packages as they are here, the others as they are pinned here. */
function packages(folder: string): Record<string, string> {
  const { devDependencies } = manifestOf('.');
  const pinned = (...names: string[]): string => names.map((name) => `${name}@${devDependencies[name]}`).join(' ');
  return {
    kilter: pack('kilter', folder),
    '@kilter/testing': `${pack('testing', folder)} ${pack('apiserver', folder)}`,
    zod: pinned('zod'),
    vitest: pinned('vitest', 'vite', 'rolldown'),
    typescript: pinned('typescript'),
    '@types/node': pinned('@types/node'),
  };
}

/** One reader: a folder, a Node, and what was left running. */
class Reader {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #packages: Readonly<Record<string, string>>;
  readonly #running: ChildProcess[] = [];
  /** Where the last command left off. */
  #folder: string;
  readonly #where: string;

  constructor(folder: string, node: string, given: Readonly<Record<string, string>>) {
    this.#folder = folder;
    this.#where = join(folder, '.where');
    this.#packages = given;
    const own = ownEnvironment();
    this.#environment = {
      ...own,
      PATH: `${dirname(node)}:${own['PATH'] ?? ''}`,
      NODE_DISABLE_COLORS: '1',
      NO_COLOR: '1',
    };
  }

  async follow(step: Step): Promise<void> {
    if (step.type === 'file') writeFileSync(join(this.#folder, step.name), step.text);
    else if (step.type === 'command') this.#command(step);
    else await this.#background(step);
  }

  #command({ script, expected, line }: Step & { type: 'command' }): void {
    const text = `set -e\n${substituted(script, this.#packages)}pwd > '${this.#where}'\n`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', text], {
      cwd: this.#folder,
      encoding: 'utf8',
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = `${stdout}${stderr}`;
    if (status !== 0) throw new Error(`getting-started.md:${line}: ended with ${status}:\n${script}${said}`);
    if (expected !== undefined && !said.includes(expected)) {
      throw new Error(`getting-started.md:${line}: did not print "${expected}":\n${script}${said}`);
    }
    this.#folder = readFileSync(this.#where, 'utf8').trim();
  }

  #background({ script, until, line }: Step & { type: 'background' }): Promise<void> {
    // A group of its own: npx starts others, and all of them are ended.
    const child = spawn('bash', ['-c', script], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    this.#running.push(child);
    return new Promise((done, fail) => {
      let said = '';
      const failed = (how: string): void => fail(new Error(`getting-started.md:${line}: ${how}:\n${script}${said}`));
      const timer = setTimeout(() => failed(`did not print "${until}"`), patience);
      const heard = (chunk: Buffer): void => {
        said += chunk.toString();
        if (!said.includes(until)) return;
        clearTimeout(timer);
        done();
      };
      child.stdout.on('data', heard);
      child.stderr.on('data', heard);
      child.once('exit', (code) => failed(`ended with ${code}`));
    });
  }

  end(): void {
    for (const { pid, exitCode } of this.#running.reverse()) {
      if (pid !== undefined && exitCode === null) process.kill(-pid, 'SIGTERM');
    }
  }
}

/** The program `node` of this version, from npm. */
function nodeOf(version: string, folder: string): string {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const spec = `node-bin@npm:node-${platform}-${process.arch}@${version}`;
  run('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', '--no-save', '--prefix', folder, spec], folder);
  return join(folder, 'node_modules/node-bin/bin/node');
}

async function read(steps: readonly Step[], version: string, given: Readonly<Record<string, string>>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'kilter-getting-started-'));
  const toolbox = mkdtempSync(join(tmpdir(), 'kilter-node-'));
  const reader = new Reader(folder, nodeOf(version, toolbox), given);
  try {
    for (const step of steps) await reader.follow(step);
    console.log(`getting started leads to a green test and a running operator on Node ${version}`);
  } finally {
    reader.end();
    if (process.argv.includes('--keep')) console.log(folder);
    else rmSync(folder, { recursive: true, force: true });
    rmSync(toolbox, { recursive: true, force: true });
  }
}

async function main(): Promise<void> {
  const steps = stepsOf(readFileSync(page, 'utf8'));
  const tarballs = mkdtempSync(join(tmpdir(), 'kilter-packed-'));
  try {
    run('npm', ['run', '-s', 'build'], workspace);
    const given = packages(tarballs);
    for (const version of [oldestNode(manifestOf('packages/kilter')), process.versions.node]) {
      await read(steps, version, given);
    }
  } finally {
    rmSync(tarballs, { recursive: true, force: true });
  }
}

await main();
