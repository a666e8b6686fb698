import type { Json } from '../api/index.ts';
import { actionsOf, type FieldAction } from './field-action.ts';
import { isRecord } from './json-schema.ts';
import { type Structural, valuesOf } from './structural.ts';
import { isOlder } from './versions-age.ts';

/** What a field of the newest version is in another one. */
export interface Fate {
  /** Its name there, or nothing where it is not yet. */
  readonly name: string | undefined;
  /** Whether it must be converted by hand. */
  readonly isChanged: boolean;
  /** What objects of that version get in its place. */
  readonly fill?: Json | undefined;
}

export function fateOf(name: string, schema: Structural, version: string): Fate {
  const ahead = actionsOf(schema).filter(({ since }) => isOlder(version, since));
  const added = ahead.find((action) => action.action === 'added');
  if (added !== undefined) return { name: undefined, isChanged: false, fill: added.fill };
  const isChanged = ahead.some(({ action }) => action === 'changed');
  return { name: nameBefore(ahead) ?? name, isChanged };
}

/** The next renaming after a version says what the field is called in it. */
function nameBefore(ahead: readonly FieldAction[]): string | undefined {
  const renamings = ahead.filter((action) => action.action === 'renamed');
  return renamings.toSorted((a, b) => (isOlder(a.since, b.since) ? -1 : 1))[0]?.from;
}

/** The same object with each field under the name that `rename` gives it, or without it. */
export function withNames<T>(
  fields: Readonly<Record<string, T>>,
  rename: (name: string, value: T) => readonly [string, T] | undefined,
): Record<string, T> {
  const entries = Object.entries(fields).map(([name, value]) => rename(name, value));
  return Object.fromEntries(entries.filter((entry) => entry !== undefined));
}

/** How objects of one version and of the newest correspond, as far as field actions say: only what differs. */
export interface Plan {
  /** By the name in the newest version. */
  readonly fields: ReadonlyMap<string, Fate & { readonly inner?: Plan | undefined }>;
  readonly items?: Plan | undefined;
  readonly values?: Plan | undefined;
}

/** Nothing where both versions have the same fields. */
export function planOf(schema: Structural, version: string): Plan | undefined {
  const fields = new Map<string, Fate & { inner?: Plan | undefined }>();
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const fate = fateOf(name, property, version);
    const inner = planOf(property, version);
    if (fate.name !== name || fate.isChanged || inner !== undefined) fields.set(name, { ...fate, inner });
  }
  const items = schema.items && planOf(schema.items, version);
  const values = valuesOf(schema);
  const inValues = values && planOf(values, version);
  if (fields.size === 0 && items === undefined && inValues === undefined) return undefined;
  return { fields, items, values: inValues };
}

/** Down from the newest version. Fields the plan does not know pass, unless one it knows comes to have their name. */
export function planDown(value: Json, plan: Plan | undefined): Json {
  if (plan === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => planDown(item, plan.items));
  if (!isRecord(value)) return value;
  const known = withNames(value, (name, inner) => {
    const fate = plan.fields.get(name);
    if (fate?.name === undefined || fate.isChanged) return undefined;
    return [fate.name, planDown(inner, fate.inner)];
  });
  const others = withNames(value, (name, inner) =>
    plan.fields.has(name) ? undefined : [name, planDown(inner, plan.values)],
  );
  return { ...others, ...known };
}

/** Up to the newest version. Where a field is not yet, it gets what it is to be filled with. */
export function planUp(value: Json, plan: Plan | undefined): Json {
  if (plan === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => planUp(item, plan.items));
  if (!isRecord(value)) return value;
  const known: [string, Json][] = [];
  const taken = new Set<string>();
  for (const [name, fate] of plan.fields) {
    if (fate.name !== undefined) taken.add(fate.name);
    if (fate.name === undefined || fate.isChanged || !Object.hasOwn(value, fate.name)) continue;
    known.push([name, planUp(value[fate.name] as Json, fate.inner)]);
  }
  const others = withNames(value, (name, inner) => (taken.has(name) ? undefined : [name, planUp(inner, plan.values)]));
  return { ...filled(plan), ...others, ...Object.fromEntries(known) };
}

function filled({ fields }: Plan): Record<string, Json> {
  const entries = [...fields].flatMap(([name, { name: older, fill }]): [string, Json][] =>
    older === undefined && fill !== undefined ? [[name, structuredClone(fill)]] : [],
  );
  return Object.fromEntries(entries);
}

/** The paths below `path` of what must be converted by hand, as `spec.timeout`. */
export function changedIn(plan: Plan | undefined, path: string): string[] {
  if (plan === undefined) return [];
  const own = [...plan.fields].flatMap(([name, { isChanged, inner }]) =>
    isChanged ? [`${path}.${name}`] : changedIn(inner, `${path}.${name}`),
  );
  return [...own, ...changedIn(plan.items, `${path}[*]`), ...changedIn(plan.values, `${path}[*]`)];
}
