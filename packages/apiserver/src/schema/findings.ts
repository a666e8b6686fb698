import type { Issue } from '../values/index.ts';

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
  /** How many checks were made: of the branches of anyOf and oneOf, the one that came furthest explains the failure. */
  matches = 0;

  get valid(): boolean {
    return this.problems.length === 0;
  }

  add(...problems: readonly (Problem | undefined)[]): void {
    for (const problem of problems) {
      if (problem === undefined || this.problems.some(({ sentence }) => sentence === problem.sentence)) continue;
      this.problems.push(problem);
    }
  }

  merge(other: Findings): void {
    this.add(...other.problems);
    this.forgiven.push(...other.forgiven);
    this.matches += other.matches;
  }

  /** The same findings, with all problems forgiven. */
  forgive(): Findings {
    const result = new Findings();
    result.forgiven.push(...this.forgiven, ...this.problems);
    result.matches = this.matches;
    return result;
  }
}
