// moto as a process: its own virtual environment, made once, and a server on loopback that ends with its scope.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, resolve } from 'node:path';
import { systemRuntime } from 'kilter/runtime';

const version = '5.2.5';
const folder = resolve(import.meta.dirname, `../../../../node_modules/.cache/moto-${version}`);
const { clock } = systemRuntime;
/** In milliseconds, for each step of the installation: a package index that does not answer is not waited for for ever. */
const patience = 900_000;

/** The program, made where it is missing; or why there is none. */
export function installMoto(): { readonly program: string } | { readonly missing: string } {
  const program = resolve(folder, 'bin/moto_server');
  if (existsSync(program)) return { program };
  if (spawnSync('python3', ['--version']).status !== 0) return { missing: 'python3 is not installed' };
  mkdirSync(dirname(folder), { recursive: true });
  for (const old of [folder, `${folder}.broken`]) rmSync(old, { recursive: true, force: true });
  const steps = [
    ['python3', '-m', 'venv', folder],
    [resolve(folder, 'bin/pip'), 'install', '--quiet', `moto[server]==${version}`],
  ] as const;
  for (const [command, ...args] of steps) {
    const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8', timeout: patience });
    if (status === 0) continue;
    // Half an environment would be taken for a whole one next time.
    if (existsSync(folder)) renameSync(folder, `${folder}.broken`);
    return { missing: `${command} ${args.join(' ')} failed: ${error?.message ?? stderr.trim().split('\n').at(-1)}` };
  }
  return { program };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((done) => void server.once('listening', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => void server.close(done));
  return port;
}

export interface MotoServer extends AsyncDisposable {
  readonly endpoint: string;
  /** Forgets everything. */
  reset(): Promise<void>;
}

export async function motoServer(program: string): Promise<MotoServer> {
  const port = await freePort();
  const endpoint = `http://127.0.0.1:${port}`;
  const child = spawn(program, ['--host', '127.0.0.1', '--port', String(port)], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => void (output = `${output}${text}`.slice(-4000)));
  const ended = new Promise<void>((done) => void child.once('exit', () => done()));
  const close = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
  };
  if (!(await isUp(endpoint, child))) {
    await close();
    throw new Error(`moto does not answer:\n${output}`);
  }
  return {
    endpoint,
    reset: async () => void (await fetch(`${endpoint}/moto-api/reset`, { method: 'POST' })),
    [Symbol.asyncDispose]: close,
  };
}

async function isUp(endpoint: string, child: ChildProcess): Promise<boolean> {
  for (const over = clock.monotonic() + 60_000; clock.monotonic() < over && child.exitCode === null;) {
    const answers = await fetch(`${endpoint}/moto-api/data.json`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (answers) return true;
    await clock.sleep(100);
  }
  return false;
}
