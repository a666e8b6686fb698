import { compile, type Declared, declaredBy, type NoProgram, type Program } from '../cel/index.ts';
import type { Schema, ValidationRule } from '../values/index.ts';

/** The programs of a rule, each with why there is none where there is none. */
export interface RulePrograms {
  readonly rule: Program | NoProgram;
  readonly message: Program | NoProgram | undefined;
}

const untyped: NoProgram = { why: 'unable to convert structural schema to CEL declarations' };

/** By schema, once for its own sake and once as a resource: types of rules at one place are the same. */
const declared = { plain: new WeakMap<Schema, Declared>(), resource: new WeakMap<Schema, Declared>() };

/** What rules see of a schema; undefined if it has no type. */
export function declaredOf(schema: Schema, isResource: boolean): Declared | undefined {
  const known = isResource ? declared.resource : declared.plain;
  const found = known.get(schema) ?? declaredBy(schema, isResource);
  if (found !== undefined) known.set(schema, found);
  return found;
}

/** Programs by rule object, which is in one schema only: they live as long as it does. */
const programs = new WeakMap<ValidationRule, RulePrograms>();

/** The programs of a rule that is on a schema. */
export function programsOf(rule: ValidationRule, schema: Schema, isResource: boolean): RulePrograms {
  const known = programs.get(rule);
  if (known !== undefined) return known;
  const self = declaredOf(schema, isResource);
  const compiled = self === undefined ? { rule: untyped, message: undefined } : compiledFor(rule, self);
  programs.set(rule, compiled);
  return compiled;
}

function compiledFor({ rule, messageExpression, optionalOldSelf }: ValidationRule, self: Declared): RulePrograms {
  const oldSelf = optionalOldSelf === true ? 'optional' : 'same';
  const message = messageExpression === undefined ? undefined : compile(messageExpression, self, oldSelf);
  return {
    rule: returning(compile(rule, self, oldSelf), 'bool', {
      failed: '',
      otherwise: 'cel expression must evaluate to a bool',
    }),
    message:
      message === undefined
        ? undefined
        : returning(message, 'string', {
            failed: 'messageExpression ',
            otherwise: 'messageExpression must evaluate to a string',
          }),
  };
}

function returning(
  program: Program | NoProgram,
  kind: 'bool' | 'string',
  { failed, otherwise }: { readonly failed: string; readonly otherwise: string },
): Program | NoProgram {
  if ('why' in program) return { why: `${failed}${program.why}` };
  return program.type.kind === kind ? program : { why: otherwise };
}
