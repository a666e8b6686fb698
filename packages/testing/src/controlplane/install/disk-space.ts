import { existsSync, statfsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { BinaryName } from './versions.ts';

const mega = 1024 * 1024;

/** A folder that grows, by how much, and the variable that moves it elsewhere. */
export interface Need {
  readonly folder: string;
  readonly bytes: number;
  readonly variable: string;
}

/** A file system, as far as it matters here. */
export interface Volume {
  /** Equal for folders that share their space. */
  readonly id: string;
  readonly free: number;
}

export interface Shortage {
  readonly needs: readonly Need[];
  readonly bytes: number;
  readonly free: number;
}

// Measured with Kubernetes 1.36 on linux-amd64 and empty caches, with a reserve of about a tenth for the binaries.
const binarySizes: Readonly<Record<BinaryName, number>> = {
  etcd: 30 * mega,
  'kube-apiserver': 120 * mega,
  kubectl: 70 * mega,
  'kube-controller-manager': 110 * mega,
  'kube-scheduler': 85 * mega,
  kwok: 75 * mega,
};
// Linking writes the binary once more before it is in its place.
const linking = 300 * mega;
// While Go compiles all of kube-apiserver, what it compiled lies beside the binary as well as in its cache.
const objects = 2100 * mega;
const modules = 1150 * mega;
const packages = 3900 * mega;
// Little is compiled again where an earlier build has been; what more there is shows itself when it comes.
const packagesAgain = 300 * mega;

export interface Growth {
  readonly missing: readonly BinaryName[];
  /** Whether an earlier build has downloaded the sources. */
  readonly downloaded: boolean;
  /** Whether Go has a cache of compiled packages from earlier builds. */
  readonly compiled: boolean;
  readonly folders: { readonly binaries: string; readonly buildCache: string; readonly moduleCache: string };
}

export function spaceNeeded({ missing, downloaded, compiled, folders }: Growth): readonly Need[] {
  if (missing.length === 0) return [];
  const warm = downloaded && compiled;
  const binaries = missing.reduce((sum, name) => sum + binarySizes[name], warm ? linking : objects);
  const all = [
    { folder: folders.binaries, bytes: binaries, variable: 'XDG_CACHE_HOME' },
    { folder: folders.buildCache, bytes: warm ? packagesAgain : packages, variable: 'GOCACHE' },
    { folder: folders.moduleCache, bytes: downloaded ? 0 : modules, variable: 'GOMODCACHE' },
  ];
  return all.filter(({ bytes }) => bytes > 0);
}

/** The first volume that cannot hold all that is to be put on it. */
export function shortage(needs: readonly Need[], volumeOf: (folder: string) => Volume): Shortage | undefined {
  const volumes = Map.groupBy(needs, ({ folder }) => volumeOf(folder).id);
  for (const group of volumes.values()) {
    const bytes = group.reduce((sum, need) => sum + need.bytes, 0);
    const free = volumeOf(group[0]?.folder ?? '').free;
    if (free < bytes) return { needs: group, bytes, free };
  }
  return undefined;
}

export function volumeOf(folder: string): Volume {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  const { bavail, bsize } = statfsSync(existing);
  return { id: String(statSync(existing).dev), free: bavail * bsize };
}

export function inWords(bytes: number): string {
  if (bytes >= 1024 * mega) return `${(bytes / mega / 1024).toFixed(1)} GiB`;
  return `${Math.ceil(bytes / mega)} MiB`;
}
