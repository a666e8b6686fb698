// What a run has found: per room how many die, and where those are that live.
import { relative } from 'node:path';
import { workspace } from '../test-results.ts';
import { lineOf } from './equivalent.ts';
import type { Mutant } from './protocol.ts';
import type { Room } from './rooms.ts';

export interface Judged {
  readonly mutant: Mutant;
  readonly room: Room;
  readonly verdict: 'died' | 'lives' | 'equivalent';
  /** The test that noticed it. */
  readonly by?: string | undefined;
  readonly failure?: string | undefined;
}

export interface Score {
  readonly room: Room;
  readonly died: number;
  readonly lives: number;
  readonly equivalent: number;
  /** Those that died, of those that could, in per cent. */
  readonly score: number;
}

export function scoreOf(room: Room, judged: readonly Judged[]): Score {
  const count = (verdict: Judged['verdict']): number =>
    judged.filter((one) => one.room === room && one.verdict === verdict).length;
  const [died, lives] = [count('died'), count('lives')];
  return { room, died, lives, equivalent: count('equivalent'), score: percent(died, died + lives) };
}

export const percent = (part: number, whole: number): number => (whole === 0 ? 100 : (100 * part) / whole);

export const scoreLine = ({ room, died, lives, equivalent, score }: Score): string =>
  `${room.padEnd(11)} ${String(died).padStart(4)} of ${died + lives} die: ${score.toFixed(1)} %` +
  (equivalent > 0 ? `; ${equivalent} more are equivalent` : '');

/** Where it is and what it does, for one who wants to write the missing test. */
export function describeMutant(mutant: Mutant): string {
  const place = `${relative(workspace, mutant.file)}:${mutant.line}`;
  const becomes = mutant.text.length > 160 ? `${mutant.text.slice(0, 160)}…` : mutant.text;
  return `${place}  ${mutant.operator}\n    ${lineOf(mutant)}\n    -> ${becomes.replaceAll(/\s+/g, ' ')}`;
}

export function text(judged: readonly Judged[], scores: readonly Score[]): string {
  const living = judged.filter(({ verdict }) => verdict === 'lives').map(({ mutant }) => describeMutant(mutant));
  return [...living, ...scores.map(scoreLine)].join('\n');
}

/** How often a line is written where nobody looks, in ms. */
const seldom = 30_000;
let written = 0;

/** One line that is written over where somebody looks, else a line now and then. */
export function progress(line: string): void {
  if (process.stdout.isTTY) process.stdout.write(`\r\u001B[K${line.slice(0, 120)}`);
  else if (performance.now() - written > seldom) console.log(line);
  else return;
  written = performance.now();
}
