import { CelFailure, type Outcome } from '../cel/index.ts';
import { type Expression, expressionLimit, policyBudget, type Variable } from './programs.ts';

/** Nothing of the budget is left: no more expressions are run. */
export class OutOfBudget extends Error {
  constructor() {
    super('validation failed due to running out of cost budget, no further validation rules will be run');
  }
}

/** The variables of a policy, each worked out when it is first asked for. */
class Variables extends Map<string, unknown> {
  readonly #variables: ReadonlyMap<string, Variable>;
  readonly #run: (variable: Variable) => Outcome;

  constructor(variables: readonly Variable[], run: (variable: Variable) => Outcome) {
    super();
    this.#variables = new Map(variables.map((variable) => [variable.name, variable]));
    this.#run = run;
  }

  override has(name: string): boolean {
    return this.#variables.has(name);
  }

  override get(name: string): unknown {
    if (super.has(name)) return super.get(name);
    const variable = this.#variables.get(name);
    if (variable === undefined) return undefined;
    const outcome = this.#run(variable);
    const failed = outcome.type === 'error' ? outcome.text : 'operation cancelled: actual cost limit exceeded';
    if (outcome.type !== 'value') throw new CelFailure(`composited variable "${name}" fails to evaluate: ${failed}`);
    this.set(name, outcome.value);
    return outcome.value;
  }
}

/** One policy about one request with one parameter: what its expressions say, as long as the budget lasts. */
export class Evaluation {
  readonly #values: Readonly<Record<string, unknown>>;
  /** Below zero once it is spent. */
  #budget = policyBudget;

  constructor(variables: readonly Variable[], values: Readonly<Record<string, unknown>>) {
    const lazy: Variables = new Variables(variables, (variable) => this.#outcome(variable));
    this.#values = { ...values, variables: lazy };
  }

  #outcome({ program }: Expression): Outcome {
    if (typeof program === 'string') return { type: 'error', text: `compilation error: ${program}`, cost: 0 };
    const outcome = program.run(this.#values, expressionLimit);
    this.#budget -= outcome.cost;
    return outcome;
  }

  /** The value, or what went wrong; throws `OutOfBudget`. */
  run(expression: Expression): { readonly value: unknown } | { readonly problem: string } {
    if (typeof expression.program === 'string') return { problem: `compilation error: ${expression.program}` };
    const outcome = this.#outcome(expression);
    if (this.#budget < 0) throw new OutOfBudget();
    if (outcome.type === 'value') return { value: outcome.value };
    const text = outcome.type === 'error' ? outcome.text : 'operation cancelled: actual cost limit exceeded';
    return { problem: `expression '${expression.text}' resulted in error: ${text}` };
  }
}
