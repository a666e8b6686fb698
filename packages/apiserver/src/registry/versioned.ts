import type { JsonObject } from 'kilter/api';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { AdmissionRequest, AdmissionView } from './admission-step.ts';

/** The objects of a request in one version of its resource. */
export interface Versioned {
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
}

const isOwnKind = ({ kind, resource }: AdmissionRequest): boolean =>
  kind.kind === resource.kind && kind.group === resource.group;

/** What a webhook is shown; kinds of subresources have one version only. */
export async function versionedFor(
  request: AdmissionRequest,
  resource: ResourceDefinition,
  view: AdmissionView,
): Promise<Versioned> {
  const { object, old } = request;
  if (resource === request.resource || !isOwnKind(request)) return { object, old };
  const convert = (one: JsonObject | undefined): Promise<JsonObject | undefined> =>
    one === undefined ? Promise.resolve(undefined) : view.convert(one, request.resource, resource);
  return { object: await convert(object), old: await convert(old) };
}
