// Changes of a Pod through endpoints of their own: containers for debugging that join it, and other amounts of cpu and memory.
import type { Json, JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, invalidValue, notFoundValue } from '../status/index.ts';
import {
  clone,
  isObject,
  type Issue,
  metadataOf,
  objectIfIn,
  objectsIn,
  sameValue,
  specOf,
  textIn,
} from '../values/index.ts';
import { defaultPod, qosClass } from './builtin-pod-defaults.ts';
import { statusKeeping } from './row.ts';

/** All but the fields of one endpoint as it was; of the metadata only what every write may touch. */
function within(pod: JsonObject, old: JsonObject, fields: JsonObject): JsonObject {
  const { managedFields, uid, resourceVersion } = metadataOf(pod);
  const metadata = {
    ...metadataOf(old),
    ...(uid !== undefined && { uid }),
    ...(resourceVersion !== undefined && { resourceVersion }),
    ...(managedFields !== undefined && { managedFields }),
  };
  return { ...old, metadata, spec: { ...specOf(old), ...fields } };
}

export function withEphemeralContainers(pod: JsonObject, old: JsonObject): JsonObject {
  const shaped = within(pod, old, {});
  const { ephemeralContainers: _, ...spec } = specOf(shaped);
  const containers = specOf(pod)['ephemeralContainers'];
  const changed = {
    ...shaped,
    spec: { ...spec, ...(containers !== undefined && { ephemeralContainers: clone(containers) }) },
  };
  defaultPod(changed);
  return changed;
}

/** Undefined where containers were added, removed, renamed or moved: validation says so. */
function resizedList(containers: readonly JsonObject[], before: readonly JsonObject[]): JsonObject[] | undefined {
  const same =
    containers.length === before.length &&
    before.every((one, index) => textIn(containers[index] ?? {}, 'name') === textIn(one, 'name'));
  if (!same) return undefined;
  return before.map((one, index) => {
    const { resources: _, resizePolicy: __, ...rest } = one;
    const { resources, resizePolicy } = containers[index] ?? {};
    return {
      ...rest,
      ...(resources !== undefined && { resources: clone(resources) }),
      ...(resizePolicy !== undefined && { resizePolicy: clone(resizePolicy) }),
    };
  });
}

const lists = ['containers', 'initContainers'] as const;

export function withOtherResources(pod: JsonObject, old: JsonObject): JsonObject {
  const [now, before] = [specOf(pod), specOf(old)];
  if (lists.some((list) => objectsIn(now, list).length !== objectsIn(before, list).length)) return pod;
  const fields = lists.flatMap((list) => {
    const given = objectsIn(now, list);
    return given.length === 0 ? [] : [[list, resizedList(given, objectsIn(before, list)) ?? given] as const];
  });
  const { resources } = now;
  const changed = within(pod, old, {
    ...Object.fromEntries(fields),
    ...(resources !== undefined && { resources: clone(resources) }),
  });
  defaultPod(changed);
  return changed;
}

const forbiddenHere = ['ports', 'resources', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'];
const unset = (value: Json | undefined): boolean =>
  value === undefined ||
  (isObject(value) && Object.keys(value).length === 0) ||
  (Array.isArray(value) && value.length === 0);

/** What is wrong with the containers for debugging of a Pod; what they share with others is judged with those. */
export function ephemeralContainerIssues(spec: JsonObject): Issue[] {
  const others = new Set(lists.flatMap((list) => objectsIn(spec, list)).map((one) => textIn(one, 'name')));
  const taken = new Set(others);
  return objectsIn(spec, 'ephemeralContainers').flatMap((container, index) => {
    const path = `spec.ephemeralContainers[${index}]`;
    const [name, target] = [textIn(container, 'name'), textIn(container, 'targetContainerName')];
    const again = taken.has(name);
    taken.add(name);
    const why = 'cannot be set for an Ephemeral Container';
    const mounts = objectsIn(container, 'volumeMounts').flatMap((mount, at) =>
      ['subPath', 'subPathExpr'].flatMap((field) =>
        textIn(mount, field) === '' ? [] : [forbiddenField(`${path}.volumeMounts[${at}].${field}`, why)],
      ),
    );
    return [
      ...(again ? [duplicate(`${path}.name`, name)] : []),
      ...(target === '' || others.has(target) ? [] : [notFoundValue(`${path}.targetContainerName`, target)]),
      ...forbiddenHere.flatMap((field) => (unset(container[field]) ? [] : [forbiddenField(`${path}.${field}`, why)])),
      ...mounts,
    ];
  });
}

const keepingOwners: ReturnType<typeof statusKeeping> = statusKeeping('ownerReferences');

/** The one address of old and the list that came after it say the same; where they differ the one of old counts. */
function withAddresses(status: JsonObject): JsonObject {
  const [one, listed] = [textIn(status, 'podIP'), objectsIn(status, 'podIPs')];
  const first = textIn(listed[0] ?? {}, 'ip');
  if (one === first) return status;
  return one === '' ? { ...status, podIP: first } : { ...status, podIPs: [{ ip: one }] };
}

export const podStatus: typeof keepingOwners = (pod, old, context) => {
  const changed = keepingOwners(pod, old, context);
  const status = objectIfIn(changed, 'status');
  return status === undefined ? changed : { ...changed, status: withAddresses(status) };
};

const mirror = 'kubernetes.io/config.mirror';
const isStatic = (pod: JsonObject): boolean => Object.hasOwn(objectIfIn(metadataOf(pod), 'annotations') ?? {}, mirror);

export function ephemeralUpdateIssues(pod: JsonObject, old: JsonObject): Issue[] {
  if (isStatic(old)) return [forbiddenField('', 'static pods do not support ephemeral containers')];
  const now = objectsIn(specOf(pod), 'ephemeralContainers');
  const field = 'spec.ephemeralContainers';
  return objectsIn(specOf(old), 'ephemeralContainers').flatMap((before) => {
    const name = textIn(before, 'name');
    const after = now.find((one) => textIn(one, 'name') === name);
    if (after === undefined)
      return [forbiddenField(field, `existing ephemeral containers "${name}" may not be removed\n`)];
    return sameValue(before, after)
      ? []
      : [forbiddenField(field, `existing ephemeral containers "${name}" may not be changed\n`)];
  });
}

function orderIssues(spec: JsonObject, before: JsonObject): Issue[] {
  return lists.flatMap((list) => {
    const [now, then] = [objectsIn(spec, list), objectsIn(before, list)];
    if (now.length !== then.length)
      return [forbiddenField(`spec.${list}`, `${list} may not be added or removed on resize`)];
    return then.flatMap((one, index) =>
      textIn(now[index] ?? {}, 'name') === textIn(one, 'name')
        ? []
        : [forbiddenField(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`)],
    );
  });
}

const amountsOf = (container: JsonObject, kind: 'requests' | 'limits'): JsonObject =>
  objectIfIn(objectIfIn(container, 'resources') ?? {}, kind) ?? {};

function removedIssues(spec: JsonObject, before: JsonObject): Issue[] {
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    objectsIn(before, list).flatMap((then, index) =>
      (['requests', 'limits'] as const).flatMap((kind) => {
        const left = amountsOf(objectsIn(spec, list)[index] ?? {}, kind);
        const gone = Object.keys(amountsOf(then, kind)).some((name) => !Object.hasOwn(left, name));
        const field = `spec.${list}[${index}].resources.${kind}`;
        return gone ? [forbiddenField(field, `resource ${kind} cannot be removed`)] : [];
      }),
    ),
  );
}

/** Containers without what a resize may change. */
function fixed(spec: JsonObject, list: string): Json {
  const others = (amounts: JsonObject): JsonObject => {
    const { cpu: _, memory: __, ...rest } = amounts;
    return rest;
  };
  return objectsIn(spec, list).map((container) => {
    const { resizePolicy: _, ...rest } = container;
    return {
      ...rest,
      resources: { requests: others(amountsOf(container, 'requests')), limits: others(amountsOf(container, 'limits')) },
    };
  });
}

/** A running container whose status does not tell its resources is on a node that cannot change them. */
function isSupported(pod: JsonObject): boolean {
  const statuses = objectsIn(objectIfIn(pod, 'status') ?? {}, 'containerStatuses');
  const running = statuses.find((one) => objectIfIn(objectIfIn(one, 'state') ?? {}, 'running') !== undefined);
  return running === undefined || running['resources'] !== undefined;
}

export function resizeIssues(pod: JsonObject, old: JsonObject): Issue[] {
  if (isStatic(old)) return [forbiddenField('', 'static pods cannot be resized')];
  const [now, before] = [specOf(pod), specOf(old)];
  if (textIn(objectIfIn(before, 'os') ?? {}, 'name') === 'windows')
    return [forbiddenField('', 'windows pods cannot be resized')];
  const status = objectIfIn(old, 'status') ?? {};
  const quality = textIn(status, 'qosClass') || qosClass(before);
  const issues = [
    ...(quality === qosClass(now)
      ? []
      : [invalidValue('spec', textIn(status, 'qosClass'), 'Pod QOS Class may not change as a result of resizing')]),
    ...(isSupported(old) ? [] : [forbiddenField('spec', 'Pod running on node without support for resize')]),
  ];
  const order = orderIssues(now, before);
  if (order.length > 0) return [...issues, ...order];
  const mutable = 'only cpu and memory resources are mutable';
  return [
    ...issues,
    ...removedIssues(now, before),
    ...(sameValue(fixed(now, 'containers'), fixed(before, 'containers')) ? [] : [forbiddenField('spec', mutable)]),
    ...(sameValue(fixed(now, 'initContainers'), fixed(before, 'initContainers'))
      ? []
      : [
          forbiddenField(
            'spec.initContainers[0]',
            'only cpu and memory resources for init or sidecar containers are mutable',
          ),
        ]),
  ];
}
