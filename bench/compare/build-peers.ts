// npm run bench:peers: installs and builds what Kilter is measured beside. A toolchain that is missing is said, not mourned.
import { execFileSync, spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { installPeers } from '../harness/prepare.ts';
import { goFolder, goProgram, rustFolder, rustProgram } from './peer-programs.ts';

function build(
  what: string,
  command: string,
  options: { args: readonly string[]; cwd: string; env?: NodeJS.ProcessEnv },
): void {
  if (spawnSync(command, ['version']).error !== undefined) {
    console.log(`${what}: not built, there is no \`${command}\` on the PATH`);
    return;
  }
  console.log(`${what}: building (minutes, the first time)`);
  const { args, cwd, env = {} } = options;
  execFileSync(command, args, { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit'] });
}

installPeers();
build('controller-runtime', 'go', { args: ['build', '-o', goProgram, '.'], cwd: goFolder });
build('kube-rs', 'cargo', {
  args: ['build', '--release', '--locked'],
  cwd: rustFolder,
  env: { CARGO_TARGET_DIR: dirname(dirname(rustProgram)) },
});
