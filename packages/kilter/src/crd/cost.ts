import { iterated } from './cel-text.ts';
import { child } from './field-path.ts';
import type { Site } from './normalize.ts';
import type { Price } from './rule-price.ts';
import { mostValues, sizesOf } from './size.ts';
import { propertyOf, type Structural, valuesOf } from './structural.ts';

/** Something that makes a rule dear by its size. */
export interface Sized {
  readonly path: string;
  readonly what: 'list' | 'map' | 'string';
  /** Nothing where it may be as long as a request. */
  readonly max?: number | undefined;
}

/** The keyword that is missing, and a number to start from: far below what the server's budget ends at. */
const missing = {
  list: { keyword: 'maxItems', cure: (max: number = 100) => `.max(${max})` },
  map: { keyword: 'maxProperties', cure: (max: number = 100) => `.meta(entries({ max: ${max} }))` },
  string: { keyword: 'maxLength', cure: (max: number = 1024) => `.max(${max})` },
} as const;

/** A list, map or string, and what bounds it. */
export function sizedAt(schema: Structural, path: string): Sized | undefined {
  if (schema.type === 'string') {
    const isShort = schema.enum !== undefined || schema.format !== undefined;
    return { path, what: 'string', max: schema.maxLength ?? (isShort ? sizesOf(schema).elements : undefined) };
  }
  if (schema.type === 'array') return { path, what: 'list', max: schema.maxItems };
  return valuesOf(schema) === undefined ? undefined : { path, what: 'map', max: schema.maxProperties };
}

function unboundedAt(schema: Structural, path: string): Sized | undefined {
  const found = sizedAt(schema, path);
  return found?.max === undefined ? found : undefined;
}

/** Lists and maps without a maximum that a rule runs through. */
function iteratedIn(cel: string, schema: Structural, path: string): Sized[] {
  return iterated(cel).flatMap((names) => {
    let at: Structural | undefined = schema;
    let place = path;
    for (const name of names) {
      at = at && propertyOf(at, name);
      place = child(place, name);
    }
    const found = at && unboundedAt(at, place);
    return found === undefined ? [] : [found];
  });
}

interface Ruled {
  readonly schema: Structural;
  /** Lists and maps above the rule, outermost first: each multiplies its cost. */
  readonly above: readonly Sized[];
  readonly site: Site;
}

export function warnOfCost(cel: string, { schema, above, site }: Ruled): void {
  const own = unboundedAt(schema, site.path);
  const dear = above.filter(({ max }) => max === undefined);
  const all = [...dear, ...(own === undefined ? [] : [own]), ...iteratedIn(cel, schema, site.path)];
  const culprits = [...new Map(all.map((culprit) => [culprit.path, culprit])).values()];
  if (culprits.length === 0) return;
  site.findings.warn({
    code: 'CRD_RULE_COST',
    path: site.path,
    message: `the rule ${JSON.stringify(cel)} may cost too much: ${named(culprits)}`,
    cure: `give a maximum, as ${cures(culprits)}`,
  });
}

function named(culprits: readonly Sized[]): string {
  return culprits.map(({ path, what }) => `the ${what} ${path} has no ${missing[what].keyword}`).join(', ');
}

function cures(culprits: readonly Sized[], max?: number): string {
  return culprits.map(({ path, what }) => `${missing[what].cure(max)} on ${path}`).join(' and ');
}

/** What the server lets one rule cost, and all of a schema together. */
const ruleLimit = 10_000_000;
const schemaLimit = 100_000_000;

/** Refuses a rule of known price that the server would refuse, with maxima that make it fit; says what it costs. */
export function refuseCost(cel: string, price: Price, { schema, above, site }: Ruled): number {
  const own = price.perElement === undefined ? undefined : sizedAt(schema, site.path);
  const sized = own === undefined ? above : [...above, own];
  const cost = costOf(price, schema, above);
  if (cost <= ruleLimit) return cost;
  const open = sized.filter(({ max }) => max === undefined);
  const max = fittingMaximum(price, schema, { above, own });
  const why = open.length > 0 ? named(open) : `there are too many values: ${bounds(sized)}`;
  site.findings.refuse({
    code: 'CRD_RULE_COST',
    path: site.path,
    message: `the rule ${JSON.stringify(cel)} costs ${inMillions(cost)} by the server's estimate, which allows ${inMillions(ruleLimit)}: ${why}`,
    cure:
      max === undefined
        ? `lower the maxima of ${sized.map(({ path }) => path).join(' and ')}`
        : `give a maximum, as ${cures(open, max)}`,
  });
  return cost;
}

const inMillions = (cost: number): string =>
  `${(cost / 1e6).toLocaleString('en', { maximumFractionDigits: 1 })} million`;

function bounds(sized: readonly Sized[]): string {
  return sized.map(({ path, max = 0 }) => `${path} takes ${max}`).join(', ');
}

function costOf({ once, perElement = 0 }: Price, schema: Structural, above: readonly Sized[]): number {
  const isBounded = above.every(({ max }) => max !== undefined);
  const count = isBounded ? above.reduce((product, { max = 1 }) => product * max, 1) : mostValues(schema);
  return (once + Math.ceil(perElement * sizesOf(schema).elements)) * count;
}

/** A round maximum for all that has none, with which the rule fits; nothing where none does, or nothing lacks one. */
function fittingMaximum(
  price: Price,
  schema: Structural,
  { above, own }: { above: readonly Sized[]; own: Sized | undefined },
): number | undefined {
  if ([...above, own].every((sized) => sized === undefined || sized.max !== undefined)) return undefined;
  return [1000, 100, 50, 20, 10, 5].find((max) => {
    const bounded = above.map((sized) => ({ ...sized, max: sized.max ?? max }));
    const keyword = own === undefined || own.max !== undefined ? {} : { [missing[own.what].keyword]: max };
    return costOf(price, { ...schema, ...keyword }, bounded) <= ruleLimit;
  });
}

/** What rules of known price cost together. */
export interface Spent {
  total: number;
  /** Where the dearest one stands, and its cost. */
  dearest?: { readonly path: string; readonly cost: number } | undefined;
}

/** Rules that each fit may be too dear together; those that are not made here come on top of it. */
export function refuseTotal({ total, dearest }: Spent, { findings }: Pick<Site, 'findings'>): void {
  if (total <= schemaLimit || dearest === undefined || dearest.cost > ruleLimit) return;
  findings.refuse({
    code: 'CRD_RULE_COST',
    path: dearest.path,
    message: `the rules of record keys, immutable() and the like cost ${inMillions(total)} together by the server's estimate, which allows ${inMillions(schemaLimit)}; those here cost most`,
    cure: 'lower the maxima of the lists and maps above them',
  });
}
