// What a container asks for: names, amounts, and requests that fit their limits.
import type { Json, JsonObject } from 'kilter/api';
import { compareQuantities, noQuantity, quantityOf, quantityText, thousandths, wholeOf } from '../formats/index.ts';
import { duplicate, forbiddenField, invalidValue, notFoundValue, required } from '../status/index.ts';
import { fieldOf, type Issue, objectIfIn, objectsIn, textIn, textOf } from '../values/index.ts';
import { labelProblems } from './names.ts';
import { containerResourceFlaws, isForeignName, isLargePages, isOvercommitted } from './resource-names.ts';

const amountOf = (value: Json): ReturnType<typeof quantityOf> => quantityOf(textOf(value));

/** Pages come as a whole number of them. */
function pagesIssues(name: string, value: Json, field: string): Issue[] {
  if (!isLargePages(name)) return [];
  const size = quantityOf(name.slice('hugepages-'.length));
  const [asked, each] = [wholeOf(amountOf(value)), wholeOf(size)];
  if (asked !== undefined && each !== undefined && each > 0n && asked % each === 0n) return [];
  const text = quantityText(amountOf(value));
  return [invalidValue(field, text, `${text} is not positive integer multiple of ${name}`)];
}

function amountIssues(name: string, value: Json, field: string): Issue[] {
  const amount = amountOf(value);
  const text = quantityText(amount);
  const isBroken = isForeignName(name) && thousandths(amount) % 1000n !== 0n;
  return [
    ...containerResourceFlaws(name).map((flaw) => invalidValue(field, name, flaw)),
    ...(compareQuantities(amount, noQuantity) < 0
      ? [invalidValue(field, text, 'must be greater than or equal to 0')]
      : []),
    ...(isBroken ? [invalidValue(field, text, 'must be an integer')] : []),
    ...pagesIssues(name, value, field),
  ];
}

/** What cannot be promised twice is requested as it is limited. */
function requestIssues(name: string, value: Json, { limits, path }: { limits: JsonObject; path: string }): Issue[] {
  const limit = fieldOf(limits, name);
  if (limit === undefined)
    return isOvercommitted(name)
      ? []
      : [required(`${path}.limits`, 'Limit must be set for non overcommitable resources')];
  const [asked, most] = [amountOf(value), amountOf(limit)];
  const order = compareQuantities(asked, most);
  const told = (how: string): Issue[] => [
    invalidValue(`${path}.requests`, quantityText(asked), `must be ${how} ${name} limit of ${quantityText(most)}`),
  ];
  if (order !== 0 && !isOvercommitted(name)) return told('equal to');
  return order > 0 ? told('less than or equal to') : [];
}

interface Around {
  readonly path: string;
  /** Names of the claims of the Pod. */
  readonly claims: readonly string[];
}

function claimIssues(resources: JsonObject, { path, claims }: Around): Issue[] {
  const seen = new Set<string>();
  const names = claims.length === 0 ? ' which is empty' : `: ${claims.toSorted().join(', ')}`;
  const known = `must be one of the names in pod.spec.resourceClaims${names}`;
  return objectsIn(resources, 'claims').flatMap((claim, index) => {
    const at = `${path}.claims[${index}]`;
    const [name, request] = [textIn(claim, 'name'), textIn(claim, 'request')];
    if (name === '') return [required(at)];
    const key = request === '' ? name : `${name}/${request}`;
    const isCovered = seen.has(name) || (request === '' && [...seen].some((one) => one.startsWith(`${name}/`)));
    const flaws = request === '' ? [] : labelProblems(request);
    const again = isCovered || seen.has(key);
    seen.add(key);
    return [
      ...flaws.map((flaw) => invalidValue(`${at}.request`, request, flaw)),
      ...(again ? [duplicate(at, isCovered ? name : key)] : []),
      ...(claims.includes(name) ? [] : [notFoundValue(at, name, known)]),
    ];
  });
}

/** What is wrong with the resources of a container. */
export function resourceIssues(container: JsonObject, around: Around): Issue[] {
  const resources = objectIfIn(container, 'resources') ?? {};
  const { path } = around;
  const limits = objectIfIn(resources, 'limits') ?? {};
  const requests = objectIfIn(resources, 'requests') ?? {};
  const names = [...Object.keys(limits), ...Object.keys(requests)];
  const isAlone =
    names.some((name) => isLargePages(name)) && !names.some((name) => name === 'cpu' || name === 'memory');
  return [
    ...Object.entries(limits).flatMap(([name, value]) => amountIssues(name, value, `${path}.limits[${name}]`)),
    ...Object.entries(requests).flatMap(([name, value]) => [
      ...amountIssues(name, value, `${path}.requests[${name}]`),
      ...requestIssues(name, value, { limits, path }),
    ]),
    ...(isAlone ? [forbiddenField(path, 'HugePages require cpu or memory')] : []),
    ...claimIssues(resources, around),
  ];
}
