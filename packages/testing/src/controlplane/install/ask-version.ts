import { dirname } from 'node:path';
import type { Clock } from 'kilter/runtime';
import { environmentWith } from '../../environment/index.ts';
import { endedInWords, runChild } from './child.ts';
import { recipes } from './recipe.ts';
import type { BinaryName } from './versions.ts';

/** What a file said when asked for its version; `unusable` when it could not be run, or said none. */
export type Answer = { readonly version: string } | { readonly unusable: string };

export interface AskOptions {
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
}

// Kubernetes' binaries load some hundred megabytes the first time they are read from disk.
const patience = 60_000;

/** Asks an executable for its version. */
export async function askVersion(name: BinaryName, path: string, { clock, signal }: AskOptions): Promise<Answer> {
  const recipe = recipes[name];
  const ended = await runChild(path, recipe.versionArguments, {
    folder: dirname(path),
    environment: environmentWith({}),
    clock,
    signal,
    patience,
  });
  signal?.throwIfAborted();
  if (ended.how === 'unstarted') return { unusable: `it does not start (${ended.error.message})` };
  const version = recipe.versionIn(ended.stdout);
  if (version !== undefined) return { version };
  const said = JSON.stringify(ended.tail.slice(-200));
  return { unusable: `asked for its version it ${endedInWords(ended)} and says ${said}` };
}
