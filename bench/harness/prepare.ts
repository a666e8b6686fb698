import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const peers = fileURLToPath(new URL('../peers', import.meta.url));

function run(command: string, args: readonly string[], cwd = root): void {
  execFileSync(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });
}

/** The runtime as its users get it: built (that part of `npm run build`), not as sources. Rooms are entered in `dist`. */
export function build(checkout = root): void {
  run('npx', ['tsc', '-b', 'packages/kilter'], checkout);
  run('npx', ['node', 'tools/bundle.ts'], checkout);
}

/** Installs what Kilter is measured beside, by its own lock file. */
export function installPeers(): void {
  if (existsSync(`${peers}/node_modules/.package-lock.json`)) return;
  console.log('installing the peers (bench/peers)');
  run('npm', ['ci', '--prefix', peers, '--no-audit', '--no-fund']);
}
