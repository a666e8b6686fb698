import type { JsonObject } from 'kilter/api';
import { meetsConditions } from '../matching/index.ts';
import { type AdmissionRequest, type AdmissionStep, type AdmissionView, versionedFor } from '../registry/index.ts';
import { StatusError } from '../status/index.ts';
import { objectIfIn, textsOf } from '../values/index.ts';
import { Evaluation, OutOfBudget } from './evaluation.ts';
import { bindingName, concerns, valuesFor } from './invocation.ts';
import { ConfigurationError, paramsOf } from './params.ts';
import { type BoundPolicy, boundPolicies, type Policy, type Validation } from './policy.ts';

/** A policy said no. */
interface Denial {
  readonly message: string;
  readonly reason: string;
}

/** The longest message an expression may make. */
const mostCharacters = 5 * 1024;

function messageOf({ expression, message, messageExpression }: Validation, evaluation: Evaluation): string {
  const made = messageExpression === undefined ? undefined : evaluation.run(messageExpression);
  const text = made !== undefined && 'value' in made && typeof made.value === 'string' ? made.value.trim() : '';
  const isUsable = text !== '' && text.length <= mostCharacters && !text.includes('\n');
  return isUsable ? text : message || `failed expression: ${expression.text.trim()}`;
}

function denialOf(validation: Validation, evaluation: Evaluation, policy: Policy): Denial[] {
  const outcome = evaluation.run(validation.expression);
  if ('problem' in outcome) return policy.ignoresFailure ? [] : [{ message: outcome.problem, reason: '' }];
  if (outcome.value === true) return [];
  return [{ message: messageOf(validation, evaluation), reason: validation.reason }];
}

/** What a policy has against a request, with one parameter. */
function denials(policy: Policy, values: Record<string, unknown>): Denial[] {
  const met = meetsConditions(policy.conditions, values);
  if (met === false) return [];
  if (met !== true) return policy.ignoresFailure ? [] : [{ message: met.problem, reason: '' }];
  const evaluation = new Evaluation(policy.variables, values);
  try {
    const found = policy.validations.flatMap((validation) => denialOf(validation, evaluation, policy));
    const broken = policy.annotations.flatMap((annotation) => {
      const outcome = evaluation.run(annotation);
      return 'problem' in outcome && !policy.ignoresFailure ? [{ message: outcome.problem, reason: '' }] : [];
    });
    return [...found, ...broken];
  } catch (error) {
    if (!(error instanceof OutOfBudget)) throw error;
    return policy.ignoresFailure ? [] : [{ message: error.message, reason: '' }];
  }
}

const codes: Readonly<Record<string, number>> = { Forbidden: 403, Unauthorized: 401, RequestEntityTooLarge: 413 };

function refusal({ resource, name }: AdmissionRequest, { policy, binding }: BoundPolicy, denial: Denial): StatusError {
  const who = `ValidatingAdmissionPolicy '${policy.name}' with binding '${bindingName(binding)}'`;
  const message = `${who} denied request: ${denial.message}`;
  const reason = denial.reason || 'Invalid';
  const { group, plural } = resource;
  const qualified = group === '' ? plural : `${plural}.${group}`;
  return new StatusError({
    code: codes[reason] ?? 422,
    reason,
    message: `${qualified} "${name}" is forbidden: ${message}`,
    details: { name, group, kind: plural, causes: [{ message }] },
  });
}

interface Judging {
  readonly request: AdmissionRequest;
  readonly view: AdmissionView;
}

/** All a bound policy has against a request. */
async function judged(bound: BoundPolicy, { request, view }: Judging): Promise<Denial[]> {
  const { policy, binding } = bound;
  const resource = concerns(bound, request, view);
  if (resource === undefined) return [];
  try {
    const params = paramsOf(policy.paramKind, binding, { request, view });
    const objects = await versionedFor(request, resource, view);
    return params.flatMap((param) => denials(policy, valuesFor({ request, resource, view }, objects, param)));
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return policy.ignoresFailure ? [] : [{ message: `failed to configure binding: ${error.message}`, reason: '' }];
  }
}

const actionsOf = (binding: JsonObject): string[] => textsOf((objectIfIn(binding, 'spec') ?? {})['validationActions']);

async function judge(bound: readonly BoundPolicy[], judging: Judging): Promise<void> {
  let first: StatusError | undefined;
  for (const one of bound) {
    const found = await judged(one, judging);
    const actions = actionsOf(one.binding);
    for (const denial of found) {
      if (actions.includes('Deny')) first ??= refusal(judging.request, one, denial);
      if (actions.includes('Warn')) {
        const who = `ValidatingAdmissionPolicy '${one.policy.name}' with binding '${bindingName(one.binding)}'`;
        judging.request.warn(`Validation failed for ${who}: ${denial.message}`);
      }
    }
  }
  if (first !== undefined) throw first;
}

/** ValidatingAdmissionPolicies with their bindings. */
export const validatingPolicies: AdmissionStep = {
  validate: (request, view) => {
    const bound = boundPolicies('validating', view).filter((one) => concerns(one, request, view) !== undefined);
    return bound.length === 0 ? undefined : judge(bound, { request, view });
  },
};
