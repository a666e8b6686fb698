import { type Code, errorTable, KilterError } from '../errors/index.ts';
import { inWordsOf } from './cure-dialect.ts';

/** One thing that is wrong, or worth a warning: where, what, and what to do. */
export interface Problem {
  readonly code: Code;
  /** For example `spec.env[*].name`, or a key of the definition if it is not in a schema. */
  readonly path: string;
  readonly message: string;
  readonly cure: string;
}

/** An error of a resource definition or of an object, with every problem found; its code is that of the first. */
export class ResourceError extends KilterError {
  readonly problems: readonly Problem[];

  constructor(subject: string, problems: readonly [Problem, ...Problem[]]) {
    const [first] = problems;
    const cure = haveOneCure(problems) ? first.cure : `correct all ${problems.length}`;
    super(first.code, summary(subject, problems), { cure });
    this.problems = problems;
  }
}

function haveOneCure([first, ...others]: readonly [Problem, ...Problem[]]): boolean {
  return others.every(({ code, cure }) => code === first.code && cure === first.cure);
}

function summary(subject: string, problems: readonly [Problem, ...Problem[]]): string {
  if (problems.length === 1) return `${subject}: ${problems[0].path}: ${problems[0].message}`;
  const remedy = ({ code, cure }: Problem): string => (haveOneCure(problems) ? '' : ` (${code}: ${cure})`);
  const lines = problems.map((problem) => `\n- ${problem.path}: ${problem.message}${remedy(problem)}`);
  return `${subject} has ${problems.length} problems:${lines.join('')}\n`;
}

/** A problem as it is reported: the cure is that of the code's table unless it can be said more exactly. */
export interface Report {
  readonly code: Code;
  readonly path: string;
  readonly message: string;
  readonly cure?: string | undefined;
}

export function problemOf({ code, path, message, cure = errorTable[code].cure }: Report): Problem {
  return { code, path, message, cure };
}

/** Collects what a definition does wrong, so that its author sees all of it at once. */
export class Findings {
  /** In the order found; each place is reported once per fault. */
  readonly problems: Problem[] = [];
  /** Problems that do not prevent the definition. */
  readonly warnings: Problem[] = [];
  readonly #vendor: unknown;

  /** Cures are in the words of the library of this name. */
  constructor(vendor?: unknown) {
    this.#vendor = vendor;
  }

  refuse(report: Report): void {
    this.problems.push(this.#problemOf(report));
  }

  warn(report: Report): void {
    this.warnings.push(this.#problemOf(report));
  }

  #problemOf(report: Report): Problem {
    const problem = problemOf(report);
    return { ...problem, cure: inWordsOf(this.#vendor, problem.cure) };
  }

  throwIfAny(subject: string): void {
    const [first, ...rest] = this.problems;
    if (first !== undefined) throw new ResourceError(subject, [first, ...rest]);
  }
}
