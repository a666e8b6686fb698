import { deepEqual } from '../internal/index.ts';
import { child, element } from './field-path.ts';
import type { Site } from './normalize.ts';
import { propertyOf, type Structural, valuesOf } from './structural.ts';

/** Refuses where what comes out of a schema differs from what goes in by more than filled defaults. */
export function refuseTransforms(input: Structural, output: Structural, site: Site): void {
  if (!deepEqual(own(input), own(output)) || !deepEqual(names(input), names(output))) {
    return refuse(site, 'comes out of the schema as something other than what went in');
  }
  for (const name of differingRequired(input, output)) {
    refuse(
      { ...site, path: child(site.path, name) },
      'is filled in by the schema, but its default is not in the JSON Schema',
    );
  }
  for (const name of names(input)) {
    const [before, after] = [propertyOf(input, name), propertyOf(output, name)];
    if (before && after) refuseTransforms(before, after, { ...site, path: child(site.path, name) });
  }
  const inner = { ...site, path: element(site.path) };
  if (input.items && output.items) refuseTransforms(input.items, output.items, inner);
  const [before, after] = [valuesOf(input), valuesOf(output)];
  if (before && after) refuseTransforms(before, after, inner);
}

/** Once for each place: where a library gave up on the output, that has been said. */
function refuse({ path, findings }: Site, message: string): void {
  if (findings.problems.some((problem) => problem.code === 'CRD_SCHEMA_TRANSFORM' && problem.path === path)) return;
  findings.refuse({ code: 'CRD_SCHEMA_TRANSFORM', path, message });
}

function names({ properties = {} }: Structural): string[] {
  return Object.keys(properties).toSorted();
}

/** A field that is optional going in and there coming out, without a default that says so; or the reverse. */
function differingRequired(input: Structural, output: Structural): string[] {
  const [before, after] = [new Set(input.required), new Set(output.required)];
  // The names of a record are there coming out, perhaps with nothing; only a default puts something there.
  const values = valuesOf(input);
  const isFilled = (name: string): boolean =>
    values === undefined ? propertyOf(input, name)?.default === undefined : values.default !== undefined;
  const filled = [...after].filter((name) => !before.has(name) && isFilled(name));
  return [
    ...filled,
    ...[...before].filter((name) => !after.has(name) && propertyOf(output, name)?.default === undefined),
  ];
}

/** What a schema says itself, without defaults and what they make optional. */
function own(schema: Structural): object {
  const {
    default: _default,
    required: _required,
    properties: _properties,
    items,
    additionalProperties,
    ...rest
  } = schema;
  const { allOf, anyOf, oneOf, ...plain } = rest;
  return {
    ...plain,
    hasItems: items !== undefined,
    hasValues: typeof additionalProperties,
    allOf: branches(allOf),
    anyOf: branches(anyOf)?.some(isEmpty) === true ? undefined : branches(anyOf),
    oneOf: branches(oneOf),
  };
}

const isEmpty = (part: object): boolean => Object.keys(part).length === 0;

function branches(parts: readonly Structural[] | undefined): object[] | undefined {
  return parts?.map(conditions);
}

function conditions(part: Structural): object {
  const { default: _default, required: _required, properties = {}, items, allOf, anyOf, oneOf, ...rest } = part;
  const inner = Object.entries(properties)
    .map(([name, schema]) => [name, conditions(schema)] as const)
    .filter(([, schema]) => !isEmpty(schema));
  const junctors = Object.entries({ allOf, anyOf, oneOf }).filter(([, value]) => value !== undefined);
  return {
    ...rest,
    ...(inner.length > 0 && { properties: Object.fromEntries(inner) }),
    ...(items !== undefined && !isEmpty(conditions(items)) && { items: conditions(items) }),
    ...Object.fromEntries(junctors.map(([key, value]) => [key, branches(value)])),
  };
}
