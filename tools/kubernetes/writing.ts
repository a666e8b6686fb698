// Compares the generated files with those of a folder, and makes them equal.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { modulesFolder, type Outputs } from './outputs.ts';

export interface StaleFile {
  readonly path: string;
  readonly reason: 'missing' | 'stale' | 'not generated any more';
}

const isTest = /\.test(-d)?\.ts$/;

/** Files beside the generated ones: the folder holds nothing else but tests. */
function strangers(root: string, { files }: Outputs): StaleFile[] {
  const folder = resolve(root, modulesFolder);
  if (!existsSync(folder)) return [];
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const strange = paths.filter((path) => !files.has(path) && !isTest.test(path));
  return strange.map((path) => ({ path, reason: 'not generated any more' }));
}

export function staleFiles(root: string, outputs: Outputs): StaleFile[] {
  const own = [...outputs.files].flatMap(([path, text]): StaleFile[] => {
    const place = resolve(root, path);
    if (!existsSync(place)) return [{ path, reason: 'missing' }];
    return readFileSync(place, 'utf8') === text ? [] : [{ path, reason: 'stale' }];
  });
  return [...own, ...strangers(root, outputs)];
}

/** Writes what is stale and nothing else, so that a second run touches no file. */
export function writeFiles(root: string, { files }: Outputs, stale: readonly StaleFile[]): void {
  for (const { path } of stale) {
    const place = resolve(root, path);
    const text = files.get(path);
    if (text === undefined) {
      rmSync(place);
      continue;
    }
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  }
}

export function summaryOf({ files, modules, listed }: Outputs, stale: number): string[] {
  const kinds = modules.flatMap((module) => module.kinds);
  const requests = modules.flatMap((module) => module.requests);
  return [
    `${kinds.length} kinds generated, ${listed} kinds with a list verb in the documents`,
    `${requests.length} more that are only created: ${requests.toSorted().join(', ')}`,
    `${files.size} files, ${stale} of them changed`,
  ];
}
