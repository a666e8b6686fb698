import { authorizerScope, type CelType, compileOver, dyn, type VariableProgram } from '../cel/index.ts';
import { requestType } from './request-to-cel.ts';

interface Condition {
  readonly name: string;
  readonly expression: string;
  readonly program: VariableProgram | string;
}

export type Conditions = readonly Condition[];

/** What the conditions of one webhook or policy may cost together. */
export const conditionBudget = 2_500_000;
/** What a single expression may cost. */
const expressionLimit = 1_000_000;

const scope: ReadonlyMap<string, CelType> = new Map([
  ['object', dyn],
  ['oldObject', dyn],
  ['request', requestType],
  ...authorizerScope,
]);

/** The programs of matchConditions; `more`: what they may name beside the object, the old one, the request and the authorizer. */
export function conditionsOf(
  conditions: readonly { readonly name: string; readonly expression: string }[],
  more: ReadonlyMap<string, CelType> = new Map(),
): Conditions {
  return conditions.map(({ name, expression }) => {
    const program = compileOver(expression, new Map([...scope, ...more]));
    return { name, expression, program: 'why' in program ? program.why : program };
  });
}

/**
 * Whether all conditions are true. One that is false decides, whatever the others do; else the texts of those that failed are
 * thrown together.
 */
export function meetsConditions(
  conditions: Conditions,
  values: Readonly<Record<string, unknown>>,
): boolean | { readonly problem: string } {
  const failed: string[] = [];
  let budget = conditionBudget;
  for (const { expression, program } of conditions) {
    if (typeof program === 'string') {
      failed.push(`compilation error: ${program}`);
      continue;
    }
    const outcome = program.run(values, expressionLimit);
    budget -= outcome.cost;
    if (budget < 0) {
      return {
        problem: 'validation failed due to running out of cost budget, no further validation rules will be run',
      };
    }
    const text = outcome.type === 'error' ? outcome.text : 'operation cancelled: actual cost limit exceeded';
    if (outcome.type !== 'value') failed.push(`expression '${expression}' resulted in error: ${text}`);
    else if (outcome.value !== true) return false;
  }
  if (failed.length === 0) return true;
  return { problem: failed.length === 1 ? (failed[0] ?? '') : `[${failed.join(', ')}]` };
}
