import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { KilterError } from 'kilter';
import { type Ended, endedInWords, type Ran } from './child.ts';
import { inWords, type Shortage } from './disk-space.ts';
import type { GoFacts } from './go-command.ts';
import { classifyFailure, type GoFailure } from './go-failure.ts';
import type { Foreign } from './plan.ts';
import { goVersionNeeded } from './scratch-module.ts';

const codes = {
  'disk-full': 'TESTING_DISK_FULL',
  'too-old': 'TESTING_GO_TOO_OLD',
  checksum: 'TESTING_CHECKSUM_MISMATCH',
  download: 'TESTING_DOWNLOAD_FAILED',
  killed: 'TESTING_BUILD_FAILED',
  build: 'TESTING_BUILD_FAILED',
} as const satisfies Record<GoFailure, string>;

// Where the table's cure can be said more exactly.
const cures: Partial<Record<GoFailure, string>> = {
  killed: 'most likely because memory ran out: linking takes about 2 GiB. End other programs, and run it again',
};

const shownLines = 15;

/** Why a build ended without a binary: the end of what Go said, and where the rest is. */
export function buildError(what: string, ended: Ended, log: string): KilterError {
  if (ended.how === 'unstarted') return goMissing(ended.error);
  const failure = failureOf(ended);
  const end = ended.tail.split('\n').slice(-shownLines).join('\n');
  const message = `go ${endedInWords(ended)} when it built ${what}:\n${end}\nAll of its output is in ${log}`;
  return new KilterError(codes[failure], message, { cure: cures[failure] });
}

function failureOf(ended: Ran): GoFailure {
  if (ended.how === 'silent') return 'download';
  return ended.how === 'signalled' ? 'killed' : classifyFailure(ended.tail);
}

const knownPlaces = ['/usr/local/go/bin', '/opt/homebrew/bin', '/usr/lib/go/bin', 'C:\\Program Files\\Go\\bin'];

/** `go` could not be started at all. */
export function goMissing(error: NodeJS.ErrnoException): KilterError {
  if (error.code !== 'ENOENT') {
    return new KilterError('TESTING_GO_MISSING', `the go command does not start: ${error.message}`, { cause: error });
  }
  const place = knownPlaces.find((folder) => existsSync(join(folder, 'go')) || existsSync(join(folder, 'go.exe')));
  const message = 'there is no go command on the PATH';
  if (place === undefined) return new KilterError('TESTING_GO_MISSING', message);
  return new KilterError('TESTING_GO_MISSING', message, { cure: `there is one in ${place}: add that folder to PATH` });
}

export function goTooOld({ version, toolchain }: GoFacts): KilterError {
  const found = `this is ${version} with GOTOOLCHAIN=${toolchain === '' ? 'local' : toolchain}`;
  return new KilterError('TESTING_GO_TOO_OLD', `Kubernetes needs Go ${goVersionNeeded}, and ${found}`);
}

export function fetchesGo({ version }: GoFacts): string {
  return `this is ${version}; it downloads Go ${goVersionNeeded} by itself, as GOTOOLCHAIN says`;
}

export function spaceError({ needs, bytes, free }: Shortage): KilterError {
  const folders = needs.map((need) => `${inWords(need.bytes)} in ${need.folder} (${need.variable})`).join(', ');
  return new KilterError(
    'TESTING_DISK_FULL',
    `${inWords(bytes)} of free space are needed, but only ${inWords(free)} are available: ${folders}`,
    { cure: 'free space, or choose a folder on another disk by setting the variable in parentheses' },
  );
}

export function foreignError(folder: string, foreign: readonly Foreign[]): KilterError {
  const files = foreign.map(({ binary, found, wanted }) => `${binary} is ${found}, but ${wanted} is wanted`).join('; ');
  return new KilterError('TESTING_BINARIES_MISMATCHED', `other versions are in ${folder}: ${files}`);
}
