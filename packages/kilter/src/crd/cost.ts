import { iterated } from './cel-text.ts';
import { child } from './field-path.ts';
import type { Site } from './normalize.ts';
import { propertyOf, type Structural, valuesOf } from './structural.ts';

/** Something without a maximum that makes a rule dear, and how to give it one. */
export interface Unbounded {
  readonly path: string;
  readonly what: 'list' | 'map' | 'string';
}

/** The keyword that is missing, and a number to start from: far below what the server's budget ends at. */
const missing = {
  list: { keyword: 'maxItems', cure: '.max(100)' },
  map: { keyword: 'maxProperties', cure: '.meta(entries({ max: 100 }))' },
  string: { keyword: 'maxLength', cure: '.max(1024)' },
} as const;

/** A list, map or string that may be as long as a request. */
export function unboundedAt(schema: Structural, path: string): Unbounded | undefined {
  if (schema.type === 'string') {
    const isShort = schema.maxLength !== undefined || schema.enum !== undefined || schema.format !== undefined;
    return isShort ? undefined : { path, what: 'string' };
  }
  if (schema.type === 'array') return schema.maxItems === undefined ? { path, what: 'list' } : undefined;
  const isMap = valuesOf(schema) !== undefined;
  return isMap && schema.maxProperties === undefined ? { path, what: 'map' } : undefined;
}

/** Lists and maps without a maximum that a rule runs through. */
function iteratedIn(cel: string, schema: Structural, path: string): Unbounded[] {
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
  /** What has no maximum above the rule, outermost first. */
  readonly above: readonly Unbounded[];
  readonly site: Site;
}

export function warnOfCost(cel: string, { schema, above, site }: Ruled): void {
  const own = unboundedAt(schema, site.path);
  const all = [...above, ...(own === undefined ? [] : [own]), ...iteratedIn(cel, schema, site.path)];
  const culprits = [...new Map(all.map((culprit) => [culprit.path, culprit])).values()];
  if (culprits.length === 0) return;
  const named = culprits.map(({ path, what }) => `the ${what} ${path} has no ${missing[what].keyword}`);
  const cures = culprits.map(({ path, what }) => `${missing[what].cure} on ${path}`);
  site.findings.warn({
    code: 'CRD_RULE_COST',
    path: site.path,
    message: `the rule ${JSON.stringify(cel)} may cost too much: ${named.join(', ')}`,
    cure: `give a maximum, as ${cures.join(' and ')}`,
  });
}
