import { Environment, EvaluationError, Optional } from '@marcbachmann/cel-js';
import { registerLibrary } from './cel-library.ts';
import type { TimeValues } from './cel-values.ts';
import { evaluatorText, mentionsOldSelf } from './cel-text.ts';
import type { ValidationRule } from './schema.ts';

/** What a program looks at; without `oldSelf` there is no old value. */
export interface Activation {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

export type Outcome =
  | { readonly type: 'value'; readonly value: unknown }
  /** The expression ran and failed, as it would on any server: no such key, division by zero. */
  | { readonly type: 'error'; readonly text: string }
  /** The evaluator cannot run the expression: nothing is known about the object. */
  | { readonly type: 'unchecked'; readonly why: string };

export interface Program {
  readonly usesOldSelf: boolean;
  run(activation: Activation): Outcome;
}

/**
 * Everything is dynamic to the evaluator: the values carry their types, and the schema has been checked before.
 * Literals may mix types because a field's type is not known when a rule is read.
 */
const environment: Environment = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true });
registerLibrary(environment);
environment.registerVariable('self', 'dyn').registerVariable('oldSelf', 'dyn');

const readTimestamp = environment.parse('timestamp(self)');
const readDuration = environment.parse('duration(self)');

/** Times are of the evaluator's own types, so it makes them itself. */
export const times: TimeValues = {
  timestamp: (text) => readTimestamp({ self: text }) as unknown,
  duration: (nanos) => readDuration({ self: `${nanos}ns` }) as unknown,
};

export const optionalOf = (value: unknown): unknown => (value === undefined ? Optional.none() : Optional.of(value));

export interface RulePrograms {
  readonly rule: Program;
  readonly message: Program | undefined;
}

/** Programs by rule object: they live as long as their schema. */
const programs = new WeakMap<ValidationRule, RulePrograms>();

export function programsOf(rule: ValidationRule): RulePrograms {
  const known = programs.get(rule);
  if (known !== undefined) return known;
  const { messageExpression } = rule;
  const compiled = {
    rule: compileProgram(rule.rule),
    message: messageExpression === undefined ? undefined : compileProgram(messageExpression),
  };
  programs.set(rule, compiled);
  return compiled;
}

function compileProgram(expression: string): Program {
  const usesOldSelf = mentionsOldSelf(expression);
  const parsed = parse(expression);
  if (typeof parsed === 'string') return { usesOldSelf, run: () => ({ type: 'unchecked', why: parsed }) };
  return { usesOldSelf, run: (activation) => run(parsed, activation) };
}

type Parsed = ReturnType<typeof environment.parse>;

/** The parsed expression, or why there is none. */
function parse(expression: string): Parsed | string {
  try {
    const parsed = environment.parse(evaluatorText(expression));
    const { valid, error } = parsed.check();
    return valid ? parsed : summary(error);
  } catch (error) {
    return summary(error);
  }
}

/** The evaluator's message without its picture of the source. */
function summary(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n', 1)[0] ?? text;
}

function run(parsed: Parsed, activation: Activation): Outcome {
  try {
    return { type: 'value', value: parsed({ ...activation }) as unknown };
  } catch (error) {
    if (!(error instanceof EvaluationError)) return { type: 'unchecked', why: summary(error) };
    return { type: 'error', text: errorText(error) };
  }
}

function errorText(error: EvaluationError): string {
  const text = summary(error);
  if (error.code === 'no_such_overload' || error.code === 'no_matching_overload') return 'no such overload';
  return error.code === 'no_such_key' ? text.replace('No such key', 'no such key') : text;
}
