import type { Answer } from './ask-version.ts';
import type { Standing } from './installation.ts';
import { recipes } from './recipe.ts';
import { type BinaryName, binaryNames, type Source } from './versions.ts';

export interface State {
  readonly standing: Readonly<Record<BinaryName, Standing>>;
  /** Of each doubtful file. */
  readonly answers: Readonly<Partial<Record<BinaryName, Answer>>>;
  readonly wanted: Readonly<Record<Source, string>>;
  readonly force: boolean;
}

export type Step =
  /** The file is of the wanted version: list it. */
  | { readonly do: 'adopt'; readonly binary: BinaryName }
  | { readonly do: 'build'; readonly binary: BinaryName; readonly why: string };

/** A file that somebody else put there: it is not overwritten unasked. */
export interface Foreign {
  readonly binary: BinaryName;
  readonly found: string;
  readonly wanted: string;
}

export interface Plan {
  readonly steps: readonly Step[];
  /** Nothing is done while there are any. */
  readonly foreign: readonly Foreign[];
}

/** What is to be done, in order, to make an installation complete. */
export function plan(state: State): Plan {
  const decisions = binaryNames.map((binary) => decide(binary, state));
  return {
    steps: decisions.filter((decision): decision is Step => decision !== undefined && 'do' in decision),
    foreign: decisions.filter((decision): decision is Foreign => decision !== undefined && !('do' in decision)),
  };
}

function decide(binary: BinaryName, state: State): Step | Foreign | undefined {
  const standing = state.standing[binary];
  if (state.force) return { do: 'build', binary, why: standing === 'missing' ? 'missing' : 'forced' };
  if (standing === 'installed') return undefined;
  if (standing === 'missing') return { do: 'build', binary, why: 'missing' };
  const answer = state.answers[binary] ?? { unusable: 'it was not asked' };
  if ('unusable' in answer) return { do: 'build', binary, why: `the existing file cannot be used: ${answer.unusable}` };
  const wanted = state.wanted[recipes[binary].source];
  return answer.version === wanted ? { do: 'adopt', binary } : { binary, found: answer.version, wanted };
}
