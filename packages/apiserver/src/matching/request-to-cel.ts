import type { Json, JsonObject } from 'kilter/api';
import {
  authorizerValues,
  bool,
  type CelType,
  dyn,
  int,
  listOf,
  mapOf,
  string,
  timestamp,
  untypedToCel,
} from '../cel/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import type { AdmissionRequest, AdmissionView } from '../registry/index.ts';

const object = (fields: Readonly<Record<string, CelType>>): CelType => ({
  kind: 'object',
  fields: new Map(Object.entries(fields)),
});

const kindType = object({ group: string, version: string, kind: string });
const resourceType = object({ group: string, version: string, resource: string });

/** What expressions may ask of `request`. */
export const requestType: CelType = object({
  kind: kindType,
  resource: resourceType,
  subResource: string,
  requestKind: kindType,
  requestResource: resourceType,
  requestSubResource: string,
  name: string,
  namespace: string,
  operation: string,
  userInfo: object({ username: string, uid: string, groups: listOf(string), extra: mapOf(string, listOf(string)) }),
  dryRun: bool,
  options: dyn,
});

const texts = mapOf(string, string);

/** What expressions may ask of `namespaceObject`. */
export const namespaceType: CelType = object({
  metadata: object({
    name: string,
    generateName: string,
    namespace: string,
    labels: texts,
    annotations: texts,
    UID: string,
    creationTimestamp: timestamp,
    deletionGracePeriodSeconds: int,
    deletionTimestamp: timestamp,
    generation: int,
    resourceVersion: string,
    finalizers: listOf(string),
  }),
  spec: object({ finalizers: listOf(string) }),
  status: object({
    phase: string,
    conditions: listOf(
      object({ status: string, type: string, lastTransitionTime: timestamp, message: string, reason: string }),
    ),
  }),
});

const withText = (name: string, text: string | undefined): JsonObject =>
  text === undefined || text === '' ? {} : { [name]: text };

/** The request as an AdmissionReview and as expressions name it, but for the objects. */
export function requestFields(request: AdmissionRequest, matched: ResourceDefinition): JsonObject {
  const { resource, subresource, kind, user, operation, dryRun, options } = request;
  const isOwn = kind.group === resource.group && kind.kind === resource.kind;
  const shown = isOwn ? { ...kind, group: matched.group, version: matched.version } : kind;
  return {
    kind: { group: shown.group, version: shown.version, kind: shown.kind },
    resource: { group: matched.group, version: matched.version, resource: matched.plural },
    ...withText('subResource', subresource),
    requestKind: { group: kind.group, version: kind.version, kind: kind.kind },
    requestResource: { group: resource.group, version: resource.version, resource: resource.plural },
    ...withText('requestSubResource', subresource),
    ...withText('name', request.name),
    ...withText('namespace', request.namespace),
    operation: operation.toUpperCase(),
    userInfo: userInfo(user),
    dryRun,
    options: options as Json,
  };
}

function userInfo({ name, groups, uid, extra = {} }: AdmissionRequest['user']): JsonObject {
  return {
    username: name,
    ...withText('uid', uid),
    ...(groups.length > 0 && { groups: [...groups] }),
    ...(Object.keys(extra).length > 0 && { extra: extra as JsonObject }),
  };
}

/** Fields without a value are there all the same, with the empty value of their type. */
export function requestToCel(request: AdmissionRequest, matched: ResourceDefinition): unknown {
  const fields = requestFields(request, matched);
  const user = fields['userInfo'] as JsonObject;
  const whole = {
    subResource: '',
    requestSubResource: '',
    name: '',
    namespace: '',
    ...fields,
    userInfo: { uid: '', groups: [], extra: {}, ...user },
  };
  return untypedToCel(whole);
}

/** What expressions may ask about the rights of whoever sent a request. */
export function rightsToCel(request: AdmissionRequest, { authority }: AdmissionView): Record<string, unknown> {
  const { user, resource, subresource = '', namespace, name } = request;
  return authorizerValues(user, authority, {
    group: resource.group,
    resource: resource.plural,
    subresource,
    namespace,
    name,
  });
}
