// The rules of LimitRange: bounds that do not contradict each other.
import type { JsonObject } from 'kilter/api';
import {
  compareQuantities,
  qualifiedNameFlaws,
  type Quantity,
  quantityOf,
  quantityText,
  thousandths,
} from '../formats/index.ts';
import { duplicate, forbiddenField, invalidValue, required } from '../status/index.ts';
import { fieldOf, type Issue, objectIfIn, objectsIn, textIn, textOf } from '../values/index.ts';
import { containerResourceFlaws, isOvercommitted, resourceNameFlaws } from './resource-names.ts';

const types = new Set(['Pod', 'Container', 'PersistentVolumeClaim']);

function typeIssues(type: string, path: string): Issue[] {
  const flaws = qualifiedNameFlaws(type).map((flaw) => invalidValue(path, type, flaw));
  if (flaws.length > 0 || type.includes('/') || types.has(type)) return flaws;
  return [invalidValue(path, type, 'must be a standard limit type or fully qualified')];
}

function nameIssues(item: JsonObject, field: string, path: string): Issue[] {
  const isOfPods = ['Pod', 'Container'].includes(textIn(item, 'type'));
  const flawsOf = isOfPods ? containerResourceFlaws : resourceNameFlaws;
  return Object.keys(objectIfIn(item, field) ?? {}).flatMap((name) =>
    flawsOf(name).map((flaw) => invalidValue(`${path}.${field}[${name}]`, name, flaw)),
  );
}

const bounds = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'] as const;
type Bounds = Readonly<Record<(typeof bounds)[number], Quantity | undefined>>;

function boundsOf(item: JsonObject, name: string): Bounds {
  const amounts = bounds.map((field) => {
    const value = fieldOf(objectIfIn(item, field) ?? {}, name);
    return [field, value === undefined ? undefined : quantityOf(textOf(value))] as const;
  });
  return Object.fromEntries(amounts) as Bounds;
}

interface NamedField {
  readonly name: string;
  readonly path: string;
}

/** Two bounds of a resource in an order that cannot be. */
function orderIssues(own: Bounds, { name, path }: NamedField): Issue[] {
  const { max, min, default: limit, defaultRequest: request } = own;
  const check = (less: Quantity | undefined, more: Quantity | undefined, told: Told): Issue[] => {
    if (less === undefined || more === undefined || compareQuantities(less, more) <= 0) return [];
    const [low, high] = [quantityText(less), quantityText(more)];
    const quoted = told.quotes === 'first' ? low : high;
    return [
      invalidValue(
        `${path}.${told.field}[${name}]`,
        quoted,
        `${told.first} ${low} is greater than ${told.second} ${high}`,
      ),
    ];
  };
  const [least, most, asked, given] = ['min value', 'max value', 'default request value', 'default value'];
  return [
    ...check(min, max, { field: 'min', first: least, second: most, quotes: 'first' }),
    ...check(min, request, { field: 'defaultRequest', first: least, second: asked, quotes: 'second' }),
    ...check(request, max, { field: 'defaultRequest', first: asked, second: most, quotes: 'first' }),
    ...check(request, limit, { field: 'defaultRequest', first: asked, second: 'default limit value', quotes: 'first' }),
    ...check(min, limit, { field: 'default', first: least, second: given, quotes: 'first' }),
    ...check(limit, max, { field: 'default', first: given, second: most, quotes: 'second' }),
  ];
}

interface Told {
  readonly field: string;
  readonly first: string | undefined;
  readonly second: string | undefined;
  /** Which of the two a refusal quotes. */
  readonly quotes: 'first' | 'second';
}

function ratioIssues({ max, min, maxLimitRequestRatio: ratio }: Bounds, { name, path }: NamedField): Issue[] {
  if (ratio === undefined) return [];
  const field = `${path}.maxLimitRequestRatio[${name}]`;
  const text = quantityText(ratio);
  const isBelowOne = thousandths(ratio) < 1000n;
  const widest =
    min === undefined || max === undefined ? Infinity : Number(thousandths(max)) / Number(thousandths(min));
  const isTooWide = Number(thousandths(ratio)) / 1000 > widest;
  return [
    ...(isBelowOne ? [invalidValue(field, text, `ratio ${text} is less than 1`)] : []),
    ...(isTooWide ? [invalidValue(field, text, `ratio ${text} is greater than max/min = ${widest.toFixed(6)}`)] : []),
  ];
}

/** What cannot be promised twice is requested as it is limited. */
function exactIssues({ default: limit, defaultRequest: request }: Bounds, { name, path }: NamedField): Issue[] {
  if (isOvercommitted(name) || limit === undefined || request === undefined) return [];
  if (compareQuantities(limit, request) === 0) return [];
  const [given, asked] = [quantityText(limit), quantityText(request)];
  const why = `default value ${given} must equal to defaultRequest value ${asked} in ${name}`;
  return [invalidValue(`${path}.defaultRequest[${name}]`, asked, why)];
}

function fieldIssues(item: JsonObject, path: string): Issue[] {
  const isOfPods = textIn(item, 'type') === 'Pod';
  const unwanted = ['default', 'defaultRequest'].filter(
    (field) => Object.keys(objectIfIn(item, field) ?? {}).length > 0,
  );
  const isOfClaims = textIn(item, 'type') === 'PersistentVolumeClaim';
  const isBounded = ['min', 'max'].some((field) => objectIfIn(item, field)?.['storage'] !== undefined);
  const wanted = 'either minimum or maximum storage value is required, but neither was provided';
  return [
    ...['max', 'min'].flatMap((field) => nameIssues(item, field, path)),
    ...(isOfPods
      ? unwanted.map((field) => forbiddenField(`${path}.${field}`, "may not be specified when `type` is 'Pod'"))
      : ['default', 'defaultRequest'].flatMap((field) => nameIssues(item, field, path))),
    ...(isOfClaims && !isBounded ? [required(`${path}.limits`, wanted)] : []),
    ...nameIssues(item, 'maxLimitRequestRatio', path),
  ];
}

function itemIssues(item: JsonObject, path: string): Issue[] {
  const counted = textIn(item, 'type') === 'Pod' ? { ...item, default: {}, defaultRequest: {} } : item;
  const names = new Set(bounds.flatMap((field) => Object.keys(objectIfIn(counted, field) ?? {})));
  const each = [...names].flatMap((name) => {
    const [own, place] = [boundsOf(counted, name), { name, path }];
    return [...orderIssues(own, place), ...ratioIssues(own, place), ...exactIssues(own, place)];
  });
  return [...fieldIssues(item, path), ...each];
}

export function limitRangeIssues(range: JsonObject): Issue[] {
  const items = objectsIn(objectIfIn(range, 'spec') ?? {}, 'limits');
  const seen = new Set<string>();
  return items.flatMap((item, index) => {
    const path = `spec.limits[${index}]`;
    const type = textIn(item, 'type');
    const again = seen.has(type) ? [duplicate(`${path}.type`, type)] : [];
    seen.add(type);
    return [...typeIssues(type, `${path}.type`), ...again, ...itemIssues(item, path)];
  });
}
