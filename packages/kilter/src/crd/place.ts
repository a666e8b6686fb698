import { preserve, propertyOf, type Structural, valuesOf } from './structural.ts';

/** One step of a JSON path: into a field or map entry, or into the items of a list. */
export type Step = { readonly field: string } | { readonly items: string[] };

const field = /^\.((?:\\.|[^.[\]\\])+)/s;
const quoted = /^\[(?:'((?:\\.|[^'\\])*)'|"((?:\\.|[^"\\])*)")\]/s;
const index = /^\[(?:\d+|\*)\]/;
/** One comparison with one value: kubectl does not know more. */
const filter =
  /^\[\?\(\s*@((?:\.[\w-]+)+)\s*(?:(?:==|!=|<=?|>=?)\s*(?:"[^"\\]*"|'[^'\\]*'|-?\d+(?:\.\d+)?|true|false)\s*)?\)\]/;

/** The steps of a path such as `.status.conditions[?(@.type=="Ready")].status`, or `undefined` if it is none. */
export function stepsOf(path: string): Step[] | undefined {
  const steps: Step[] = [];
  for (let rest = path; rest !== '';) {
    const taken = stepAt(rest);
    if (taken === undefined) return undefined;
    steps.push(taken.step);
    rest = rest.slice(taken.length);
  }
  return steps.length > 0 ? steps : undefined;
}

function stepAt(rest: string): { step: Step; length: number } | undefined {
  const named = field.exec(rest) ?? quoted.exec(rest);
  if (named !== null) {
    const name = (named[1] ?? named[2] ?? '').replace(/\\(.)/gs, '$1');
    return { step: { field: name }, length: named[0].length };
  }
  const chosen = filter.exec(rest);
  if (chosen !== null) return { step: { items: (chosen[1] ?? '').slice(1).split('.') }, length: chosen[0].length };
  const numbered = index.exec(rest);
  return numbered === null ? undefined : { step: { items: [] }, length: numbered[0].length };
}

/** What anything kept without a schema looks like. */
const unknown: Structural = { [preserve]: true };

function into(schema: Structural, name: string): Structural | undefined {
  return propertyOf(schema, name) ?? valuesOf(schema) ?? (schema[preserve] === true ? unknown : undefined);
}

/** The schema a path leads to, or `undefined` if it leads nowhere. */
export function schemaAtPath(schema: Structural, steps: readonly Step[]): Structural | undefined {
  let at: Structural | undefined = schema;
  for (const step of steps) {
    if (at === undefined) return undefined;
    if ('field' in step) at = into(at, step.field);
    else {
      at = at.items ?? (at[preserve] === true ? unknown : undefined);
      const chosen = step.items.reduce<Structural | undefined>((inner, name) => inner && into(inner, name), at);
      if (chosen === undefined) return undefined;
    }
  }
  return at;
}

/** The schema of a field named by a dotted path, without lists on the way. */
export function fieldAt(schema: Structural, path: string): Structural | undefined {
  const steps = stepsOf(path);
  if (steps === undefined || !steps.every((step) => 'field' in step)) return undefined;
  return schemaAtPath(schema, steps);
}

const dotted = /^\.([^.[\]]+)/;
const bracketed = /^\['((?:\\.|[^'\\])*)'\]/s;

/** The schema at a rule's `fieldPath`: fields and keys of maps, nothing below what is kept without a schema. */
export function ruledField(schema: Structural, path: string): Structural | undefined {
  let at: Structural | undefined = path === '' ? undefined : schema;
  for (let rest = path; rest !== '' && at !== undefined;) {
    const found = dotted.exec(rest) ?? bracketed.exec(rest);
    if (found === null) return undefined;
    const name = (found[1] ?? '').replace(/\\(.)/gs, '$1');
    at = at.properties === undefined ? valuesOf(at) : propertyOf(at, name);
    rest = rest.slice(found[0].length);
  }
  return at;
}
