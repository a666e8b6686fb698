import type { Json, JsonObject } from 'kilter/api';
import { laidOver } from '../apply/index.ts';
import { celToJson } from '../cel/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { meetsConditions } from '../matching/index.ts';
import { patched } from '../patch/index.ts';
import { type AdmissionRequest, type AdmissionStep, type AdmissionView, versionedFor } from '../registry/index.ts';
import { StatusError } from '../status/index.ts';
import { isObject, sameValue } from '../values/index.ts';
import { Evaluation, OutOfBudget } from './evaluation.ts';
import { bindingName, concerns, valuesFor } from './invocation.ts';
import { ConfigurationError, paramsOf } from './params.ts';
import { type BoundPolicy, boundPolicies, type Mutation } from './policy.ts';

/** A mutation that cannot be made, and why. */
class Failed extends Error {}

function applied(object: JsonObject, configuration: Json, resource: ResourceDefinition): JsonObject {
  if (!isObject(configuration)) throw new Failed('must evaluate to an object');
  return laidOver(object, configuration, { schema: resource.schema, builtin: !resource.custom });
}

function mutatedBy(
  mutation: Mutation,
  evaluation: Evaluation,
  on: { object: JsonObject; resource: ResourceDefinition },
): JsonObject {
  const outcome = evaluation.run(mutation.expression);
  if ('problem' in outcome) throw new Failed(outcome.problem);
  const value = celToJson(outcome.value);
  if (mutation.patchType === 'ApplyConfiguration') return applied(on.object, value, on.resource);
  if (!Array.isArray(value)) throw new Failed('type mismatch: JSONPatchType.expression should evaluate to array');
  const result = patched(on.object, value);
  if ('problem' in result) throw new Failed(`JSON Patch: ${result.problem}`);
  return isObject(result.value) ? result.value : on.object;
}

interface Mutating {
  readonly request: AdmissionRequest;
  readonly view: AdmissionView;
}

/** The object after all mutations of a policy with one parameter, in the version of the policy's rules. */
function runPolicy(
  { policy }: BoundPolicy,
  { request, view }: Mutating,
  on: { resource: ResourceDefinition; object: JsonObject; old: JsonObject | undefined; param: JsonObject | undefined },
): JsonObject {
  const { resource, old, param } = on;
  let { object } = on;
  const met = meetsConditions(policy.conditions, valuesFor({ request, resource, view }, { object, old }, param));
  if (met === false) return object;
  if (met !== true) throw new Failed(met.problem);
  for (const mutation of policy.mutations) {
    const values = valuesFor({ request, resource, view }, { object, old }, param);
    const changed = mutatedBy(mutation, new Evaluation(policy.variables, values), { object, resource });
    object = view.settle(changed, resource);
  }
  return object;
}

function refusal({ resource, name }: AdmissionRequest, { policy, binding }: BoundPolicy, why: string): StatusError {
  const message = `policy '${policy.name}' with binding '${bindingName(binding)}' denied request: ${why}`;
  const details = { name, group: resource.group, kind: resource.plural, causes: [{ message }] };
  return new StatusError({ code: 403, reason: 'Invalid', message, details });
}

async function mutatedOnce(bound: BoundPolicy, mutating: Mutating): Promise<JsonObject> {
  const { request, view } = mutating;
  const { policy, binding } = bound;
  const object = request.object ?? {};
  const resource = concerns(bound, request, view);
  if (resource === undefined) return object;
  const params = paramsOf(policy.paramKind, binding, { request, view });
  const shown = await versionedFor(request, resource, view);
  let current = shown.object ?? {};
  for (const param of params) {
    current = runPolicy(bound, mutating, { resource, object: current, old: shown.old, param });
  }
  return resource === request.resource ? current : view.convert(current, resource, request.resource);
}

async function mutated(bound: BoundPolicy, mutating: Mutating): Promise<JsonObject> {
  try {
    return await mutatedOnce(bound, mutating);
  } catch (error) {
    const isOurs = error instanceof Failed || error instanceof OutOfBudget || error instanceof ConfigurationError;
    if (!isOurs) throw error;
    if (bound.policy.ignoresFailure) return mutating.request.object ?? {};
    const text = error instanceof ConfigurationError ? `failed to configure binding: ${error.message}` : error.message;
    throw refusal(mutating.request, bound, text);
  }
}

async function run(all: readonly BoundPolicy[], mutating: Mutating): Promise<JsonObject> {
  const { request, view } = mutating;
  let object = request.object ?? {};
  const eligible = new Set<BoundPolicy>();
  const again = new Set<BoundPolicy>();
  const pass = async (some: readonly BoundPolicy[]): Promise<void> => {
    for (const bound of some) {
      const result = await mutated(bound, { request: { ...request, object }, view });
      if (!sameValue(result, object)) {
        for (const one of eligible) again.add(one);
        eligible.clear();
        object = result;
      }
      if (bound.policy.reinvoked) eligible.add(bound);
    }
  };
  await pass(all);
  await pass(all.filter((bound) => again.has(bound)));
  return object;
}

/** MutatingAdmissionPolicies with their bindings. */
export const mutatingPolicies: AdmissionStep = {
  mutate: (request, view) => {
    if (request.object === undefined) return undefined;
    const all = boundPolicies('mutating', view).filter((one) => concerns(one, request, view) !== undefined);
    return all.length === 0 ? undefined : run(all, { request, view });
  },
};
