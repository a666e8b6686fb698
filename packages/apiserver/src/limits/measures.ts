// How much of what a quota bounds an object uses.
import { type JsonObject, parseTime } from 'kilter/api';
import {
  addQuantities,
  compareQuantities,
  noQuantity,
  quantityOf,
  roundedUp,
  wholeQuantity,
} from '../formats/index.ts';
import { metadataOf, objectIfIn, objectsIn, specOf, textIn } from '../values/index.ts';
import { podResources } from './pod-resources.ts';
import { isClaimIn, isPodIn, isTerminating, type Scope } from './quota-scopes.ts';
import { type ResourceList, resourcesIn } from './resource-list.ts';

/** A change, as far as it says whether it may use more. */
export interface Measured {
  readonly operation: string;
  readonly subresource: string | undefined;
  readonly object: JsonObject | undefined;
  readonly old: JsonObject | undefined;
}

/** How objects of one resource are counted. */
export interface Measure {
  /** Whether a change may use more than before. */
  counts(change: Measured): boolean;
  /** Whether this name in a quota is about objects of the resource. */
  bounds(name: string): boolean;
  isIn(scope: Scope, object: JsonObject): boolean;
  /** What one object uses; `now`: milliseconds since 1970. */
  usage(object: JsonObject, now: number): ResourceList;
  /** What an object must say where these names are bounded, and does not. */
  unsaid?(object: JsonObject, names: readonly string[]): string | undefined;
}

const one = wholeQuantity(1);

const computed = new Set(['cpu', 'memory', 'ephemeral-storage']);
const computedNames = new Set([...computed].flatMap((name) => [name, `requests.${name}`, `limits.${name}`]));

/** `requests.example.com/gpu`: resources that are not Kubernetes' own are bounded by what is requested. */
const isForeign = (name: string): boolean => {
  const isOwn = !name.includes('/') || name.includes('kubernetes.io/');
  return name.startsWith('requests.') && (!isOwn || name.startsWith('requests.deviceclass.resource.kubernetes.io/'));
};

const isForeignResource = (name: string): boolean =>
  name.includes('/') && !name.includes('kubernetes.io/') && !name.startsWith('requests.');

function computeUsage(requests: ResourceList, limits: ResourceList): ResourceList {
  const usage = new Map([['pods', one]]);
  for (const [name, amount] of requests) {
    const isPlain = computed.has(name) || name.startsWith('hugepages-');
    if (isPlain) usage.set(name, amount);
    if (isPlain || isForeignResource(name)) usage.set(`requests.${name}`, amount);
  }
  for (const [name, amount] of limits) if (computed.has(name)) usage.set(`limits.${name}`, amount);
  return usage;
}

/** Neither one that has ended nor one whose time to end is over. */
function isLive(pod: JsonObject, now: number): boolean {
  const phase = textIn(objectIfIn(pod, 'status') ?? {}, 'phase');
  if (phase === 'Failed' || phase === 'Succeeded') return false;
  const { deletionGracePeriodSeconds: grace } = metadataOf(pod);
  const marked = parseTime(textIn(metadataOf(pod), 'deletionTimestamp'));
  return marked === undefined || typeof grace !== 'number' || now <= marked + grace * 1000;
}

/** A quota on these wants every container to say how much it needs. */
const mustBeSaid = new Set(['cpu', 'memory', 'requests.cpu', 'requests.memory', 'limits.cpu', 'limits.memory']);

function unsaidByPod(pod: JsonObject, names: readonly string[]): string | undefined {
  const spec = specOf(pod);
  const ofPod = objectIfIn(spec, 'resources') ?? {};
  if (resourcesIn(ofPod, 'requests').size + resourcesIn(ofPod, 'limits').size > 0) return undefined;
  const containers = ['containers', 'initContainers'].flatMap((list) => objectsIn(spec, list));
  const usages = containers.map((container) => {
    const resources = objectIfIn(container, 'resources');
    const usage = computeUsage(resourcesIn(resources, 'requests'), resourcesIn(resources, 'limits'));
    return { name: textIn(container, 'name'), usage };
  });
  const texts = names
    .filter((name) => mustBeSaid.has(name))
    .sort()
    .flatMap((name) => {
      const silent = usages.filter(({ usage }) => !usage.has(name)).map((container) => container.name);
      return silent.length === 0 ? [] : [`${name} for: ${silent.sort().join(',')}`];
    });
  return texts.length === 0 ? undefined : `must specify ${texts.join('; ')}`;
}

const pods: Measure = {
  counts: ({ operation, subresource, object, old }) => {
    if (subresource === 'resize') return operation === 'update';
    if (subresource !== undefined) return false;
    if (operation === 'create') return true;
    return operation === 'update' && isTerminating(object ?? {}) !== isTerminating(old ?? {});
  },
  bounds: (name) =>
    name === 'count/pods' ||
    name === 'pods' ||
    computedNames.has(name) ||
    name.startsWith('hugepages-') ||
    name.startsWith('requests.hugepages-') ||
    isForeign(name),
  isIn: isPodIn,
  usage: (pod, now) => {
    const counted: ResourceList = new Map([['count/pods', one]]);
    if (!isLive(pod, now)) return counted;
    const spec = specOf(pod);
    const [requests, limits] = [podResources(spec, 'requests', 'quota'), podResources(spec, 'limits', 'quota')];
    return new Map([...counted, ...computeUsage(requests, limits)]);
  },
  unsaid: unsaidByPod,
};

const outsideScopes = (): boolean => false;

const serviceNames = new Set(['count/services', 'services', 'services.nodeports', 'services.loadbalancers']);

const services: Measure = {
  counts: ({ operation, subresource }) =>
    subresource === undefined && (operation === 'create' || operation === 'update'),
  bounds: (name) => serviceNames.has(name),
  isIn: outsideScopes,
  usage: (service) => {
    const spec = specOf(service);
    const ports = objectsIn(spec, 'ports');
    const type = textIn(spec, 'type');
    const isBalanced = type === 'LoadBalancer';
    const asked = ports.filter((port) => typeof port['nodePort'] === 'number' && port['nodePort'] !== 0);
    const own = isBalanced && spec['allocateLoadBalancerNodePorts'] === false ? asked : ports;
    return new Map([
      ['count/services', one],
      ['services', one],
      ['services.loadbalancers', isBalanced ? one : noQuantity],
      ['services.nodeports', isBalanced || type === 'NodePort' ? wholeQuantity(own.length) : noQuantity],
    ]);
  },
};

const ofClass = '.storageclass.storage.k8s.io/';
const claimNames = ['persistentvolumeclaims', 'requests.storage'];

function storageOf(claim: JsonObject): ResourceList {
  const asked = resourcesIn(objectIfIn(specOf(claim), 'resources'), 'requests').get('storage');
  if (asked === undefined) return new Map();
  const allocated = objectIfIn(objectIfIn(claim, 'status') ?? {}, 'allocatedResources')?.['storage'];
  const given = typeof allocated === 'string' ? quantityOf(allocated) : asked;
  return new Map([['requests.storage', roundedUp(compareQuantities(given, asked) > 0 ? given : asked, 0)]]);
}

function storageClassOf(claim: JsonObject): string {
  const annotation = objectIfIn(metadataOf(claim), 'annotations')?.['volume.beta.kubernetes.io/storage-class'];
  return typeof annotation === 'string' ? annotation : textIn(specOf(claim), 'storageClassName');
}

const claims: Measure = {
  counts: ({ operation, subresource }) =>
    subresource === 'status' || (subresource === undefined && (operation === 'create' || operation === 'update')),
  bounds: (name) =>
    name === 'count/persistentvolumeclaims' ||
    claimNames.some((own) => name === own || name.endsWith(`${ofClass}${own}`)),
  isIn: isClaimIn,
  usage: (claim) => {
    const plain: ResourceList = new Map([['persistentvolumeclaims', one], ...storageOf(claim)]);
    const name = storageClassOf(claim);
    const classed = name === '' ? [] : [...plain].map(([key, amount]) => [`${name}${ofClass}${key}`, amount] as const);
    return new Map([['count/persistentvolumeclaims', one], ...plain, ...classed]);
  },
};

/** Names that quotas had before everything could be counted. */
const aliased = new Set(['configmaps', 'resourcequotas', 'replicationcontrollers', 'secrets']);

function counted(group: string, plural: string): Measure {
  const names = group === '' ? [`count/${plural}`] : [`count/${plural}.${group}`];
  if (group === '' && aliased.has(plural)) names.push(plural);
  return {
    counts: ({ operation, subresource }) => subresource === undefined && operation === 'create',
    bounds: (name) => names.includes(name),
    isIn: outsideScopes,
    usage: () => new Map(names.map((name) => [name, one])),
  };
}

const measures: Readonly<Record<string, Measure>> = { pods, services, persistentvolumeclaims: claims };

/** Not stored, or too many to count. */
const uncounted = new Set([
  '/bindings',
  '/componentstatuses',
  'authentication.k8s.io/tokenreviews',
  'authentication.k8s.io/selfsubjectreviews',
  'authorization.k8s.io/subjectaccessreviews',
  'authorization.k8s.io/selfsubjectaccessreviews',
  'authorization.k8s.io/localsubjectaccessreviews',
  'authorization.k8s.io/selfsubjectrulesreviews',
  '/events',
  'events.k8s.io/events',
]);

/** How objects of a resource are counted; undefined for what no quota counts. */
export function measureOf({ group, plural }: { group: string; plural: string }): Measure | undefined {
  if (uncounted.has(`${group}/${plural}`)) return undefined;
  const own = group === '' && Object.hasOwn(measures, plural) ? measures[plural] : undefined;
  return own ?? counted(group, plural);
}

/** What several objects use together, of what a quota bounds and its scopes take in. */
export function totalUsage(
  measure: Measure,
  objects: readonly JsonObject[],
  { names, scopes, now }: { names: readonly string[]; scopes: readonly Scope[]; now: number },
): ResourceList {
  const total = new Map(names.map((name) => [name, noQuantity]));
  for (const object of objects) {
    if (!scopes.every((scope) => measure.isIn(scope, object))) continue;
    for (const [name, amount] of measure.usage(object, now)) {
      const before = total.get(name);
      if (before !== undefined) total.set(name, addQuantities(before, amount));
    }
  }
  return total;
}
