import { check, type Checked, CheckFailure, ConstantFailure } from './check.ts';
import type { Declared } from './declared.ts';
import { estimateCost } from './estimate.ts';
import { evaluate, type Outcome } from './evaluate.ts';
import { type Node, parseExpression } from './parse.ts';
import { flawsText, SyntaxFailure } from './source-error.ts';
import { type CelType, optionalOf } from './type.ts';

/** What a program looks at; without `oldSelf` there is no old value. */
export interface Activation {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

/** An expression that compiles. */
export interface Program {
  readonly type: CelType;
  readonly usesOldSelf: boolean;
  /** The most it can cost, for values as large as their schema lets them be. */
  readonly maxCost: number;
  run(activation: Activation): Outcome;
}

/** There is no program. */
export interface NoProgram {
  /** All that is wrong with the expression, in the server's words, with lines and a mark below each place. */
  readonly why: string;
}

/** What is wrong with an expression, by the failure to make a program of it. */
export function noProgram(expression: string, error: unknown): NoProgram {
  if (error instanceof CheckFailure || error instanceof SyntaxFailure)
    return { why: `compilation failed: ${flawsText(expression, error.flaws)}` };
  if (error instanceof ConstantFailure) return { why: `program instantiation failed: ${error.message}` };
  throw error;
}

/** What one evaluation may cost. */
export const runLimit = 1_000_000;

/** The program of an expression, or why there is none. */
export function compile(expression: string, self: Declared, oldSelf: 'same' | 'optional'): Program | NoProgram {
  try {
    const ast = parseExpression(expression);
    const old = oldSelf === 'optional' ? optionalOf(self.type) : self.type;
    const checked = check(
      ast,
      new Map([
        ['self', self.type],
        ['oldSelf', old],
      ]),
    );
    return programOf(ast, checked, self);
  } catch (error) {
    return noProgram(expression, error);
  }
}

function programOf(ast: Node, checked: Checked, self: Declared): Program {
  return {
    type: checked.type,
    usesOldSelf: mentions(ast, 'oldSelf'),
    maxCost: estimateCost(ast, checked, self),
    run: (activation) => evaluate(ast, { ...activation }, runLimit),
  };
}

/** Whether an expression uses a name. */
function mentions(node: Node, name: string): boolean {
  if (node.op === 'id') return node.args === name;
  const parts: unknown[] = [node.args];
  return parts
    .flat(3)
    .some((part) => typeof part === 'object' && part !== null && 'op' in part && mentions(part as Node, name));
}
