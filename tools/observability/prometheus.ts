// Where a Prometheus is: in the PATH, where PROMETHEUS_HOME says, or unpacked in the user's cache folder.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';

export interface Prometheus {
  readonly server: string;
  readonly promtool: string;
}

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'kilter', 'prometheus');

export const missing =
  'no prometheus and promtool: install the package prometheus, set PROMETHEUS_HOME, or run npm run observability -- --install (Debian, without root)';

export function findPrometheus(): Prometheus | undefined {
  const home = process.env['PROMETHEUS_HOME'];
  const folders = [
    ...(home === undefined ? [] : [home]),
    ...(process.env['PATH'] ?? '').split(delimiter),
    join(cache, 'usr', 'bin'),
  ];
  const found = folders.find(
    (folder) => existsSync(join(folder, 'prometheus')) && existsSync(join(folder, 'promtool')),
  );
  return found === undefined ? undefined : { server: join(found, 'prometheus'), promtool: join(found, 'promtool') };
}

function run(command: string, args: readonly string[]): void {
  const { status, error, stderr } = spawnSync(command, args, { cwd: cache, encoding: 'utf8' });
  if (error !== undefined || status !== 0) throw new Error(`${command} ${args.join(' ')}: ${error?.message ?? stderr}`);
}

/** Debian's package, unpacked: nothing of the system is changed. */
export function installPrometheus(): void {
  mkdirSync(cache, { recursive: true });
  run('apt-get', ['download', 'prometheus']);
  const deb = readdirSync(cache).find((name) => name.startsWith('prometheus_') && name.endsWith('.deb'));
  if (deb === undefined) throw new Error('apt-get download left no package');
  run('dpkg', ['-x', deb, '.']);
}
