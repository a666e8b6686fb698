// What the courtroom and a judge say to each other.
import { basename } from 'node:path';
import type { Numbered } from './schemata.ts';

export interface Mutant extends Numbered {
  /** Absolute. */
  readonly file: string;
}

export interface Plan {
  readonly mutants: readonly Mutant[];
  /** The sources by file, as they were when the mutants were found. */
  readonly sources: Readonly<Record<string, string>>;
  /** Absolute paths. */
  readonly tests: readonly string[];
  /** The mutant given at the start stays in force: for what runs while modules load. */
  readonly fixed: boolean;
}

export type Order =
  /** Every test once, without a mutant, but for those that are known to be slow. */
  | { readonly type: 'all'; readonly leaveOut: readonly string[] }
  | {
      readonly type: 'judge';
      readonly id: number;
      readonly tests: readonly { readonly index: number; readonly ms: number }[];
    };

export interface TestRun {
  readonly index: number;
  readonly file: string;
  readonly title: string;
  readonly ms: number;
  /** Mutants whose place it runs through. */
  readonly reached: readonly number[];
  readonly failure: string | undefined;
}

/** The same from run to run. */
export const nameOf = ({ file, title }: { readonly file: string; readonly title: string }): string =>
  `${basename(file)} > ${title}`;

export interface Verdict {
  readonly id: number;
  /** The test that noticed it. */
  readonly test?: number;
  readonly failure?: string;
  /** The test fails without the mutant as well: earlier mutants have spoiled the process. */
  readonly spoiled?: string;
}

export type Answer =
  | { readonly type: 'ready' }
  /** A test begins while a mutant is in force. */
  | { readonly type: 'begin'; readonly index: number }
  | ({ readonly type: 'test' } & TestRun)
  | { readonly type: 'all'; readonly atLoad: readonly number[] }
  | ({ readonly type: 'verdict' } & Verdict);
