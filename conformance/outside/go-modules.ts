// Go and what it fetches: modules by name and version, and the programs of the folder go.
import { execFile } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const sources = resolve(import.meta.dirname, 'go');
const built = resolve(import.meta.dirname, '../../.kilter/outside');

/** Why Go cannot be used; undefined if it can. */
export async function goProblem(): Promise<string | undefined> {
  try {
    await run('go', ['version']);
    return undefined;
  } catch {
    return 'there is no Go on this machine (https://go.dev/dl)';
  }
}

/** The folder of a published module, fetched where it is not there yet. */
export async function moduleFolder(module: string): Promise<string> {
  const { stdout } = await run('go', ['mod', 'download', '-json', module], { cwd: sources });
  return (JSON.parse(stdout) as { Dir: string }).Dir;
}

/** The executable of our programs over Go's libraries. */
export async function buildPrograms(): Promise<string> {
  await mkdir(built, { recursive: true });
  const program = resolve(built, 'outside');
  await run('go', ['build', '-o', program, '.'], { cwd: sources, maxBuffer: 2 ** 26 });
  return program;
}
