// The rules of pods, alone and in templates: what an author gets wrong.
import type { JsonObject } from 'kilter/api';
import { duplicate, forbiddenField, invalidValue, outOfRange, required, unsupported } from '../status/index.ts';
import { type Issue, metadataOf, objectIfIn, objectsIn, repeatsIn, textIn, textOf } from '../values/index.ts';
import { ephemeralContainerIssues, ephemeralUpdateIssues, resizeIssues } from './pod-changes.ts';
import { actionIssues, initActionIssues } from './container-actions.ts';
import { resourceIssues } from './container-resources.ts';
import { variableIssues } from './container-variables.ts';
import { keyProblems, labelProblems, labelValueProblems, portNameProblems, subdomainProblems } from './names.ts';
import { deviceIssues, mountIssues } from './mount-rules.ts';
import { placementIssues, tolerationsIssues } from './pod-placement.ts';
import { podResourceIssues } from './pod-level-resources.ts';
import { lastIssues, surroundingIssues } from './pod-surroundings.ts';
import { podUpdateIssues } from './pod-update-rules.ts';
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
  const policies = objectsIn(container, 'resizePolicy');
  const again = repeatsIn(policies.map((policy) => textIn(policy, 'resourceName')));
  return policies.flatMap((policy, index) => {
    const [resource, restart] = [textIn(policy, 'resourceName'), textIn(policy, 'restartPolicy')];
    return [
      ...(again.has(index) ? [duplicate(`${at}[${index}]`, resource)] : []),
      ...(resized.includes(resource) ? [] : [unsupported(at, resource, resized)]),
      ...(afterResize.includes(restart) ? [] : [unsupported(at, restart, afterResize)]),
    ];
  });
}

const restarts = ['Always', 'Never', 'OnFailure'];

/** Of one container: most leave it to the pod. */
function restartIssues(container: JsonObject, path: string): Issue[] {
  const { restartPolicy = null } = container;
  const field = `${path}.restartPolicy`;
  const rules = objectsIn(container, 'restartPolicyRules');
  if (restartPolicy === null) {
    return rules.length > 0 ? [required(field, 'must specify restartPolicy when restart rules are used')] : [];
  }
  return restarts.includes(textOf(restartPolicy)) ? [] : [unsupported(field, restartPolicy, restarts)];
}

/** A token is that of an account. */
function tokenIssues(spec: JsonObject): Issue[] {
  if (textIn(spec, 'serviceAccountName') !== '') return [];
  const why = 'must not be specified when serviceAccountName is not set';
  return objectsIn(spec, 'volumes').flatMap((volume, index) =>
    objectsIn(objectIfIn(volume, 'projected') ?? {}, 'sources').flatMap((source, place) =>
      objectIfIn(source, 'serviceAccountToken') === undefined
        ? []
        : [forbiddenField(`spec.volumes[${index}].projected.sources[${place}].serviceAccountToken`, why)],
    ),
  );
}

/** In templates the server takes them as they are: there were some before it looked. */
function imageIssues(spec: JsonObject): Issue[] {
  const why = 'must not have leading or trailing whitespace';
  return ['containers', 'initContainers', 'ephemeralContainers'].flatMap((list) =>
    objectsIn(spec, list).flatMap((container, index) => {
      const image = textIn(container, 'image');
      return image.trim() === image ? [] : [invalidValue(`spec.${list}[${index}].image`, image, why)];
    }),
  );
}

function containerIssues(container: JsonObject, path: string, { volumes, sources, claims, hostUsers }: OfPod): Issue[] {
  const name = textIn(container, 'name');
  const opened = objectsIn(container, 'ports');
  return [
    ...(name === '' ? [required(`${path}.name`)] : problemsOf(`${path}.name`, name, labelProblems(name))),
    ...(textIn(container, 'image') === '' ? [required(`${path}.image`)] : []),
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

/** On the network of the node a port of the container is that of the node. */
function hostPortIssues(spec: JsonObject, path: string): Issue[] {
  if (spec['hostNetwork'] !== true) return [];
  const why = 'must match `containerPort` when `hostNetwork` is true';
  return ['containers', 'initContainers'].flatMap((list) =>
    objectsIn(spec, list).flatMap((container, index) =>
      objectsIn(container, 'ports').flatMap(({ hostPort = 0, containerPort = 0 }, place) =>
        hostPort === 0 || hostPort === containerPort
          ? []
          : [invalidValue(`${path}.${list}[${index}].ports[${place}].hostPort`, hostPort, why)],
      ),
    ),
  );
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
    ...hostPortIssues(spec, path),
    ...podResourceIssues(spec, path),
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

function changeIssues(pod: JsonObject, old: JsonObject, subresource: string | undefined): Issue[] {
  if (subresource === 'ephemeralcontainers') return ephemeralUpdateIssues(pod, old);
  if (subresource === 'resize') return resizeIssues(pod, old);
  return podUpdateIssues(pod, old);
}

/** A Pod begins without containers for debugging: they join it while it runs. With gates it begins without a node. */
function beginningIssues(spec: JsonObject): Issue[] {
  const early = objectsIn(spec, 'ephemeralContainers').length > 0;
  const bound = textIn(spec, 'nodeName') !== '' && objectsIn(spec, 'schedulingGates').length > 0;
  const gated = 'cannot be set until all schedulingGates have been cleared';
  return [
    ...(early ? [forbiddenField('spec.ephemeralContainers', 'cannot be set on create')] : []),
    ...(bound ? [forbiddenField('spec.nodeName', gated)] : []),
  ];
}

export function podIssues(pod: JsonObject, old: JsonObject | undefined, subresource?: string): Issue[] {
  const spec = objectIfIn(pod, 'spec') ?? {};
  return [
    ...podSpecIssues(spec, 'spec'),
    ...tokenIssues(spec),
    ...imageIssues(spec),
    ...ephemeralContainerIssues(spec),
    ...(old === undefined ? beginningIssues(spec) : changeIssues(pod, old, subresource)),
  ];
}
