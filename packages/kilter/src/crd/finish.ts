import type { JSONSchemaProps } from '../k8s/apiextensions/v1.ts';
import { escapedName, isAccessible } from './cel-name.ts';
import { refuseTotal, sizedAt, type Spent } from './cost.ts';
import { child, element } from './field-path.ts';
import { immutableKey } from './metadata.ts';
import type { Site } from './normalize.ts';
import { pricedRule } from './rule-price.ts';
import { rulesAt, type Surroundings } from './rules.ts';
import { inOrder, markOf, propertyOf, type Structural, valuesOf } from './structural.ts';

/** How many characters of a description stay; 'none' leaves them out. */
export type Descriptions = number | 'none';

export interface Finishing extends Site {
  readonly descriptions?: Descriptions | undefined;
  readonly around?: Surroundings | undefined;
  /** How messages call the place of the rules; the path unless given. */
  readonly rulesPath?: string | undefined;
}

/** The schema as the server takes it: marks of helpers folded into rules, keywords in one order. */
export function finish(schema: Structural, site: Finishing): JSONSchemaProps {
  const spent: Spent = { total: 0 };
  const whole = finishPart(schema, { ...site, around: { spent } });
  refuseTotal(spent, site);
  return whole;
}

function finishPart(schema: Structural, site: Finishing): JSONSchemaProps {
  const around = site.around ?? {};
  const guarded: Structural = { ...schema, ...(around.uncorrelated === undefined && guards(schema, site)) };
  // The root has no name of its own: its rules are those of the definition's `rules`.
  const rules = rulesAt(guarded, around, site.rulesPath === undefined ? site : { ...site, path: site.rulesPath });
  const values = valuesOf(schema);
  const below: Surroundings = beneath(schema, around, site.path);
  const inside = (part: Structural, path: string): JSONSchemaProps =>
    finishPart(part, { ...site, path, around: below, rulesPath: undefined });
  return inOrder({
    ...schema,
    description: shortened(schema.description, site.descriptions),
    ...(schema.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(schema.properties).map(([name, part]) => [name, inside(part, child(site.path, name))]),
      ),
    }),
    ...(values !== undefined && { additionalProperties: inside(values, element(site.path)) }),
    ...(schema.items !== undefined && { items: inside(schema.items, element(site.path)) }),
    ...branchesInOrder(schema),
    'x-kubernetes-validations': rules.length > 0 ? rules : undefined,
  });
}

function beneath(schema: Structural, around: Surroundings, path: string): Surroundings {
  const sized = schema.type === 'string' ? undefined : sizedAt(schema, path);
  const losesTrack =
    (schema.type === 'array' && schema['x-kubernetes-list-type'] !== 'map') ||
    schema['x-kubernetes-map-type'] === 'atomic';
  return {
    uncorrelated: around.uncorrelated ?? (losesTrack ? path : undefined),
    above: [...(around.above ?? []), ...(sized === undefined ? [] : [sized])],
    spent: around.spent,
  };
}

function branchesInOrder(schema: Structural): Structural {
  const keys = (['allOf', 'anyOf', 'oneOf'] as const).filter((key) => schema[key] !== undefined);
  return Object.fromEntries(keys.map((key) => [key, (schema[key] ?? []).map(conditionsInOrder)]));
}

function conditionsInOrder(part: Structural): JSONSchemaProps {
  return inOrder({
    ...part,
    ...branchesInOrder(part),
    ...(part.items !== undefined && { items: conditionsInOrder(part.items) }),
    ...(part.properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(part.properties).map(([name, inner]) => [name, conditionsInOrder(inner)]),
      ),
    }),
  });
}

function shortened(description: string | undefined, limit: Descriptions | undefined): string | undefined {
  if (description === undefined || limit === undefined) return description;
  if (limit === 'none' || limit <= 0) return undefined;
  const characters = [...description];
  return characters.length <= limit ? description : `${characters.slice(0, limit - 1).join('')}…`;
}

/** A field on the way down to an immutable one, and whether it can be absent. */
interface Link {
  readonly name: string;
  readonly optional: boolean;
}

/** The ways down to immutable fields, as far as objects lead. */
function chains(schema: Structural): Link[][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, property]) => {
    const link: Link = { name, optional: isOptional(schema, name) };
    const inner = chains(property).map((chain) => [link, ...chain]);
    return markOf(property, immutableKey) === true ? [[link], ...inner] : inner;
  });
}

/** Null is absent to a rule, so what may be null may be taken away. */
function isOptional(schema: Structural, name: string): boolean {
  const property = propertyOf(schema, name);
  if (property?.nullable === true) return true;
  return schema.required?.includes(name) !== true && property?.default === undefined;
}

/**
 * A rule does not run where its field is gone: what holds an immutable field forbids to take it away, on every level
 * where something on the way to it is optional.
 */
function guards(schema: Structural, { path, findings }: Site): Structural {
  const ruled = chains(schema).filter(([first]) => first?.optional === true);
  for (const { name } of ruled.flat().filter((link) => !isAccessible(link.name))) {
    findings.refuse({
      code: 'CRD_RULE_INVALID',
      path: child(path, name),
      message: 'is immutable and can be absent, and CEL cannot name it to forbid that',
      cure: 'give it a name of letters, digits, _, -, . and /, or make it required',
    });
  }
  return Object.assign({}, ...ruled.map(guard)) as Structural;
}

function guard(chain: readonly Link[]): Structural {
  const names = chain.map(({ name }) => escapedName(name));
  const unset = chain.flatMap(({ optional }, i) =>
    optional ? [`!has(oldSelf.${names.slice(0, i + 1).join('.')})`] : [],
  );
  const path = chain.map(({ name }) => name).join('.');
  // `!`, oldSelf and the fields on the way to the last one; then self.
  const once = chain.reduce((sum, { optional }, i) => sum + (optional ? 2 + i : 0), 1);
  const cel = `${unset.join(' || ')} || has(self.${names[0] ?? ''})`;
  return pricedRule(cel, `${path} cannot be removed once it is set`, { once });
}
