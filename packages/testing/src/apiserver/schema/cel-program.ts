import { Environment, EvaluationError, Optional } from '@marcbachmann/cel-js';
import { mentions, unknownName } from './cel-fields.ts';
import { registerLibrary } from './cel-library.ts';
import { evaluatorText } from './cel-text.ts';
import type { TimeValues } from './cel-values.ts';
import type { Schema, ValidationRule } from './schema.ts';

/** What a program looks at; without `oldSelf` there is no old value. */
export interface Activation {
  readonly self: unknown;
  readonly oldSelf?: unknown;
}

export type Outcome =
  | { readonly type: 'value'; readonly value: unknown }
  /** The expression ran and failed, as it would on any server: no such key, division by zero. */
  | { readonly type: 'error'; readonly text: string }
  /** The expression cannot be run here: nothing is known about the object. */
  | { readonly type: 'unchecked'; readonly why: string };

export interface Program {
  /** Whether the evaluator could read the expression; the rest says nothing if not. */
  readonly readable: boolean;
  readonly usesOldSelf: boolean;
  /** What the expression names and nobody knows, in words: `undefined field 'typo'`. */
  readonly unknownName: string | undefined;
  run(activation: Activation): Outcome;
}

/**
 * Everything is dynamic to the evaluator: the values carry their types, and the schema has been checked before.
 * Literals may mix types because a field's type is not known when a rule is read.
 */
const library: Environment = new Environment({ homogeneousAggregateLiterals: false, enableOptionalTypes: true });
registerLibrary(library);
library.registerVariable('self', 'dyn');
const environment: Environment = library.clone().registerVariable('oldSelf', 'dyn');
const optionalEnvironment: Environment = library.clone().registerVariable('oldSelf', 'optional');

const readTimestamp = environment.parse('timestamp(self)');
const readDuration = environment.parse('duration(self)');

/** Times are of the evaluator's own types, so it makes them itself. */
export const times: TimeValues = {
  timestamp: (text) => readTimestamp({ self: text }) as unknown,
  duration: (nanos) => readDuration({ self: `${nanos}ns` }) as unknown,
};

export function optionalOf(value: unknown): unknown {
  return value === undefined ? Optional.none() : Optional.of(value);
}

export interface RulePrograms {
  readonly rule: Program;
  readonly message: Program | undefined;
}

/** Programs by rule object, which stands in one schema only: they live as long as it does. */
const programs = new WeakMap<ValidationRule, RulePrograms>();

/** The programs of a rule that stands on a schema; for the root of a resource, on that of `resourceSchema`. */
export function programsOf(rule: ValidationRule, schema: Schema): RulePrograms {
  const known = programs.get(rule);
  if (known !== undefined) return known;
  const { messageExpression } = rule;
  const optional = rule.optionalOldSelf === true;
  const compiled = {
    rule: compileProgram(rule.rule, schema, optional),
    message: messageExpression === undefined ? undefined : compileProgram(messageExpression, schema, false),
  };
  programs.set(rule, compiled);
  return compiled;
}

function compileProgram(expression: string, schema: Schema, optional: boolean): Program {
  const parsed = parse(expression, optional ? optionalEnvironment : environment);
  if (typeof parsed === 'string') {
    return {
      readable: false,
      usesOldSelf: false,
      unknownName: undefined,
      run: () => ({ type: 'unchecked', why: parsed }),
    };
  }
  const usesOldSelf = mentions(parsed.ast, 'oldSelf');
  const scope = optional ? [['self', schema] as const] : [['self', schema] as const, ['oldSelf', schema] as const];
  const why = unknownName(parsed.ast, new Map(scope));
  if (why === undefined)
    return { readable: true, usesOldSelf, unknownName: why, run: (activation) => run(parsed, activation) };
  return { readable: true, usesOldSelf, unknownName: why, run: () => ({ type: 'unchecked', why }) };
}

type Parsed = ReturnType<typeof environment.parse>;

/** The parsed expression, or why there is none. */
function parse(expression: string, reader: Environment): Parsed | string {
  try {
    const parsed = reader.parse(evaluatorText(expression));
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

/** Kubernetes' words where they are known, else the evaluator's. */
function errorText(error: EvaluationError): string {
  const text = summary(error);
  switch (error.code) {
    case 'no_such_overload':
    case 'no_matching_overload':
      return 'no such overload';
    case 'no_such_key':
      return text.replace('No such key', 'no such key');
    case 'index_out_of_bounds':
      return text.replace(/^.*index (-?\d+).*$/, 'index out of bounds: $1');
    case 'numeric_overflow':
      return 'integer overflow';
    default:
      return text;
  }
}
