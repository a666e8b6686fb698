import { append, type Issue } from '../values/index.ts';

/** An issue with the sentence that tells it apart: the server reports the same sentence once. */
export interface Problem {
  readonly sentence: string;
  readonly issue: Issue;
}

/** What validation of one value found. */
export class Findings {
  /** No two have the same sentence; in order of discovery. */
  readonly problems: Problem[] = [];
  /** Problems an update may leave as they are. */
  readonly forgiven: Problem[] = [];
  /** The sentences of `problems`, from the first one on: most values have none. */
  #told: Set<string> | undefined;
  /** How many checks were made: of the branches of anyOf and oneOf, the one that came furthest explains the failure. */
  matches = 0;

  get valid(): boolean {
    return this.problems.length === 0;
  }

  add(problem: Problem | undefined): void {
    if (problem === undefined) return;
    this.#told ??= new Set();
    if (this.#told.has(problem.sentence)) return;
    this.#told.add(problem.sentence);
    this.problems.push(problem);
  }

  addAll(problems: readonly (Problem | undefined)[]): void {
    for (const problem of problems) this.add(problem);
  }

  merge(other: Findings): void {
    this.addAll(other.problems);
    append(this.forgiven, other.forgiven);
    this.matches += other.matches;
  }

  /** The same findings, with all problems forgiven. */
  forgive(): Findings {
    const result = new Findings();
    append(result.forgiven, this.forgiven);
    append(result.forgiven, this.problems);
    result.matches = this.matches;
    return result;
  }
}
