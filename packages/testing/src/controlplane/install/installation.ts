import { accessSync, constants, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import type { Layout } from './layout.ts';
import { describes, type Manifest, readManifest } from './manifest.ts';
import { type BinaryName, binaryNames } from './versions.ts';

/**
 * - installed: the file that the manifest names.
 * - missing: no file.
 * - doubtful: a file that is not, or not as it is, in the manifest of these versions.
 */
export type Standing = 'installed' | 'missing' | 'doubtful';

export interface Installation {
  /** Absent where there is none that can be read, or it is of other versions. */
  readonly manifest?: Manifest | undefined;
  readonly standing: Readonly<Record<BinaryName, Standing>>;
}

/** Looks at names and sizes only: cheap enough to ask before every test file. */
export function inspectInstallation(layout: Layout): Installation {
  const manifest = manifestOf(layout);
  const standing = Object.fromEntries(
    binaryNames.map((name) => [name, standingOf(layout.binary(name), manifest?.binaries[name]?.size)]),
  ) as Record<BinaryName, Standing>;
  return { manifest, standing };
}

export function isComplete({ standing }: Installation): boolean {
  return binaryNames.every((name) => standing[name] === 'installed');
}

/** Names of installations of other versions or platforms beside this one. */
export function otherInstallations(layout: Layout): readonly string[] {
  return unlessAbsent(() => readdirSync(layout.root, { withFileTypes: true }), [])
    .filter((entry) => entry.isDirectory() && entry.name !== basename(layout.folder))
    .map((entry) => entry.name)
    .sort();
}

function standingOf(path: string, listed: number | undefined): Standing {
  const stats = unlessAbsent(() => statSync(path), undefined);
  if (stats?.isFile() !== true) return 'missing';
  return stats.size === listed && isExecutable(path) ? 'installed' : 'doubtful';
}

function manifestOf(layout: Layout): Manifest | undefined {
  const text = unlessAbsent(() => readFileSync(layout.manifest, 'utf8'), undefined);
  const manifest = text === undefined ? undefined : readManifest(text);
  return manifest !== undefined && describes(manifest, layout.versions, layout.platform) ? manifest : undefined;
}

/** A file that this user may run. */
export function isExecutable(path: string): boolean {
  const run = (): boolean => {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  };
  return unlessAbsent(run, false);
}

/** Not there, not reachable for this user, or a link to itself: the same answer here, nothing to be used. */
function unlessAbsent<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall !== undefined) return otherwise;
    throw error;
  }
}
