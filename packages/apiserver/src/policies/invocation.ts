import type { JsonObject } from 'kilter/api';
import { untypedToCel } from '../cel/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { isExempt, matchResource, requestToCel, rightsToCel, selectsRequest } from '../matching/index.ts';
import type { AdmissionRequest, AdmissionView } from '../registry/index.ts';
import { metadataOf, objectIfIn, objectsIn, textIn } from '../values/index.ts';
import type { BoundPolicy } from './policy.ts';

const namespaces = { group: '', plural: 'namespaces' };

/** The version in which what matchResources says takes a request; without rules the one it has. */
function matchedBy(
  matching: JsonObject | undefined,
  request: AdmissionRequest,
  view: AdmissionView,
): ResourceDefinition | undefined {
  if (matching === undefined) return request.resource;
  const rules = objectsIn(matching, 'resourceRules');
  const excluded = objectsIn(matching, 'excludeResourceRules');
  const matchPolicy = textIn(matching, 'matchPolicy');
  const none = matchResource({ rules: [], excluded, matchPolicy }, request, view);
  const isExcluded =
    excluded.length > 0 && matchResource({ rules: excluded, matchPolicy }, request, view) !== undefined;
  if (isExcluded) return undefined;
  const resource =
    rules.length === 0 ? (none ?? request.resource) : matchResource({ rules, matchPolicy }, request, view);
  if (resource === undefined) return undefined;
  const selecting = {
    namespaceSelector: objectIfIn(matching, 'namespaceSelector'),
    objectSelector: objectIfIn(matching, 'objectSelector'),
  };
  return selectsRequest(selecting, request, view) ? resource : undefined;
}

/** The version in which a bound policy is about a request; undefined if it is not. */
export function concerns(
  { policy, binding }: BoundPolicy,
  request: AdmissionRequest,
  view: AdmissionView,
): ResourceDefinition | undefined {
  if (isExempt(request)) return undefined;
  const resource = matchedBy(objectIfIn(policy.spec, 'matchConstraints'), request, view);
  if (resource === undefined) return undefined;
  const matching = objectIfIn(objectIfIn(binding, 'spec') ?? {}, 'matchResources');
  return matchedBy(matching, request, view) === undefined ? undefined : resource;
}

export const bindingName = (binding: JsonObject): string => textIn(metadataOf(binding), 'name');

/** What expressions see of a request. */
export function valuesFor(
  { request, resource, view }: { request: AdmissionRequest; resource: ResourceDefinition; view: AdmissionView },
  objects: { object: JsonObject | undefined; old: JsonObject | undefined },
  param: JsonObject | undefined,
): Record<string, unknown> {
  const { namespace, resource: asked } = request;
  const isNamespace = asked.group === '' && asked.plural === 'namespaces';
  const found = namespace === '' || isNamespace ? undefined : view.object(namespaces, namespace);
  return {
    object: untypedToCel(objects.object),
    oldObject: untypedToCel(objects.old),
    request: requestToCel(request, resource),
    ...rightsToCel(request, view),
    namespaceObject: untypedToCel(found),
    params: untypedToCel(param),
  };
}
