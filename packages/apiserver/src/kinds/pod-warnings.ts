// What the server says of a pod it takes: what no longer works, what hides something else, what matches nothing.
import type { Json, JsonObject } from 'kilter/api';
import { quantityOf, quantityText, thousandths } from '../formats/index.ts';
import { fieldOf, isObject, metadataOf, objectIfIn, objectsIn, quote, textIn, textOf } from '../values/index.ts';
import { labelProblems } from './names.ts';
import { type PlacedPort, portWarnings } from './port-warnings.ts';

const oldLabels: Readonly<Record<string, string>> = {
  'beta.kubernetes.io/arch': 'deprecated since v1.14; use "kubernetes.io/arch" instead',
  'beta.kubernetes.io/os': 'deprecated since v1.14; use "kubernetes.io/os" instead',
  'failure-domain.beta.kubernetes.io/region': 'deprecated since v1.17; use "topology.kubernetes.io/region" instead',
  'failure-domain.beta.kubernetes.io/zone': 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead',
  'beta.kubernetes.io/instance-type': 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead',
  'app.kubernetes.io/created-by': 'deprecated since v1.9',
  'scheduler.alpha.kubernetes.io/preferAvoidPods': 'deprecated since v1.22; use Taints and Tolerations instead',
  'node-role.kubernetes.io/master': 'use "node-role.kubernetes.io/control-plane" instead',
};
const oldAnnotations: Readonly<Record<string, string>> = {
  'scheduler.alpha.kubernetes.io/critical-pod': 'non-functional in v1.16+; use the "priorityClassName" field instead',
  'security.alpha.kubernetes.io/sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
  'security.alpha.kubernetes.io/unsafe-sysctls': 'non-functional in v1.11+; use the "sysctls" field instead',
};
const oldVolumes: Readonly<Record<string, string>> = {
  photonPersistentDisk: 'deprecated in v1.11, non-functional in v1.16+',
  gitRepo: 'deprecated in v1.11, and disabled by default in v1.33+',
  scaleIO: 'deprecated in v1.16, non-functional in v1.22+',
  flocker: 'deprecated in v1.22, non-functional in v1.25+',
  storageos: 'deprecated in v1.22, non-functional in v1.25+',
  quobyte: 'deprecated in v1.22, non-functional in v1.25+',
  glusterfs: 'deprecated in v1.25, non-functional in v1.26+',
  cephfs: 'deprecated in v1.28, non-functional in v1.31+',
  rbd: 'deprecated in v1.28, non-functional in v1.31+',
};
/** The one source whose path the server spells in its own way. */
const spelled: Readonly<Record<string, string>> = { storageos: 'storageOS' };

const matchesNothing = (path: string): string =>
  `${path}.labelSelector: a null labelSelector results in matching no pod`;

function expressionWarnings(term: JsonObject, path: string): string[] {
  return objectsIn(term, 'matchExpressions').flatMap((expression, index) => {
    const key = textIn(expression, 'key');
    const old = fieldOf(oldLabels, key);
    return old === undefined ? [] : [`${path}.matchExpressions[${index}].key: ${key} is ${old}`];
  });
}

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

function nodeWarnings(spec: JsonObject, path: string): string[] {
  const affinity = objectIfIn(objectIfIn(spec, 'affinity') ?? {}, 'nodeAffinity') ?? {};
  const at = `${path}.affinity.nodeAffinity`;
  return [
    ...Object.keys(objectIfIn(spec, 'nodeSelector') ?? {}).flatMap((key) =>
      fieldOf(oldLabels, key) === undefined ? [] : [`${path}.nodeSelector[${key}]: ${oldLabels[key]}`],
    ),
    ...objectsIn(objectIfIn(affinity, required) ?? {}, 'nodeSelectorTerms').flatMap((term, index) =>
      expressionWarnings(term, `${at}.${required}.nodeSelectorTerms[${index}]`),
    ),
    ...objectsIn(affinity, preferred).flatMap((term, index) =>
      expressionWarnings(objectIfIn(term, 'preference') ?? {}, `${at}.${preferred}[${index}].preference`),
    ),
  ];
}

function spreadWarnings(spec: JsonObject, path: string): string[] {
  return objectsIn(spec, 'topologySpreadConstraints').flatMap((constraint, index) => {
    const at = `${path}.topologySpreadConstraints[${index}]`;
    const key = textIn(constraint, 'topologyKey');
    return [
      ...(fieldOf(oldLabels, key) === undefined ? [] : [`${at}.topologyKey: ${key} is ${oldLabels[key]}`]),
      ...(objectIfIn(constraint, 'labelSelector') === undefined ? [matchesNothing(at)] : []),
    ];
  });
}

function affinityWarnings(spec: JsonObject, path: string): string[] {
  return ['podAffinity', 'podAntiAffinity'].flatMap((kind) => {
    const affinity = objectIfIn(objectIfIn(spec, 'affinity') ?? {}, kind) ?? {};
    const at = `${path}.affinity.${kind}`;
    return [
      ...objectsIn(affinity, required).flatMap((term, index) =>
        objectIfIn(term, 'labelSelector') === undefined ? [matchesNothing(`${at}.${required}[${index}]`)] : [],
      ),
      ...objectsIn(affinity, preferred).flatMap((term, index) =>
        objectIfIn(objectIfIn(term, 'podAffinityTerm') ?? {}, 'labelSelector') === undefined
          ? [matchesNothing(`${at}.${preferred}[${index}].podAffinityTerm`)]
          : [],
      ),
    ];
  });
}

function volumeWarnings(spec: JsonObject, path: string): string[] {
  return objectsIn(spec, 'volumes').flatMap((volume, index) =>
    Object.entries(oldVolumes).flatMap(([source, told]) =>
      isObject(volume[source]) ? [`${path}.volumes[${index}].${spelled[source] ?? source}: ${told}`] : [],
    ),
  );
}

function repeats(spec: JsonObject, list: string, { field, path }: { field: string; path: string }): string[] {
  const seen = new Set<string>();
  return objectsIn(spec, list).flatMap((item, index) => {
    const value = textIn(item, field);
    const again = seen.has(value);
    seen.add(value);
    return again ? [`${path}.${list}[${index}].${field}: duplicate ${field} ${quote(value)}`] : [];
  });
}

function nameless(spec: JsonObject, path: string): string[] {
  return objectsIn(spec, 'imagePullSecrets').flatMap((item, index) =>
    textIn(item, 'name') === '' ? [`${path}.imagePullSecrets[${index}].name: invalid empty name ""`] : [],
  );
}

/** Bytes do not come in parts. */
function fractions(amounts: JsonObject | undefined, name: string, path: string): string[] {
  const value: Json | undefined = amounts?.[name];
  if (value === undefined) return [];
  const amount = quantityOf(textOf(value));
  if (thousandths(amount) % 1000n === 0n) return [];
  return [`${path}[${name}]: fractional byte value ${quote(quantityText(amount))} is invalid, must be an integer`];
}

/** A second definition of a variable is for extending the first. */
function hiddenVariables(container: JsonObject, path: string): string[] {
  const seen = new Set<string>();
  return objectsIn(container, 'env').flatMap((variable, index) => {
    const [name, value] = [textIn(variable, 'name'), textIn(variable, 'value')];
    const reference = `$(${name})`;
    const extends_ = variable['valueFrom'] === undefined && value !== reference && value.includes(reference);
    const hides = seen.has(name) && !extends_;
    seen.add(name);
    if (!hides) return [];
    return [
      `${path}.env[${index}]: hides previous definition of ${quote(name)}, which may be dropped when using apply`,
    ];
  });
}

interface Placed {
  readonly container: JsonObject;
  readonly path: string;
}

function containerWarnings({ container, path }: Placed): string[] {
  const resources = objectIfIn(container, 'resources') ?? {};
  return [
    ...['memory', 'ephemeral-storage'].flatMap((name) =>
      ['limits', 'requests'].flatMap((side) =>
        fractions(objectIfIn(resources, side), name, `${path}.resources.${side}`),
      ),
    ),
    ...hiddenVariables(container, path),
  ];
}

const placedPorts = (containers: readonly Placed[]): PlacedPort[] =>
  containers.flatMap(({ container, path }) =>
    objectsIn(container, 'ports').map((port, index) => ({ port, at: `${path}.ports[${index}]` })),
  );

/** What is said of a pod, or of a template, whose metadata and spec stand below this path. */
function warningsOf(pod: JsonObject, path: string): string[] {
  const spec = objectIfIn(pod, 'spec') ?? {};
  const at = `${path}spec`;
  const annotations = objectIfIn(metadataOf(pod), 'annotations') ?? {};
  const containers = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) =>
    objectsIn(spec, list).map((container, index) => ({ container, path: `${at}.${list}[${index}]` })),
  );
  const overhead = objectIfIn(spec, 'overhead');
  const isNegative = Number(spec['terminationGracePeriodSeconds'] ?? 0) < 0;
  return [
    ...nodeWarnings(spec, at),
    ...spreadWarnings(spec, at),
    ...Object.entries(oldAnnotations).flatMap(([key, told]) =>
      Object.hasOwn(annotations, key) ? [`${path}metadata.annotations[${key}]: ${told}`] : [],
    ),
    ...volumeWarnings(spec, at),
    ...repeats(spec, 'hostAliases', { field: 'ip', path: at }),
    ...repeats(spec, 'imagePullSecrets', { field: 'name', path: at }),
    ...nameless(spec, at),
    ...['memory', 'ephemeral-storage'].flatMap((name) => fractions(overhead, name, `${at}.overhead`)),
    ...containers.flatMap(containerWarnings),
    ...portWarnings(placedPorts(containers)),
    ...(isNegative
      ? [`${at}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
    ...affinityWarnings(spec, at),
  ];
}

/** Names of pods, and of what makes them, become host names. */
function nameWarnings(object: JsonObject, used: string): string[] {
  const flaws = labelProblems(textIn(metadataOf(object), 'name'));
  if (flaws.length === 0) return [];
  const why = `this is used in ${used}, which can result in surprising behavior`;
  return [`metadata.name: ${why}; a DNS label is recommended: [${flaws.join(' ')}]`];
}

/** A Pod is warned about once, when it is created. */
export const podWarnings = (pod: JsonObject, old: JsonObject | undefined): string[] =>
  old === undefined ? [...nameWarnings(pod, "the Pod's hostname"), ...warningsOf(pod, '')] : [];

const generationOf = (object: JsonObject): Json | undefined => metadataOf(object)['generation'];

/** For a kind with a template of pods at this path: warned about whenever its spec changes. */
export const templateWarnings =
  (path: string, { named = false }: { readonly named?: boolean } = {}) =>
  (object: JsonObject, old: JsonObject | undefined): string[] => {
    if (old !== undefined && generationOf(old) === generationOf(object)) return [];
    const template = path.split('.').reduce<JsonObject>((owner, step) => objectIfIn(owner, step) ?? {}, object);
    const names = named && old === undefined ? nameWarnings(object, 'Pod names and hostnames') : [];
    return [...names, ...warningsOf(template, `${path}.`)];
  };
