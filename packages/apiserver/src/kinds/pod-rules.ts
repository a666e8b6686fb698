// The rules of pods, alone and in templates: what an author gets wrong, and what an update may not change.
import type { Json, JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, invalidValue, outOfRange, required, unsupported } from '../status/index.ts';
import { isObject, type Issue, metadataOf, objectIfIn, objectsIn, sameValue, textIn, textOf } from '../values/index.ts';
import { ephemeralContainerIssues, ephemeralUpdateIssues, resizeIssues } from './pod-changes.ts';
import { actionIssues, initActionIssues } from './container-actions.ts';
import { resourceIssues } from './container-resources.ts';
import { variableIssues } from './container-variables.ts';
import { keyProblems, labelProblems, labelValueProblems, portNameProblems, subdomainProblems } from './names.ts';
import { deviceIssues, mountIssues } from './mount-rules.ts';
import { placementIssues, tolerationsIssues } from './pod-placement.ts';
import { lastIssues, surroundingIssues } from './pod-surroundings.ts';
import { containerSecurityIssues, podSecurityIssues } from './security-rules.ts';
import { volumeSourceIssues } from './volume-rules.ts';

const ports = [1, 65_535] as const;
const longest = 2 ** 31 - 1;
export const protocols: readonly string[] = ['SCTP', 'TCP', 'UDP'];

/** One of the supported values; what is not set was defaulted, so it must be there. */
export function oneOf(field: string, value: string, supported: readonly string[]): Issue[] {
  if (value === '') return [required(field)];
  return supported.includes(value) ? [] : [unsupported(field, value, supported)];
}

const problemsOf = (field: string, value: string, problems: readonly string[]): Issue[] =>
  problems.map((problem) => invalidValue(field, value, problem));

/** Values that stand twice among those that were set. */
export function repeated(fields: readonly (readonly [field: string, value: string])[]): Issue[] {
  const seen = new Set<string>();
  return fields.flatMap(([field, value]) => {
    if (value === '') return [];
    const again = seen.has(value);
    seen.add(value);
    return again ? [duplicate(field, value)] : [];
  });
}

function portIssues(port: JsonObject, path: string): Issue[] {
  const name = textIn(port, 'name');
  const number = port['containerPort'] ?? 0;
  return [
    ...(name === '' ? [] : problemsOf(`${path}.name`, name, portNameProblems(name))),
    ...(number === 0 ? [required(`${path}.containerPort`)] : outOfRange(`${path}.containerPort`, number, ports)),
    ...((port['hostPort'] ?? 0) === 0 ? [] : outOfRange(`${path}.hostPort`, port['hostPort'] ?? 0, ports)),
    ...oneOf(`${path}.protocol`, textIn(port, 'protocol'), protocols),
  ];
}

interface OfPod {
  readonly volumes: ReadonlySet<string>;
  readonly sources: readonly JsonObject[];
  readonly claims: readonly string[];
  readonly hostUsers: boolean;
}

const resized = ['cpu', 'memory'];
const afterResize = ['NotRequired', 'RestartContainer'];

function resizePolicyIssues(container: JsonObject, path: string): Issue[] {
  const at = `${path}.resizePolicy`;
  return objectsIn(container, 'resizePolicy').flatMap((policy) => {
    const [resource, restart] = [textIn(policy, 'resourceName'), textIn(policy, 'restartPolicy')];
    return [
      ...(resized.includes(resource) ? [] : [unsupported(at, resource, resized)]),
      ...(afterResize.includes(restart) ? [] : [unsupported(at, restart, afterResize)]),
    ];
  });
}

const restarts = ['Always', 'Never', 'OnFailure'];

/** Of one container: most leave it to the pod. */
function restartIssues({ restartPolicy = null }: JsonObject, path: string): Issue[] {
  const isKnown = restartPolicy === null || restarts.includes(textOf(restartPolicy));
  return isKnown ? [] : [unsupported(`${path}.restartPolicy`, restartPolicy, restarts)];
}

function imageIssues(image: string, at: string): Issue[] {
  if (image === '') return [required(at)];
  return image.trim() === image ? [] : [invalidValue(at, image, 'must not have leading or trailing whitespace')];
}

function containerIssues(container: JsonObject, path: string, { volumes, sources, claims, hostUsers }: OfPod): Issue[] {
  const name = textIn(container, 'name');
  const opened = objectsIn(container, 'ports');
  return [
    ...(name === '' ? [required(`${path}.name`)] : problemsOf(`${path}.name`, name, labelProblems(name))),
    ...imageIssues(textIn(container, 'image'), `${path}.image`),
    ...oneOf(`${path}.terminationMessagePolicy`, textIn(container, 'terminationMessagePolicy'), [
      'File',
      'FallbackToLogsOnError',
    ]),
    ...opened.flatMap((port, index) => portIssues(port, `${path}.ports[${index}]`)),
    ...repeated(opened.map((port, index) => [`${path}.ports[${index}].name`, textIn(port, 'name')] as const)),
    ...variableIssues(container, path),
    ...mountIssues(container, path, volumes),
    ...deviceIssues(container, path, { names: volumes, volumes: sources }),
    ...oneOf(`${path}.imagePullPolicy`, textIn(container, 'imagePullPolicy'), ['Always', 'IfNotPresent', 'Never']),
    ...resourceIssues(container, { path: `${path}.resources`, claims }),
    ...resizePolicyIssues(container, path),
    ...containerSecurityIssues(container, path, hostUsers),
    ...restartIssues(container, path),
  ];
}

function containersIssues(spec: JsonObject, path: string): Issue[] {
  const containers = objectsIn(spec, 'containers');
  const volumes = new Set(objectsIn(spec, 'volumes').map((volume) => textIn(volume, 'name')));
  const claims = objectsIn(spec, 'resourceClaims').map((claim) => textIn(claim, 'name'));
  const around = { volumes, sources: objectsIn(spec, 'volumes'), claims, hostUsers: spec['hostUsers'] !== false };
  const grace = Number(spec['terminationGracePeriodSeconds'] ?? 0);
  const lists = ['containers', 'initContainers'] as const;
  const named = lists.flatMap((list) =>
    objectsIn(spec, list).map((one, index) => [`${path}.${list}[${index}].name`, textIn(one, 'name')] as const),
  );
  return [
    ...(containers.length === 0 ? [required(`${path}.containers`)] : []),
    ...lists.flatMap((list) =>
      objectsIn(spec, list).flatMap((one, index) => {
        const at = `${path}.${list}[${index}]`;
        const acts = list === 'containers' ? actionIssues : initActionIssues;
        return [...containerIssues(one, at, around), ...acts(one, { path: at, grace })];
      }),
    ),
    ...objectsIn(spec, 'ephemeralContainers').flatMap((one, index) =>
      containerIssues(one, `${path}.ephemeralContainers[${index}]`, around),
    ),
    ...repeated(named),
  ];
}

function volumeIssues(spec: JsonObject, path: string): Issue[] {
  const good = new Set<string>();
  return objectsIn(spec, 'volumes').flatMap((volume, index) => {
    const at = `${path}.volumes[${index}]`;
    const name = textIn(volume, 'name');
    const issues = [
      ...volumeSourceIssues(volume, at),
      ...(name === '' ? [required(`${at}.name`)] : problemsOf(`${at}.name`, name, labelProblems(name))),
      ...(good.has(name) ? [duplicate(`${at}.name`, name)] : []),
    ];
    // A name is taken by a volume that could be one.
    if (issues.length === 0) good.add(name);
    return issues;
  });
}

/** What is wrong with the spec of a pod at this place. */
export function podSpecIssues(spec: JsonObject, path: string): Issue[] {
  const deadline = spec['activeDeadlineSeconds'] ?? null;
  const named = (field: string, problems: (text: string) => string[]): Issue[] => {
    const value = textIn(spec, field);
    return value === '' ? [] : problemsOf(`${path}.${field}`, value, problems(value));
  };
  return [
    ...volumeIssues(spec, path),
    ...containersIssues(spec, path),
    ...oneOf(`${path}.restartPolicy`, textIn(spec, 'restartPolicy'), ['Always', 'OnFailure', 'Never']),
    ...oneOf(`${path}.dnsPolicy`, textIn(spec, 'dnsPolicy'), [
      'ClusterFirstWithHostNet',
      'ClusterFirst',
      'Default',
      'None',
    ]),
    ...podSecurityIssues(spec, path),
    ...placementIssues(spec, path),
    ...surroundingIssues(spec, path),
    ...named('serviceAccountName', subdomainProblems),
    ...named('nodeName', subdomainProblems),
    ...(deadline === null ? [] : outOfRange(`${path}.activeDeadlineSeconds`, deadline, [1, longest])),
    ...named('hostname', labelProblems),
    ...named('subdomain', labelProblems),
    ...tolerationsIssues(spec, path),
    ...lastIssues(spec, path),
  ];
}

export function podTemplateIssues(owner: JsonObject, path: string): Issue[] {
  const template = objectIfIn(owner, 'template') ?? {};
  const metadata = metadataOf(template);
  const at = `${path}.template`;
  return [
    ...Object.entries(objectIfIn(metadata, 'labels') ?? {}).flatMap(([key, value]) => [
      ...problemsOf(`${at}.labels`, key, keyProblems(key)),
      ...problemsOf(`${at}.labels`, textOf(value), labelValueProblems(textOf(value))),
    ]),
    ...Object.keys(objectIfIn(metadata, 'annotations') ?? {}).flatMap((key) =>
      problemsOf(`${at}.annotations`, key, keyProblems(key.toLowerCase())),
    ),
    ...podSpecIssues(objectIfIn(template, 'spec') ?? {}, `${at}.spec`),
  ];
}

const withoutSeconds = (toleration: Json): Json => {
  if (!isObject(toleration)) return toleration;
  const { tolerationSeconds: _, ...rest } = toleration;
  return rest;
};

function tolerationIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const now = objectsIn(spec, 'tolerations').map(withoutSeconds);
  const kept = objectsIn(before, 'tolerations').every((one) =>
    now.some((toleration) => sameValue(toleration, withoutSeconds(one))),
  );
  const why = 'existing toleration can not be modified except its tolerationSeconds';
  return kept ? [] : [forbiddenField('spec.tolerations', why)];
}

function deadlineIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const field = 'spec.activeDeadlineSeconds';
  const [now = null, then = null] = [spec['activeDeadlineSeconds'], before['activeDeadlineSeconds']];
  if (then === null) return [];
  if (now === null) return [invalidValue(field, null, 'must not update from a positive integer to nil value')];
  return Number(now) > Number(then) ? [invalidValue(field, now, 'must be less than or equal to previous value')] : [];
}

const imageless = (spec: JsonObject, list: string): Json =>
  objectsIn(spec, list).map((container) => {
    const { image: _, ...rest } = container;
    return rest;
  });

/** The spec without what an update may change. */
function frozen(spec: JsonObject): JsonObject {
  const { activeDeadlineSeconds: _, tolerations: __, schedulingGates: ___, ...rest } = spec;
  return {
    ...rest,
    nodeName: textIn(spec, 'nodeName'),
    containers: imageless(spec, 'containers'),
    initContainers: imageless(spec, 'initContainers'),
  };
}

const changeable =
  'pod updates may not change fields other than `spec.containers[*].image`,`spec.initContainers[*].image`,' +
  '`spec.activeDeadlineSeconds`,`spec.tolerations` (only additions to existing tolerations),' +
  '`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)';

function podUpdateIssues(spec: JsonObject, before: JsonObject): Issue[] {
  for (const list of ['containers', 'initContainers']) {
    if (objectsIn(spec, list).length !== objectsIn(before, list).length)
      return [forbiddenField(`spec.${list}`, 'pod updates may not add or remove containers')];
  }
  const deadline = deadlineIssues(spec, before);
  if (deadline.length > 0) return deadline;
  const same = sameValue(frozen(spec), frozen(before));
  return [...tolerationIssues(spec, before), ...(same ? [] : [forbiddenField('spec', changeable)])];
}

function changeIssues(pod: JsonObject, old: JsonObject, subresource: string | undefined): Issue[] {
  if (subresource === 'ephemeralcontainers') return ephemeralUpdateIssues(pod, old);
  if (subresource === 'resize') return resizeIssues(pod, old);
  return podUpdateIssues(objectIfIn(pod, 'spec') ?? {}, objectIfIn(old, 'spec') ?? {});
}

/** A Pod begins without containers for debugging: they join it while it runs. */
function beginningIssues(spec: JsonObject): Issue[] {
  const early = objectsIn(spec, 'ephemeralContainers').length > 0;
  return early ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')] : [];
}

export function podIssues(pod: JsonObject, old: JsonObject | undefined, subresource?: string): Issue[] {
  const spec = objectIfIn(pod, 'spec') ?? {};
  return [
    ...podSpecIssues(spec, 'spec'),
    ...ephemeralContainerIssues(spec),
    ...(old === undefined ? beginningIssues(spec) : changeIssues(pod, old, subresource)),
  ];
}
