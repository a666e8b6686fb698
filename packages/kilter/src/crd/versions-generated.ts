import type { Json } from '../api/index.ts';
import { escapedName } from './cel-name.ts';
import { actionsOf } from './field-action.ts';
import { fateOf, planDown, planOf } from './field-action-fate.ts';
import { child, element } from './field-path.ts';
import { isRecord } from './json-schema.ts';
import { matchedByKey, type OneOf, oneOfKey, type Rule, ruleKey } from './metadata.ts';
import type { Findings } from './problem.ts';
import { markOf, type Structural, valuesOf } from './structural.ts';
import { isOlder } from './versions-age.ts';

interface Site {
  readonly version: string;
  readonly path: string;
  readonly findings: Findings;
}

/** The schema of a version as the field actions of the newest one make it; the newest itself gets its deprecations. */
export function schemaIn(schema: Structural, site: Site): Structural {
  const values = valuesOf(schema);
  const inner = { ...site, path: element(site.path) };
  return {
    ...ruledIn(schema, site),
    ...fieldsIn(schema, site),
    ...(schema.items !== undefined && { items: schemaIn(schema.items, inner) }),
    ...(values !== undefined && { additionalProperties: schemaIn(values, inner) }),
    ...keysIn(schema, site),
    ...valuesIn(schema, site),
  };
}

function fieldsIn(schema: Structural, site: Site): Structural {
  const { properties, required } = schema;
  if (properties === undefined) return {};
  const named = Object.entries(properties).flatMap(([name, property]): [string, Structural][] => {
    const { name: older } = fateOf(name, property, site.version);
    if (older === undefined) return [];
    const part = schemaIn(property, { ...site, path: child(site.path, older) });
    return [[older, { ...part, ...deprecationIn(property, site.version) }]];
  });
  return {
    properties: Object.fromEntries(named),
    ...(required !== undefined && { required: orNone(namesIn(required, schema, site.version).toSorted()) }),
    ...branchesIn(schema, schema, site),
  };
}

/** The names fields of the newest version have in another; those it lacks fall out. */
function namesIn(names: readonly string[], schema: Structural, version: string): string[] {
  return names.flatMap((name) => {
    const property = schema.properties?.[name];
    return property === undefined ? [name] : (fateOf(name, property, version).name ?? []);
  });
}

/** As the API conventions write it; the server has no field of its own for it. */
function deprecationIn(property: Structural, version: string): Structural {
  const action = actionsOf(property).find((each) => each.action === 'deprecated');
  if (action === undefined || isOlder(version, action.since)) return {};
  return { description: [property.description ?? '', `Deprecated: ${action.note}`].join(' ').trim() };
}

function keysIn(schema: Structural, { version }: Site): Structural {
  const keys = schema['x-kubernetes-list-map-keys'];
  const matched = markOf(schema, matchedByKey) as string[] | undefined;
  const { items } = schema;
  if (items === undefined) return {};
  return {
    ...(keys !== undefined && { 'x-kubernetes-list-map-keys': namesIn(keys, items, version) }),
    ...(matched !== undefined && ({ [matchedByKey]: namesIn(matched, items, version) } as Structural)),
  };
}

/** Values that are in the schema are of its version too. */
function valuesIn(schema: Structural, { version }: Site): Structural {
  const plan = planOf(schema, version);
  const down = (value: Json): Json => planDown(value, plan);
  return {
    ...(schema.default !== undefined && { default: down(schema.default) }),
    ...(schema.example !== undefined && { example: down(schema.example) }),
  };
}

/** Branches of a union name fields without being schemas of their own: the lifted schema says what they are. */
function branchesIn(holder: Structural, schema: Structural, site: Site): Structural {
  const keys = (['allOf', 'anyOf', 'oneOf'] as const).filter((key) => holder[key] !== undefined);
  const branches = keys.map((key) => {
    const parts = (holder[key] ?? []).map((branch) => branchIn(branch, schema, site));
    const hasLostMeaning = parts.some(isEmpty);
    if (key === 'oneOf' && hasLostMeaning) refuseEmptied(site);
    return [key, key === 'anyOf' && hasLostMeaning ? undefined : parts];
  });
  return Object.fromEntries(branches) as Structural;
}

/** Exactly one of several branches is not a condition any more when one of them asks for nothing. */
function refuseEmptied({ version, path, findings }: Site): void {
  findings.refuse({
    code: 'CRD_VERSIONS_INVALID',
    path,
    message: `is a union with a branch that requires nothing in ${version}`,
    cure: `give ${version} its own spec`,
  });
}

const isEmpty = (schema: object): boolean => Object.values(schema).every((value) => value === undefined);

function branchIn(branch: Structural, schema: Structural, site: Site): Structural {
  const { properties, required, items } = branch;
  const named = Object.entries(properties ?? {}).flatMap(([name, part]): [string, Structural][] => {
    const property = schema.properties?.[name];
    const older = property === undefined ? name : fateOf(name, property, site.version).name;
    return older === undefined ? [] : [[older, branchIn(part, property ?? {}, site)]];
  });
  return {
    ...branch,
    ...(properties !== undefined && { properties: named.length > 0 ? Object.fromEntries(named) : undefined }),
    ...(required !== undefined && { required: orNone(namesIn(required, schema, site.version).toSorted()) }),
    ...(items !== undefined && { items: branchIn(items, schema.items ?? {}, site) }),
    ...branchesIn(branch, schema, site),
  };
}

function orNone(names: string[]): string[] | undefined {
  return names.length > 0 ? names : undefined;
}

/** A schema with the rules that can be said in a version: those that name a field it lacks or calls otherwise cannot. */
function ruledIn(schema: Structural, site: Site): Structural {
  const estranged = estrangedIn(schema, site.version);
  if (estranged.size === 0) return schema;
  const kept = Object.entries(schema).flatMap(([key, value]): [string, unknown][] => {
    if (key.startsWith(oneOfKey) && isRecord(value)) return oneOfIn(value as unknown as OneOf, schema, site);
    if (key.startsWith(ruleKey) && isRecord(value))
      return canSay(value as unknown as Rule, estranged, site) ? [[key, value]] : [];
    return [[key, value]];
  });
  const written = schema['x-kubernetes-validations']?.filter((rule) => canSay(rule, estranged, site));
  return {
    ...(Object.fromEntries(kept) as Structural),
    ...(written !== undefined && { 'x-kubernetes-validations': written }),
  };
}

function oneOfIn({ bound, fields }: OneOf, schema: Structural, { version }: Site): [string, OneOf][] {
  const names = namesIn(fields, schema, version);
  return names.length === 0 ? [] : [[`${oneOfKey}${JSON.stringify([bound, ...names])}`, { bound, fields: names }]];
}

/** Names of fields at a place or below that mean nothing, or something else, in a version. */
function estrangedIn(schema: Structural, version: string): Set<string> {
  const own = Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const fate = fateOf(name, property, version);
    return [...(fate.name !== name || fate.isChanged ? [name] : []), ...estrangedIn(property, version)];
  });
  const parts = [schema.items, valuesOf(schema)].filter((part) => part !== undefined);
  return new Set([...own, ...parts.flatMap((part) => [...estrangedIn(part, version)])]);
}

function canSay(
  rule: Pick<Rule, 'rule' | 'messageExpression' | 'fieldPath'>,
  estranged: ReadonlySet<string>,
  { version, path, findings }: Site,
): boolean {
  const text = [rule.rule, rule.messageExpression, rule.fieldPath].join(' ');
  const words = new Set(text.match(/\w+/g));
  const named = [...estranged].find((name) => words.has(escapedName(name)) || text.includes(`'${name}'`));
  if (named === undefined) return true;
  findings.warn({
    code: 'CRD_RULE_INVALID',
    path,
    message: `the rule ${JSON.stringify(rule.rule)} names ${named}, which ${version} does not have in that form: it is left out there`,
    cure: `give ${version} its own spec, with a rule for it`,
  });
  return false;
}
