import { createHash } from 'node:crypto';
import { closeSync, createReadStream, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { KilterError } from 'kilter';
import type { Clock } from 'kilter/runtime';
import { environmentWith } from '../../environment/index.ts';
import { askVersion } from './ask-version.ts';
import { runChild } from './child.ts';
import type { Work } from './events.ts';
import { partialPrefix } from './folders.ts';
import { buildError } from './go-error.ts';
import { executable, type Layout } from './layout.ts';
import type { InstalledFile } from './manifest.ts';
import { buildArguments, recipes } from './recipe.ts';
import type { BinaryName } from './versions.ts';
import { writing } from './writing.ts';

export interface BuildOptions {
  readonly layout: Layout;
  readonly go: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  readonly onWork: (work: Work) => void;
}

const lookEvery = 1000;
// Linking says nothing, on a slow machine for minutes; a connection that hangs says nothing for ever.
const patienceWithGo = 30 * 60_000;

/** Builds one binary beside its place, asks it for its version, and only then gives it its name. */
export async function buildBinary(name: BinaryName, options: BuildOptions): Promise<InstalledFile> {
  const { layout, signal } = options;
  const partial = join(layout.binaries, `${partialPrefix}${process.pid}-${executable(name, layout.platform)}`);
  try {
    await compile(name, partial, options);
    await proveVersion(name, partial, options);
    const file = await measure(partial);
    signal?.throwIfAborted();
    writing(layout.binaries, () => {
      flush(partial);
      renameSync(partial, layout.binary(name));
    });
    return file;
  } finally {
    rmSync(partial, { force: true });
  }
}

async function compile(name: BinaryName, partial: string, options: BuildOptions): Promise<void> {
  const { layout, clock, signal } = options;
  using log = logFile(join(layout.logs, `${name}.log`));
  using progress = following(options);
  const ended = await runChild(options.go, buildArguments(name, layout.versions, partial), {
    folder: layout.module(recipes[name].source),
    environment: environmentWith(options.variables),
    clock,
    signal,
    patience: patienceWithGo,
    onLine: (line) => {
      log.add(line);
      progress.hear(line);
    },
  });
  signal?.throwIfAborted();
  if (ended.how !== 'exited' || ended.code !== 0) throw buildError(name, ended, log.path);
}

function logFile(path: string): Disposable & { readonly path: string; add(line: string): void } {
  const descriptor = writing(dirname(path), () => openSync(path, 'w'));
  // Once a line could not be written none is: a log with holes misleads.
  let broken = false;
  return {
    path,
    add: (line) => {
      if (broken) return;
      try {
        writeSync(descriptor, `${line}\n`);
      } catch {
        // The disk is full: Go meets the same, says so, and its last lines are in the error.
        broken = true;
      }
    },
    [Symbol.dispose]: () => closeSync(descriptor),
  };
}

/** Counts what Go says, and passes the count on about every second. */
function following({ clock, onWork }: BuildOptions): Disposable & { hear(line: string): void } {
  const started = clock.monotonic();
  // Grows only; `elapsed` is filled in when it is passed on.
  let work: Work = { elapsed: 0, downloaded: 0, compiled: 0, last: '' };
  const tick = (): void => {
    onWork({ ...work, elapsed: clock.monotonic() - started });
    timer = clock.timer(lookEvery, tick);
  };
  let timer = clock.timer(lookEvery, tick);
  return {
    hear: (line) => (work = heard(work, line)),
    [Symbol.dispose]: () => timer.cancel(),
  };
}

/** What a line of `go build -v` adds to what is known of its work. */
export function heard(work: Work, line: string): Work {
  const module = /^go: downloading (\S+)/.exec(line)?.[1];
  if (module !== undefined) return { ...work, downloaded: work.downloaded + 1, last: module };
  // With -v, a line that is an import path and nothing else is a package being compiled.
  if (/^[a-z0-9][\w./~-]*$/i.test(line)) return { ...work, compiled: work.compiled + 1, last: line };
  return work;
}

async function proveVersion(name: BinaryName, partial: string, options: BuildOptions): Promise<void> {
  const answer = await askVersion(name, partial, options);
  const wanted = options.layout.versions[recipes[name].source];
  if ('version' in answer && answer.version === wanted) return;
  const said = 'version' in answer ? `it is ${answer.version}` : answer.unusable;
  throw new KilterError('TESTING_BUILD_FAILED', `${name} was built as ${wanted}, but ${said}`);
}

export async function measure(path: string): Promise<InstalledFile> {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}

/** A name must never be on the disk before the bytes are. */
function flush(path: string): void {
  const descriptor = openSync(path, 'r+');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
