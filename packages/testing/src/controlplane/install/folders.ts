import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { checksums } from './checksums.gen.ts';
import type { Layout } from './layout.ts';
import { type Manifest, writeManifest } from './manifest.ts';
import { moduleFile, publishedModule } from './scratch-module.ts';
import type { Source } from './versions.ts';
import { writing } from './writing.ts';

export const partialPrefix = '.partial-';

/** Makes the folder of all installations, where the lock is. */
export function makeRoot(layout: Layout): void {
  writing(layout.root, () => makeFolder(layout.root));
}

/** Makes the folders of an installation and takes away what an ended one left half done. Only under the lock. */
export function makeFolders(layout: Layout): void {
  writing(layout.folder, () => {
    for (const folder of [layout.binaries, layout.logs]) makeFolder(folder);
    for (const file of readdirSync(layout.binaries)) {
      if (file.startsWith(partialPrefix)) rmSync(join(layout.binaries, file));
    }
    removeTemporary(layout);
    makeFolder(layout.temporary);
  });
}

/** With its parents. Node's own way never ends where the system says of every new folder that its parent is not there. */
function makeFolder(folder: string): void {
  if (isFolder(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(parent);
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it in this very moment.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

export function removeTemporary(layout: Layout): void {
  // A compiler that was killed may still be writing for a moment.
  writing(layout.folder, () =>
    rmSync(layout.temporary, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  );
}

/** Writes the scratch module a source is built in, afresh: Go completes it, and that must not depend on the past. */
export function writeModule(layout: Layout, source: Source): void {
  const folder = layout.module(source);
  writing(folder, () => {
    makeFolder(folder);
    writeFileSync(join(folder, 'go.mod'), moduleFile(source, layout.versions));
    const { version, sums } = checksums[source];
    // Of other versions nothing is pinned: then Go's checksum database is the judge.
    if (version === layout.versions[source]) writeFileSync(join(folder, 'go.sum'), sums);
  });
}

export function saveManifest(layout: Layout, manifest: Manifest): void {
  writing(layout.folder, () => {
    const partial = `${layout.manifest}.partial`;
    writeFileSync(partial, writeManifest(manifest));
    renameSync(partial, layout.manifest);
  });
}

/** Whether an earlier build has downloaded a source into Go's module cache. */
export function isDownloaded(moduleCache: string, layout: Layout, source: Source): boolean {
  const { path, version } = publishedModule(source, layout.versions);
  return existsSync(join(moduleCache, 'cache', 'download', ...path.split('/'), '@v', `${version}.zip`));
}

/** Whether Go has put anything into its build cache: it writes this file when it makes the folder. */
export function hasCompiled(buildCache: string): boolean {
  return existsSync(join(buildCache, 'README'));
}
