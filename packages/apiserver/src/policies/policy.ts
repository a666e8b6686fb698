import type { JsonObject } from 'kilter/api';
import { type Conditions, conditionsOf } from '../matching/index.ts';
import type { AdmissionView } from '../registry/index.ts';
import { compareText, metadataOf, objectIfIn, objectsIn, textIn } from '../values/index.ts';
import { withoutLiterals } from './literals.ts';
import { Compiler, type Expression, paramScope, type Variable } from './programs.ts';

export interface Validation {
  readonly expression: Expression;
  readonly message: string;
  readonly messageExpression: Expression | undefined;
  readonly reason: string;
}

export interface Mutation {
  readonly patchType: string;
  readonly expression: Expression;
}

/** A policy with what is worked out once. */
export interface Policy {
  readonly name: string;
  readonly spec: JsonObject;
  readonly paramKind: JsonObject | undefined;
  readonly ignoresFailure: boolean;
  readonly reinvoked: boolean;
  readonly conditions: Conditions;
  readonly variables: readonly Variable[];
  readonly validations: readonly Validation[];
  readonly annotations: readonly Expression[];
  readonly mutations: readonly Mutation[];
}

const named = (item: JsonObject): { name: string; expression: string } => ({
  name: textIn(item, 'name'),
  expression: textIn(item, 'expression'),
});

function validationOf(validation: JsonObject, compiler: Compiler): Validation {
  const message = textIn(validation, 'messageExpression');
  return {
    expression: compiler.compile(textIn(validation, 'expression')),
    message: textIn(validation, 'message').trim(),
    messageExpression: message === '' ? undefined : compiler.compileMessage(message),
    reason: textIn(validation, 'reason') || 'Invalid',
  };
}

function mutationOf(mutation: JsonObject, compiler: Compiler): Mutation {
  const patchType = textIn(mutation, 'patchType');
  const field = patchType === 'JSONPatch' ? 'jsonPatch' : 'applyConfiguration';
  const text = textIn(objectIfIn(mutation, field) ?? {}, 'expression');
  return { patchType, expression: { ...compiler.compile(withoutLiterals(text)), text } };
}

/** What a policy says, ready to be run. */
export function compilePolicy(policy: JsonObject): Policy {
  const spec = objectIfIn(policy, 'spec') ?? {};
  const paramKind = objectIfIn(spec, 'paramKind');
  const compiler = new Compiler(paramKind !== undefined, objectsIn(spec, 'variables').map(named));
  return {
    name: textIn(metadataOf(policy), 'name'),
    spec,
    paramKind,
    ignoresFailure: textIn(spec, 'failurePolicy') === 'Ignore',
    reinvoked: textIn(spec, 'reinvocationPolicy') === 'IfNeeded',
    conditions: conditionsOf(objectsIn(spec, 'matchConditions').map(named), paramScope(paramKind !== undefined)),
    variables: compiler.variables,
    validations: objectsIn(spec, 'validations').map((validation) => validationOf(validation, compiler)),
    annotations: objectsIn(spec, 'auditAnnotations').map((one) => compiler.compile(textIn(one, 'valueExpression'))),
    mutations: objectsIn(spec, 'mutations').map((mutation) => mutationOf(mutation, compiler)),
  };
}

const known = new WeakMap<JsonObject, Policy>();

function policyOf(policy: JsonObject): Policy {
  const found = known.get(policy) ?? compilePolicy(policy);
  known.set(policy, found);
  return found;
}

/** A policy with one of its bindings. */
export interface BoundPolicy {
  readonly policy: Policy;
  readonly binding: JsonObject;
}

const group = 'admissionregistration.k8s.io';
const byName = (a: JsonObject, b: JsonObject): number =>
  compareText(textIn(metadataOf(a), 'name'), textIn(metadataOf(b), 'name'));

/** The policies that somebody has bound, by name, each with its bindings by name. */
export function boundPolicies(sort: 'validating' | 'mutating', view: AdmissionView): BoundPolicy[] {
  const bindings = view.objects(group, `${sort}admissionpolicybindings`);
  if (bindings.length === 0) return [];
  const sorted = [...bindings].sort(byName);
  return [...view.objects(group, `${sort}admissionpolicies`)].sort(byName).flatMap((object) => {
    const policy = policyOf(object);
    const own = sorted.filter((binding) => textIn(objectIfIn(binding, 'spec') ?? {}, 'policyName') === policy.name);
    return own.map((binding) => ({ policy, binding }));
  });
}
