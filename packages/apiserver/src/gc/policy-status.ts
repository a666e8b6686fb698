import type { JsonObject } from 'kilter/api';
import type { Registry } from '../calls/index.ts';
import { typeWarnings } from '../policies/index.ts';
import { metadataOf, objectIfIn, textIn } from '../values/index.ts';
import { Caller, overtaken } from './caller.ts';
import type { Stage } from './stage.ts';
import { sweep } from './sweep.ts';

const controller = 'validatingadmissionpolicy-status';
const group = 'admissionregistration.k8s.io';

const generationOf = (policy: JsonObject): number => Number(metadataOf(policy)['generation'] ?? 0);
const observedOf = (policy: JsonObject): number => Number(objectIfIn(policy, 'status')?.['observedGeneration'] ?? 0);

/** Says in the status of policies what their expressions get wrong; undefined where there are no policies. */
export function policyStatus(registry: Registry): Stage | undefined {
  const resource = registry.find(group, 'v1', 'validatingadmissionpolicies');
  if (resource === undefined) return undefined;
  const caller = new Caller(registry, controller);
  const write = async (policy: JsonObject): Promise<void> => {
    const name = textIn(metadataOf(policy), 'name');
    const expressionWarnings = typeWarnings(policy, registry.resources());
    const typeChecking = expressionWarnings.length === 0 ? {} : { expressionWarnings };
    const status = { observedGeneration: generationOf(policy), typeChecking };
    const body = { apiVersion: `${group}/v1`, kind: 'ValidatingAdmissionPolicy', metadata: { name }, status };
    await overtaken(() =>
      caller.apply({ resource, namespace: undefined, name, subresource: 'status' }, body, controller),
    );
  };
  return sweep(registry, [resource], (all = []) => {
    const changed = all.find((policy) => observedOf(policy) < generationOf(policy));
    return changed && (() => write(changed));
  });
}
