import { type CelType, compileOver, dyn, type VariableProgram } from '../cel/index.ts';
import { requestType } from '../matching/index.ts';

/** What the expressions of a policy may cost together, and each of them alone. */
export const policyBudget = 10_000_000;
export const expressionLimit = 1_000_000;

export interface Expression {
  readonly text: string;
  /** Why there is no program, where there is none. */
  readonly program: VariableProgram | string;
}

export interface Variable extends Expression {
  readonly name: string;
}

const scope = (hasParams: boolean, variables: ReadonlyMap<string, CelType>): ReadonlyMap<string, CelType> =>
  new Map<string, CelType>([
    ['object', dyn],
    ['oldObject', dyn],
    ['request', requestType],
    ['namespaceObject', dyn],
    ['variables', { kind: 'object', fields: variables }],
    ...(hasParams ? [['params', dyn] as const] : []),
  ]);

function compiled(text: string, names: ReadonlyMap<string, CelType>): Expression {
  const program = compileOver(text, names);
  return { text, program: 'why' in program ? program.why : program };
}

/** Compiles the expressions of one policy: each variable may name those before it. */
export class Compiler {
  readonly #hasParams: boolean;
  readonly #types = new Map<string, CelType>();
  readonly variables: Variable[] = [];

  constructor(hasParams: boolean, variables: readonly { readonly name: string; readonly expression: string }[]) {
    this.#hasParams = hasParams;
    for (const { name, expression } of variables) {
      const found = this.compile(expression);
      this.variables.push({ name, ...found });
      this.#types.set(name, typeof found.program === 'string' ? dyn : found.program.type);
    }
  }

  compile(text: string): Expression {
    return compiled(text, scope(this.#hasParams, new Map(this.#types)));
  }
}
