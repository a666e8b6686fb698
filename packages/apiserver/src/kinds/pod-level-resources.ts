// What a Pod as a whole asks for, beside what its containers do.
import type { Json, JsonObject } from 'kilter/api';
import {
  addQuantities,
  compareQuantities,
  noQuantity,
  type Quantity,
  quantityOf,
  quantityText,
} from '../formats/index.ts';
import { invalidValue, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectIn, objectsIn, textIn, textOf } from '../values/index.ts';

const amountsOf = (owner: JsonObject, kind: 'requests' | 'limits'): JsonObject =>
  objectIfIn(objectIfIn(owner, 'resources') ?? {}, kind) ?? {};

const amount = (value: Json | undefined): Quantity => quantityOf(textOf(value ?? '0'));
const larger = (a: Quantity, b: Quantity): Quantity => (compareQuantities(a, b) < 0 ? b : a);

/** Containers run beside each other and beside those that were started before and stay; the others, one after the other, before them. */
function requestedOf(spec: JsonObject, name: string): Quantity | undefined {
  const starting = objectsIn(spec, 'initContainers');
  const containers = objectsIn(spec, 'containers');
  if (![...starting, ...containers].some((one) => name in amountsOf(one, 'requests'))) return undefined;
  let [staying, highest] = [noQuantity, noQuantity];
  for (const container of starting) {
    const asked = addQuantities(staying, amount(amountsOf(container, 'requests')[name]));
    if (textIn(container, 'restartPolicy') === 'Always') staying = asked;
    highest = larger(highest, asked);
  }
  const running = containers.reduce(
    (sum, container) => addQuantities(sum, amount(amountsOf(container, 'requests')[name])),
    staying,
  );
  return larger(highest, running);
}

const shared = ['cpu', 'memory'];

/** A Pod that is limited as a whole asks for what its containers do together, else for as much as it may have. */
export function defaultPodResources(spec: JsonObject): void {
  const limits = amountsOf(spec, 'limits');
  if (Object.keys(limits).length === 0) return;
  const requests = objectIn(objectIn(spec, 'resources'), 'requests');
  for (const name of shared) {
    const asked = requestedOf(spec, name);
    if (asked !== undefined) requests[name] ??= quantityText(asked);
  }
  for (const [name, limit] of Object.entries(limits)) {
    if (isSupported(name)) requests[name] ??= limit ?? '0';
  }
}

const supported = ['cpu', 'hugepages-', 'memory'];
const isSupported = (name: string): boolean => shared.includes(name) || name.startsWith('hugepages-');

/** What is wrong with what a Pod asks for as a whole. */
export function podResourceIssues(spec: JsonObject, path: string): Issue[] {
  const named = (['limits', 'requests'] as const).flatMap((kind) =>
    Object.keys(amountsOf(spec, kind))
      .filter((name) => !isSupported(name))
      .map((name) => unsupported(`${path}.resources.${kind}[${name}]`, name, supported)),
  );
  const requests = amountsOf(spec, 'requests');
  const less = shared.flatMap((name) => {
    const [own, asked] = [requests[name], requestedOf(spec, name)];
    if (own === undefined || asked === undefined || compareQuantities(asked, amount(own)) <= 0) return [];
    const why = `must be greater than or equal to aggregate container requests of ${quantityText(asked)}`;
    return [invalidValue(`${path}.resources.requests[${name}]`, quantityText(amount(own)), why)];
  });
  return [...named, ...less];
}

/** What counts for the quality of service: amounts of the whole Pod where it has any, else those of its containers. */
export function countedAmounts(spec: JsonObject): { requests: JsonObject; limits: JsonObject }[] {
  const containers = ['initContainers', 'containers'].flatMap((list) => objectsIn(spec, list));
  const owners = objectIfIn(spec, 'resources') === undefined ? containers : [spec];
  const some = (amounts: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(amounts).filter(([, value]) => compareQuantities(amount(value), noQuantity) > 0));
  return owners.map((owner) => ({
    requests: some(amountsOf(owner, 'requests')),
    limits: some(amountsOf(owner, 'limits')),
  }));
}
