// Published Go modules, fetched when they are needed; nothing of them is kept here.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

type Modules = Readonly<Record<string, { readonly module: string; readonly version: string }>>;

const modules = JSON.parse(readFileSync(new URL('modules.json', import.meta.url), 'utf8')) as Modules;
const extractor = fileURLToPath(new URL('extract', import.meta.url));

/** Where a module lies after Go has fetched it. */
export function folderOf(name: string): string {
  const wanted = modules[name];
  if (wanted === undefined) throw new Error(`modules.json names no ${name}`);
  const { module, version } = wanted;
  const answer = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], { encoding: 'utf8' });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

/** What tables and calls of a source file hold, by their names; one entry for each place of that name. */
export function tablesIn(file: string, ...names: readonly string[]): Readonly<Record<string, readonly unknown[]>> {
  const output = execFileSync('go', ['run', '.', file, ...names], {
    cwd: extractor,
    encoding: 'utf8',
    maxBuffer: 64 * 2 ** 20,
  });
  return JSON.parse(output) as Record<string, unknown[]>;
}
