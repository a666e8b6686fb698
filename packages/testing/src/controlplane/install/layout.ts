import { homedir } from 'node:os';
import { isAbsolute, join, posix, win32 } from 'node:path';
import { environmentVariable } from '../../environment/index.ts';
import { type BinaryName, pinnedVersions, type Source, type Versions } from './versions.ts';

/** What the place of an installation depends on; all of it is taken from the system unless given. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  /** As Node names it: x64, arm64, … */
  readonly architecture: string;
  readonly environment: (name: string) => string | undefined;
  /** Throws where the system knows none. */
  readonly home: () => string;
}

export const thisMachine: Machine = {
  platform: process.platform,
  architecture: process.arch,
  environment: environmentVariable,
  home: homedir,
};

/** A value, or why there is none: for those who answer instead of throwing. */
export type Found<Key extends string, T> =
  | ({ readonly [K in Key]: T } & { readonly problem?: undefined })
  | ({ readonly [K in Key]?: undefined } & { readonly problem: string });

/** Go's name of a platform, as in linux-amd64. */
export interface GoPlatform {
  readonly os: string;
  readonly architecture: string;
}

const systems: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  ppc64: 'ppc64le',
  s390x: 's390x',
};

export function goPlatform({ platform, architecture }: Machine): Found<'value', GoPlatform> {
  const os = systems[platform];
  const goArchitecture = architectures[architecture];
  if (os !== undefined && goArchitecture !== undefined) return { value: { os, architecture: goArchitecture } };
  return { problem: `no control plane can be built for ${platform} on ${architecture}` };
}

function homeOf(machine: Machine, paths: typeof posix): Found<'value', string> {
  const cure = 'set XDG_CACHE_HOME to a folder for caches';
  try {
    const home = machine.home();
    // HOME may be set to nothing, or to some place in the folder that happens to be the current one.
    return paths.isAbsolute(home)
      ? { value: home }
      : { problem: `the home folder is ${JSON.stringify(home)}: ${cure}` };
  } catch (error) {
    return { problem: `this user has no home folder (${String(error)}): ${cure}` };
  }
}

/** The folder that caches of all programs share: XDG_CACHE_HOME, else what the system has for it. */
export function userCacheFolder(machine: Machine): Found<'value', string> {
  const paths = machine.platform === 'win32' ? win32 : posix;
  const given = machine.environment('XDG_CACHE_HOME');
  if (given !== undefined) {
    if (paths.isAbsolute(given)) return { value: given };
    return { problem: `XDG_CACHE_HOME is ${JSON.stringify(given)}: give an absolute path` };
  }
  const local = machine.platform === 'win32' ? machine.environment('LOCALAPPDATA') : undefined;
  if (local !== undefined) return { value: local };
  const home = homeOf(machine, paths);
  if (home.problem !== undefined) return home;
  if (machine.platform === 'win32') return { value: paths.join(home.value, 'AppData', 'Local') };
  return { value: paths.join(home.value, ...(machine.platform === 'darwin' ? ['Library', 'Caches'] : ['.cache'])) };
}

/** Where the files of one installation are. */
export interface Layout {
  /** Of all installations. */
  readonly root: string;
  /** Of this one: its name says versions and platform. */
  readonly folder: string;
  /** What KUBEBUILDER_ASSETS may name. */
  readonly binaries: string;
  readonly manifest: string;
  readonly logs: string;
  /** Of Go: files under way. */
  readonly temporary: string;
  readonly lock: string;
  readonly versions: Versions;
  readonly platform: GoPlatform;
  readonly binary: (name: BinaryName) => string;
  readonly module: (source: Source) => string;
}

/** The name of an installation's folder. */
export function installationName(versions: Versions, platform: GoPlatform): string {
  const sources = Object.entries(versions).map(([source, version]) => `${source}-${String(version).slice(1)}`);
  return [...sources, platform.os, platform.architecture].join('-');
}

export function layoutIn(root: string, versions: Versions, platform: GoPlatform): Layout {
  const folder = join(root, installationName(versions, platform));
  const binaries = join(folder, 'bin');
  return {
    root,
    folder,
    binaries,
    manifest: join(folder, 'manifest.json'),
    logs: join(folder, 'logs'),
    temporary: join(folder, 'tmp'),
    lock: join(root, 'install.lock'),
    versions,
    platform,
    binary: (name) => join(binaries, executable(name, platform)),
    module: (source) => join(folder, 'modules', source),
  };
}

export function executable(name: BinaryName, platform: Pick<GoPlatform, 'os'>): string {
  return platform.os === 'windows' ? `${name}.exe` : name;
}

export interface LayoutOptions {
  readonly machine?: Machine | undefined;
  readonly versions?: Versions | undefined;
  /** Instead of the user's cache folder. */
  readonly cacheFolder?: string | undefined;
}

export function findLayout(options: LayoutOptions = {}): Found<'layout', Layout> {
  const machine = options.machine ?? thisMachine;
  const platform = goPlatform(machine);
  if (platform.problem !== undefined) return { problem: platform.problem };
  const cache = cacheFolderOf(options.cacheFolder, machine);
  if (cache.problem !== undefined) return { problem: cache.problem };
  const root = join(cache.value, 'kilter', 'control-plane');
  return { layout: layoutIn(root, options.versions ?? pinnedVersions, platform.value) };
}

function cacheFolderOf(given: string | undefined, machine: Machine): Found<'value', string> {
  if (given === undefined) return userCacheFolder(machine);
  if (isAbsolute(given)) return { value: given };
  return { problem: `the cache folder ${JSON.stringify(given)} is not an absolute path` };
}
