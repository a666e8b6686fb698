import { deepEqual } from '../internal/index.ts';
import { child, element } from './field-path.ts';
import type { Site } from './normalize.ts';
import { conditionKeys, intOrString, propertyOf, type Structural } from './structural.ts';

/**
 * The server takes types, words, defaults and extensions only outside of `anyOf` and `oneOf`: each branch is cut into
 * a skeleton, which all branches must agree on, and conditions, which stay in the branch.
 */
export interface Cut {
  readonly skeleton: Structural;
  readonly conditions: Structural;
}

const isEmpty = (schema: object): boolean => Object.keys(schema).length === 0;

/** int64 says how a number is written, not which one: it belongs to the type. */
const isWidth = (schema: Structural): boolean => schema.type === 'integer' || schema.type === 'number';

export function cut(schema: Structural): Cut {
  const skeleton: Structural = {};
  const conditions: Structural = {};
  const conditional = new Set<string>(conditionKeys);
  for (const [key, value] of Object.entries(schema)) {
    const stays = key === 'format' ? isWidth(schema) : key === 'anyOf' && schema[intOrString] === true;
    Object.assign(conditional.has(key) && !stays ? conditions : skeleton, { [key]: value });
  }
  if (schema.properties !== undefined) Object.assign(skeleton, { properties: {} });
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const inner = cut(property);
    skeleton.properties = { ...skeleton.properties, [name]: inner.skeleton };
    if (!isEmpty(inner.conditions)) conditions.properties = { ...conditions.properties, [name]: inner.conditions };
  }
  if (schema.items !== undefined) {
    const inner = cut(schema.items);
    skeleton.items = { ...inner.skeleton, ...listKeysRequired(schema) };
    if (!isEmpty(inner.conditions)) conditions.items = inner.conditions;
  }
  return { skeleton, conditions };
}

/** The server looks for the keys of a list map outside of branches. */
function listKeysRequired(list: Structural): { required?: string[] } {
  const keys = list['x-kubernetes-list-map-keys'] ?? [];
  const required = (list.items?.required ?? []).filter((name) => keys.includes(name));
  return required.length > 0 ? { required } : {};
}

const words = ['description', 'title', 'example', 'externalDocs'] as const;

/** One skeleton for all branches that have the place at hand. */
export function unite(skeletons: readonly Structural[], site: Site): Structural {
  const [first = {}, ...others] = skeletons;
  const result: Structural = {};
  for (const key of words) {
    const said = skeletons.find((skeleton) => skeleton[key] !== undefined);
    if (said !== undefined) Object.assign(result, { [key]: said[key] });
  }
  const keys = new Set(skeletons.flatMap((skeleton) => Object.keys(skeleton)));
  for (const key of keys) {
    if (key === 'properties' || key === 'items' || (words as readonly string[]).includes(key)) continue;
    const value = (first as Record<string, unknown>)[key];
    const differs = others.some((other) => !deepEqual((other as Record<string, unknown>)[key], value));
    if (differs) refuseDifference(key, skeletons, site);
    else Object.assign(result, { [key]: value });
  }
  const items = skeletons.map((skeleton) => skeleton.items).filter((schema) => schema !== undefined);
  if (items.length > 0) result.items = unite(items, { ...site, path: element(site.path) });
  if (keys.has('properties')) result.properties = uniteProperties(skeletons, site);
  return result;
}

function uniteProperties(skeletons: readonly Structural[], site: Site): Record<string, Structural> {
  const names = new Set(skeletons.flatMap((skeleton) => Object.keys(skeleton.properties ?? {})));
  return Object.fromEntries(
    [...names].map((name) => {
      const path = child(site.path, name);
      const declared = skeletons.map((skeleton) => propertyOf(skeleton, name)).filter((schema) => schema !== undefined);
      if (declared.length < skeletons.length && declared.some((schema) => schema.default !== undefined)) {
        site.findings.refuse({
          code: 'CRD_DEFAULT_INVALID',
          path,
          message: 'has a default in one branch of a union: the server would fill it in for every branch',
          cure: 'make it optional, or put the branch into a separate object',
        });
      }
      return [name, unite(declared, { ...site, path })];
    }),
  );
}

function refuseDifference(key: string, skeletons: readonly Structural[], { path, findings }: Site): void {
  if (key === 'format') return;
  if (key === 'type') {
    const types = new Set(skeletons.map((skeleton) => skeleton.type ?? 'anything'));
    findings.refuse({
      code: 'CRD_SCHEMA_NOT_STRUCTURAL',
      path,
      message: `is ${[...types].join(' in one branch of a union and ')} in another`,
      cure: 'give it one type in all branches, or another name',
    });
    return;
  }
  const what = key.startsWith('x-kilter-rule') || key.startsWith('x-kilter-one-of') ? 'rules' : key;
  findings.refuse({
    code: 'CRD_SCHEMA_NOT_STRUCTURAL',
    path,
    message: `has ${what} in one branch of a union that another branch does not have`,
    cure: what === 'rules' ? 'write the rule on the union, with the discriminator in it' : 'put it in every branch',
  });
}

/** A union of schemas of one type: what they share outside, what tells them apart in the branches. */
export function lift(key: 'anyOf' | 'oneOf', branches: readonly Structural[], site: Site): Structural {
  const cuts = branches.map(cut);
  const {
    description: _description,
    title: _title,
    ...skeleton
  } = unite(
    cuts.map(({ skeleton: part }) => part),
    site,
  );
  const conditions = cuts.map((part) => part.conditions);
  const enums = conditions.map((condition) =>
    deepEqual(Object.keys(condition), ['enum']) ? condition.enum : undefined,
  );
  if (enums.every((values) => values !== undefined)) return { ...skeleton, enum: [...new Set(enums.flat())] };
  if (key === 'anyOf' && conditions.some(isEmpty)) return skeleton;
  return { ...skeleton, [key]: conditions };
}
