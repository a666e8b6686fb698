// Go writes an empty list or map as null unless its field says otherwise, and the types of Kubernetes promise lists there:
// `for (const driver of node.spec.drivers)` must not throw on a Node without drivers.
import { nullMembers, nullRoots } from './null-members.gen.ts';

type Fields = Record<string, unknown>;

interface Step {
  readonly field: string;
  /** What a null becomes: an empty list or map, or nothing at all. */
  readonly empty: 'list' | 'map' | 'gone' | undefined;
  readonly way: '.' | '[' | '{' | undefined;
  readonly below: number;
}

const form = /^(list|map|gone)?(?:([.[{])(\d+))?$/;

/** The steps of each component, read from the table when an object of it is first seen. */
const steps: (readonly Step[] | undefined)[] = [];

function stepsOf(component: number): readonly Step[] {
  const known = steps[component];
  if (known !== undefined) return known;
  const read = Object.entries(nullMembers[component] ?? {}).map(([field, text]): Step => {
    const [, empty, way, below] = form.exec(text) ?? [];
    return { field, empty: empty as Step['empty'], way: way as Step['way'], below: Number(below) };
  });
  steps[component] = read;
  return read;
}

function replace(fields: Fields, { field, empty }: Step): void {
  if (empty === 'list') fields[field] = [];
  else if (empty === 'map') fields[field] = {};
  else if (empty === 'gone') delete fields[field];
}

function visit(value: unknown, component: number): void {
  if (typeof value !== 'object' || value === null) return;
  const fields = value as Fields;
  for (const step of stepsOf(component)) {
    const member = fields[step.field];
    if (member === undefined) continue;
    if (member === null) replace(fields, step);
    else if (step.way === '.') visit(member, step.below);
    else if (step.way === '[' && Array.isArray(member)) for (const item of member) visit(item, step.below);
    else if (step.way === '{') for (const item of Object.values(member)) visit(item, step.below);
  }
}

/**
 * Replaces a null that the server wrote for a list or map of a built-in kind by an empty one, and removes other nulls
 * that the types do not allow. The server treats both forms alike, so writing the object back changes nothing. Objects
 * of other kinds stay as they are. Changes the object itself.
 */
export function withoutNulls<T extends { readonly apiVersion: string; readonly kind: string }>(object: T): T {
  const component = nullRoots[`${object.apiVersion}/${object.kind}`];
  if (component !== undefined) visit(object, component);
  return object;
}

const deepestWay = 12;

/**
 * The paths of a built-in kind on which a null means nothing, for whoever leaves it out before there is an object.
 * Lists on the way are
 * passed through. Nulls that mean something empty, or are in maps, are not among them.
 */
export function absentWhenNull(type: {
  readonly apiVersion: string;
  readonly kind: string;
}): readonly (readonly string[])[] {
  const paths: (readonly string[])[] = [];
  const walk = (component: number, way: readonly string[]): void => {
    // A schema may contain itself.
    if (way.length >= deepestWay) return;
    for (const step of stepsOf(component)) {
      const path = [...way, step.field];
      if (step.empty === 'gone') paths.push(path);
      if (step.way === '.' || step.way === '[') walk(step.below, path);
    }
  };
  const root = nullRoots[`${type.apiVersion}/${type.kind}`];
  if (root !== undefined) walk(root, []);
  return paths;
}
