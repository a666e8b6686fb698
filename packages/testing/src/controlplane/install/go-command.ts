import { goVersionNeeded } from './scratch-module.ts';
import type { GoPlatform } from './layout.ts';

/** What `go env` says of itself. */
export interface GoFacts {
  readonly version: string;
  readonly toolchain: string;
  readonly flags: string;
  readonly buildCache: string;
  readonly moduleCache: string;
  readonly temporary: string;
}

export const goFactNames: readonly string[] = [
  'GOVERSION',
  'GOTOOLCHAIN',
  'GOFLAGS',
  'GOCACHE',
  'GOMODCACHE',
  'GOTMPDIR',
];

/** Undefined for what is not the answer of `go env -json`. */
export function readGoFacts(output: string): GoFacts | undefined {
  let values: Record<string, unknown>;
  try {
    values = JSON.parse(output) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const text = (name: string): string => (typeof values[name] === 'string' ? values[name] : '');
  if (text('GOVERSION') === '') return undefined;
  return {
    version: text('GOVERSION'),
    toolchain: text('GOTOOLCHAIN'),
    flags: text('GOFLAGS'),
    buildCache: text('GOCACHE'),
    moduleCache: text('GOMODCACHE'),
    temporary: text('GOTMPDIR'),
  };
}

/**
 * - ready: new enough.
 * - fetches: too old, but it downloads the release a module asks for.
 * - old: too old, and configured not to do that, or from before it could.
 */
export type GoVerdict = 'ready' | 'fetches' | 'old';

// The first release that can fetch another.
const firstWithToolchains = '1.21';

export function judgeGo({ version, toolchain }: Pick<GoFacts, 'version' | 'toolchain'>): GoVerdict {
  if (atLeast(version, goVersionNeeded)) return 'ready';
  const fetches = toolchain === 'auto' || toolchain.endsWith('+auto');
  return fetches && atLeast(version, firstWithToolchains) ? 'fetches' : 'old';
}

function atLeast(version: string, needed: string): boolean {
  const found = /^(?:go|devel go)(\d+)\.(\d+)/.exec(version);
  const [major = 0, minor = 0] = needed.split('.').map(Number);
  if (found === null) return false;
  return Number(found[1]) > major || (Number(found[1]) === major && Number(found[2]) >= minor);
}

/** The user's flags stay, except those that say where go.mod is and whether it may be completed. */
export function goFlags(flags: string): string {
  const kept = flags.replaceAll(/(?<=^|\s)--?mod(file)?=\S*/g, '').trim();
  return kept === '' ? '-mod=mod' : `${kept} -mod=mod`;
}

/** The variables a build sets: what it makes depends on the scratch module alone, wherever it is run. */
export function buildVariables(facts: GoFacts, platform: GoPlatform, temporary: string): Record<string, string> {
  return {
    CGO_ENABLED: '0',
    GO111MODULE: 'on',
    GOWORK: 'off',
    GOOS: platform.os,
    GOARCH: platform.architecture,
    GOFLAGS: goFlags(facts.flags),
    // Of our own, so that what an ended build leaves behind can be found and removed.
    GOTMPDIR: facts.temporary === '' ? temporary : facts.temporary,
  };
}
