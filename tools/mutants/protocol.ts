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
}

/** A test, the same in every process: the how manieth of its file. */
export interface TestPlace {
  readonly file: string;
  readonly nth: number;
}

/** A test that may judge, and how long it may take. */
export interface Limited extends TestPlace {
  readonly ms: number;
}

export type Order =
  /** Every test once, without a mutant. */
  { readonly type: 'all' } | { readonly type: 'judge'; readonly id: number; readonly tests: readonly Limited[] };

export interface TestRun extends TestPlace {
  readonly title: string;
  readonly ms: number;
  /** Mutants whose place it runs through. */
  readonly reached: readonly number[];
  readonly failure?: string;
}

/** The same from run to run. */
export const nameOf = ({ file, title }: { readonly file: string; readonly title: string }): string =>
  `${basename(file)} > ${title}`;

export const isSame = (a: TestPlace, b: TestPlace): boolean => a.file === b.file && a.nth === b.nth;

export interface Verdict {
  readonly id: number;
  /** The test that noticed it. */
  readonly test?: TestPlace;
  readonly failure?: string;
  /** The test fails without the mutant as well: earlier mutants have spoiled the process. */
  readonly spoiled?: string;
}

export type Answer =
  | { readonly type: 'ready' }
  /** Something begins that takes at most this long: a test, or the loading of a file. */
  | { readonly type: 'begin'; readonly ms: number; readonly test?: TestPlace }
  | ({ readonly type: 'test' } & TestRun)
  | { readonly type: 'all'; readonly atLoad: readonly number[] }
  | ({ readonly type: 'verdict' } & Verdict);
