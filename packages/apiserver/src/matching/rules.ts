import type { JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { AdmissionRequest, AdmissionView } from '../registry/index.ts';
import { textIn, textsOf } from '../values/index.ts';

const oneOf = (items: readonly string[], wanted: string): boolean => items.includes('*') || items.includes(wanted);

function fitsScope(rule: JsonObject, request: AdmissionRequest): boolean {
  const isInside = request.namespace !== '' && request.resource.plural !== 'namespaces';
  switch (textIn(rule, 'scope')) {
    case 'Namespaced':
      return isInside;
    case 'Cluster':
      return !isInside;
    default:
      return true;
  }
}

// A pattern is `pods`, `pods/status`, or either part as a star: a star alone takes no subresource.
function fitsResource(pattern: string, { plural }: ResourceDefinition, subresource: string): boolean {
  const slash = pattern.indexOf('/');
  const [resource, sub] = slash < 0 ? [pattern, ''] : [pattern.slice(0, slash), pattern.slice(slash + 1)];
  return (resource === '*' || resource === plural) && (sub === '*' || sub === subresource);
}

function fits(rule: JsonObject, request: AdmissionRequest, resource: ResourceDefinition): boolean {
  const names = textsOf(rule['resourceNames']);
  return (
    fitsScope(rule, request) &&
    oneOf(textsOf(rule['operations']), request.operation.toUpperCase()) &&
    oneOf(textsOf(rule['apiGroups']), resource.group) &&
    oneOf(textsOf(rule['apiVersions']), resource.version) &&
    textsOf(rule['resources']).some((pattern) => fitsResource(pattern, resource, request.subresource ?? '')) &&
    (names.length === 0 || names.includes(request.name))
  );
}

export interface ResourceMatching {
  readonly rules: readonly JsonObject[];
  /** Rules that leave a request out, whatever the others say. */
  readonly excluded?: readonly JsonObject[];
  readonly matchPolicy: string;
}

/** The resource a rule is about: the one of the request, or another version of the same. */
export type MatchedResource = ResourceDefinition;

function firstFitting(
  rules: readonly JsonObject[],
  { matchPolicy }: ResourceMatching,
  { request, view }: { request: AdmissionRequest; view: AdmissionView },
): MatchedResource | undefined {
  const { resource } = request;
  if (rules.some((rule) => fits(rule, request, resource))) return resource;
  if (matchPolicy === 'Exact') return undefined;
  const others = view
    .equivalents(resource)
    .filter(({ group, version }) => group !== resource.group || version !== resource.version);
  for (const rule of rules) {
    const found = others.find((other) => fits(rule, request, other));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The version in which rules take a request, the first rule that does so first; undefined if none does. */
export function matchResource(
  matching: ResourceMatching,
  request: AdmissionRequest,
  view: AdmissionView,
): MatchedResource | undefined {
  const asked = { request, view };
  if (firstFitting(matching.excluded ?? [], matching, asked) !== undefined) return undefined;
  return firstFitting(matching.rules, matching, asked);
}

const exempt = new Set([
  'ValidatingWebhookConfiguration',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
]);

/** Who admits changes has no say about who admits changes: a mistake could not be undone. */
export function isExempt({ kind: { group, kind } }: AdmissionRequest): boolean {
  return group === 'admissionregistration.k8s.io' && exempt.has(kind);
}
