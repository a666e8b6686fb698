// The program with the specs and its runner, from published modules: minutes the first time, moments after it.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { linkerFlags } from '../../../packages/testing/src/controlplane/install/recipe.ts';
import { moduleFile } from '../../../packages/testing/src/controlplane/install/scratch-module.ts';
import { pinnedVersions } from '../../../packages/testing/src/controlplane/install/versions.ts';

const folder = resolve(import.meta.dirname, '../../../.kilter/outside/e2e');

export interface SpecProgram {
  readonly specs: string;
  readonly runner: string;
}

export async function buildSpecs(): Promise<SpecProgram> {
  await mkdir(folder, { recursive: true });
  await writeFile(resolve(folder, 'go.mod'), moduleFile('kubernetes', pinnedVersions));
  for (const file of ['suite_test.go', 'ginkgo.go'])
    await copyFile(resolve(import.meta.dirname, file), resolve(folder, file));
  const env = { ...process.env, CGO_ENABLED: '0', GOFLAGS: '-mod=mod', GOWORK: 'off' };
  const go = (...args: readonly string[]): Promise<unknown> =>
    promisify(execFile)('go', [...args], { cwd: folder, env, maxBuffer: 2 ** 26 });
  const [specs, runner] = [resolve(folder, 'e2e.test'), resolve(folder, 'ginkgo')];
  // The flags of the installed programs, so that what was compiled for those is used.
  await go('build', '-trimpath', '-o', runner, 'github.com/onsi/ginkgo/v2/ginkgo');
  const flags = linkerFlags('kubernetes', pinnedVersions);
  await go('test', '-c', '-vet=off', '-trimpath', '-ldflags', flags, '-o', specs, '.');
  return { specs, runner };
}
