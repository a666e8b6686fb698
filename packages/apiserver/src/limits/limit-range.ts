// LimitRange: what containers ask for unless they say so, and the bounds of containers, pods and claims.
import type { JsonObject } from 'kilter/api';
import { compareQuantities, noQuantity, type Quantity, quantityText, thousandths } from '../formats/index.ts';
import { clone, objectIfIn, objectIn, objectsIn, specOf, textIn } from '../values/index.ts';
import { podResources } from './pod-resources.ts';
import { type ResourceList, resourcesIn } from './resource-list.ts';

const note = 'kubernetes.io/limit-ranger';

const limitsOf = (range: JsonObject): JsonObject[] => objectsIn(objectIfIn(range, 'spec') ?? {}, 'limits');

/** The defaults of a range for containers: of several items, later ones go over earlier ones. */
function defaultsOf(range: JsonObject): { requests: JsonObject; limits: JsonObject } {
  const items = limitsOf(range).filter((item) => textIn(item, 'type') === 'Container');
  const requests = Object.assign({}, ...items.map((item) => objectIfIn(item, 'defaultRequest') ?? {})) as JsonObject;
  const limits = Object.assign({}, ...items.map((item) => objectIfIn(item, 'default') ?? {})) as JsonObject;
  return { requests, limits };
}

/** Fills what a container does not say, and tells what that was. */
function filled(resources: JsonObject, field: 'requests' | 'limits', defaults: JsonObject): string[] {
  const given = objectIfIn(resources, field) ?? {};
  const missing = Object.keys(defaults).filter((name) => !Object.hasOwn(given, name));
  if (missing.length > 0) resources[field] = { ...defaults, ...given };
  return missing.sort();
}

function fillContainer(container: JsonObject, range: JsonObject, word: string): string[] {
  const { requests, limits } = defaultsOf(range);
  const resources = objectIn(container, 'resources');
  const asked = filled(resources, 'requests', requests);
  const limited = filled(resources, 'limits', limits);
  const told = (names: string[], what: string): string[] =>
    names.length === 0 ? [] : [`${names.join(', ')} ${what} for ${word} ${textIn(container, 'name')}`];
  return [...told(asked, 'request'), ...told(limited, 'limit')];
}

/** A pod with what the ranges of its namespace fill in; undefined where they fill in nothing. */
export function withDefaults(pod: JsonObject, ranges: readonly JsonObject[]): JsonObject | undefined {
  const changed = clone(pod);
  const spec = objectIn(changed, 'spec');
  let hasChanged = false;
  for (const range of ranges) {
    const told = [
      ...objectsIn(spec, 'containers').flatMap((container) => fillContainer(container, range, 'container')),
      ...objectsIn(spec, 'initContainers').flatMap((container) => fillContainer(container, range, 'init container')),
    ];
    if (told.length === 0) continue;
    hasChanged = true;
    objectIn(objectIn(changed, 'metadata'), 'annotations')[note] = `LimitRanger plugin set: ${told.join('; ')}`;
  }
  return hasChanged ? changed : undefined;
}

interface Asked {
  readonly requests: ResourceList;
  readonly limits: ResourceList;
}

/** A bound of one resource, as messages name it. */
interface Bound {
  readonly name: string;
  readonly of: string;
  readonly amount: Quantity;
}

const isLess = (a: Quantity, b: Quantity): boolean => compareQuantities(a, b) < 0;

function minimumProblem({ name, of, amount }: Bound, { requests, limits }: Asked): string | undefined {
  const least = `minimum ${name} usage per ${of} is ${quantityText(amount)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (request === undefined) return `${least}.  No request is specified`;
  if (isLess(request, amount)) return `${least}, but request is ${quantityText(request)}`;
  return limit !== undefined && isLess(limit, amount) ? `${least}, but limit is ${quantityText(limit)}` : undefined;
}

function maximumProblem({ name, of, amount }: Bound, { requests, limits }: Asked): string | undefined {
  const most = `maximum ${name} usage per ${of} is ${quantityText(amount)}`;
  const [request, limit] = [requests.get(name), limits.get(name)];
  if (limit === undefined) return `${most}.  No limit is specified`;
  if (isLess(amount, limit)) return `${most}, but limit is ${quantityText(limit)}`;
  return request !== undefined && isLess(amount, request)
    ? `${most}, but request is ${quantityText(request)}`
    : undefined;
}

/** Claims have requests alone. */
function maximumRequestProblem({ name, of, amount }: Bound, { requests }: Asked): string | undefined {
  const most = `maximum ${name} usage per ${of} is ${quantityText(amount)}`;
  const request = requests.get(name);
  if (request === undefined) return `${most}.  No request is specified`;
  return isLess(amount, request) ? `${most}, but request is ${quantityText(request)}` : undefined;
}

function ratioProblem({ name, of, amount }: Bound, { requests, limits }: Asked): string | undefined {
  const most = `${name} max limit to request ratio per ${of} is ${quantityText(amount)}`;
  const [request, limit] = [requests, limits].map((list) => Number(thousandths(list.get(name) ?? noQuantity)));
  if (!request) return `${most}, but no request is specified or request is 0`;
  if (!limit) return `${most}, but no limit is specified or limit is 0`;
  const ratio = limit / request;
  return ratio * 1000 > Number(thousandths(amount)) ? `${most}, but provided ratio is ${ratio.toFixed(6)}` : undefined;
}

type Check = (bound: Bound, asked: Asked) => string | undefined;

function problemsOf(item: JsonObject, asked: Asked, checks: Readonly<Record<string, Check>>): string[] {
  const of = textIn(item, 'type');
  return Object.entries(checks).flatMap(([field, check]) =>
    [...resourcesIn(item, field)].flatMap(([name, amount]) => check({ name, of, amount }, asked) ?? []),
  );
}

const checksOfPods = { min: minimumProblem, max: maximumProblem, maxLimitRequestRatio: ratioProblem };
const checksOfClaims = { min: minimumProblem, max: maximumRequestProblem };

/** Several problems are reported together, each once. */
function told(problems: readonly string[]): string | undefined {
  const each = [...new Set(problems)];
  return each.length > 1 ? `[${each.join(', ')}]` : each[0];
}

function podProblems(pod: JsonObject, item: JsonObject): string[] {
  const spec = specOf(pod);
  const check = (asked: Asked): string[] => problemsOf(item, asked, checksOfPods);
  if (textIn(item, 'type') === 'Container') {
    const containers = ['containers', 'initContainers'].flatMap((list) => objectsIn(spec, list));
    return containers.flatMap((container) => {
      const resources = objectIfIn(container, 'resources');
      return check({ requests: resourcesIn(resources, 'requests'), limits: resourcesIn(resources, 'limits') });
    });
  }
  if (textIn(item, 'type') !== 'Pod') return [];
  return check({ requests: podResources(spec, 'requests', 'range'), limits: podResources(spec, 'limits', 'range') });
}

/** Why a range refuses a pod; undefined if it does not. */
export function podRefusal(pod: JsonObject, range: JsonObject): string | undefined {
  return told(limitsOf(range).flatMap((item) => podProblems(pod, item)));
}

/** Why a range refuses a claim; undefined if it does not. */
export function claimRefusal(claim: JsonObject, range: JsonObject): string | undefined {
  const requests = resourcesIn(objectIfIn(specOf(claim), 'resources'), 'requests');
  const items = limitsOf(range).filter((item) => textIn(item, 'type') === 'PersistentVolumeClaim');
  return told(items.flatMap((item) => problemsOf(item, { requests, limits: new Map() }, checksOfClaims)));
}
