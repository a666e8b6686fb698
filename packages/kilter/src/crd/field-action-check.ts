import { itemKeysOf } from './conversion-unmatched.ts';
import { actionsOf, type FieldAction } from './field-action.ts';
import { fateOf } from './field-action-fate.ts';
import { child, element } from './field-path.ts';
import type { Findings } from './problem.ts';
import { type Structural, valuesOf } from './structural.ts';
import { valueProblems } from './value.ts';
import { isOlder, isSuccessor, tellsAge } from './versions-age.ts';

/** What field actions are judged by. */
interface Court {
  /** The version of the definition. */
  readonly newest: string;
  /** All that are declared, the newest among them. */
  readonly versions: readonly string[];
  readonly findings: Findings;
}

/** A schema, where it stands, and since when there is anything at that place. */
interface Site {
  readonly schema: Structural;
  readonly path: string;
  readonly since?: string | undefined;
}

/** Refuses what field actions of the newest schema contradict: each other, the versions, or the schema they stand in. */
export function checkActions(spec: Structural, path: string, court: Court): void {
  if (hasActions(spec)) checkAges(court);
  refuseOn({ schema: spec, path }, court);
  checkFields({ schema: spec, path }, court);
}

/** Field actions are in the newest spec alone. */
export function refuseActions(schema: Structural, path: string, findings: Findings): void {
  for (const [place, part] of placesIn(schema, path)) {
    if (actionsOf(part).length === 0) continue;
    findings.refuse({
      code: 'CRD_VERSIONS_INVALID',
      path: place,
      message: 'has a field action, but these belong only in the newest spec',
      cure: 'move it to the newest spec; all versions share the status',
    });
  }
}

function placesIn(schema: Structural, path: string): [string, Structural][] {
  const values = valuesOf(schema);
  return [
    [path, schema],
    ...Object.entries(schema.properties ?? {}).flatMap(([name, part]) => placesIn(part, child(path, name))),
    ...(schema.items === undefined ? [] : placesIn(schema.items, element(path))),
    ...(values === undefined ? [] : placesIn(values, element(path))),
  ];
}

function hasActions(schema: Structural): boolean {
  return placesIn(schema, '').some(([, part]) => actionsOf(part).length > 0);
}

function refusal({ findings }: Court, path: string): (message: string, cure?: string) => void {
  return (message, cure) => findings.refuse({ code: 'CRD_VERSIONS_INVALID', path, message, cure });
}

/** Actions speak of before and after, so every version must say which it is. */
function checkAges(court: Court): void {
  for (const name of court.versions) {
    const refuse = refusal(court, name === court.newest ? 'version' : `versions.${name}`);
    if (!tellsAge(name))
      refuse('has a name that does not say how old it is', 'use names such as v1alpha1, v1beta1 and v1');
    // One that is newer for everybody is refused without actions too.
    else if (isOlder(court.newest, name) && !isSuccessor(name, court.newest)) {
      refuse(`is newer than ${court.newest}, the version of the definition`, `write the definition as ${name}`);
    }
  }
}

function refuseOn({ schema, path }: Site, court: Court): void {
  if (actionsOf(schema).length > 0)
    refusal(court, path)('has a field action, but is not a field of an object', 'put it on a field');
}

function checkFields(site: Site, court: Court): void {
  const { schema, path, since } = site;
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const place = { schema: property, path: child(path, name), since };
    const born = checkField(name, place, { ...court, holder: schema });
    checkFields({ ...place, since: born ?? since }, court);
  }
  checkNames(site, court);
  const values = valuesOf(schema);
  for (const part of [schema.items, values]) {
    if (part === undefined) continue;
    const inner = { schema: part, path: element(path), since };
    refuseOn(inner, court);
    checkFields(inner, court);
  }
  checkListKeys(site, court);
}

/** Since when the field is there, if an action says so. */
function checkField(name: string, site: Site, court: Court & { readonly holder: Structural }): string | undefined {
  const { schema, path } = site;
  const refuse = refusal(court, path);
  const actions = actionsOf(schema);
  const known = actions.filter(({ since }) => court.versions.includes(since));
  for (const { action, since } of actions.filter((each) => !known.includes(each))) {
    refuse(
      `${action} in ${since}, which is not declared`,
      'correct the version; if the last older version is gone, remove the action',
    );
  }
  checkOrder(known, site, refuse);
  for (const action of known) checkOne(action, { name, schema, refuse });
  refuseReserved(actions, { path, isOfSpec: path === child('spec', name) }, court);
  const added = known.find((action) => action.action === 'added');
  if (added === undefined) return undefined;
  const isGiven = court.holder.required?.includes(name) === true && schema.default === undefined;
  const before = court.versions.find((version) => isOlder(version, added.since));
  if (isGiven && added.fill === undefined && before !== undefined) {
    refuse(
      `is required, and objects of ${before} have no value for it`,
      `say which: added('${added.since}', { fill })`,
    );
  }
  return added.since;
}

/** A field cannot have had a name that no field can have. */
function refuseReserved(
  actions: readonly FieldAction[],
  { path, isOfSpec }: { path: string; isOfSpec: boolean },
  { findings }: Court,
): void {
  for (const action of actions) {
    if (action.action !== 'renamed') continue;
    if (action.from !== '__proto__' && !(isOfSpec && action.from === 'metadata')) continue;
    findings.refuse({
      code: 'CRD_FIELD_RESERVED',
      path,
      message: `renamed in ${action.since} from "${action.from}", which is not the name of a field`,
      cure: 'give the name it had before',
    });
  }
}

type Refuse = (message: string, cure?: string) => void;

const rank: Readonly<Record<FieldAction['action'], number>> = { added: 0, renamed: 1, changed: 1, deprecated: 2 };

/** One action per version, in the order of a field's life. */
function checkOrder(actions: readonly FieldAction[], { since: above }: Site, refuse: Refuse): void {
  const inTime = actions.toSorted((a, b) => (isOlder(a.since, b.since) ? -1 : isOlder(b.since, a.since) ? 1 : 0));
  for (const [i, action] of inTime.entries()) {
    const before = inTime[i - 1];
    if (before === undefined) {
      if (above !== undefined && !isOlder(above, action.since))
        refuse(`${action.action} in ${action.since}, but what it is part of came with ${above}`, 'remove the action');
      continue;
    }
    if (before.since === action.since) {
      refuse(
        `${before.action} and ${action.action} in one version, ${action.since}`,
        'keep one action per field and version',
      );
    } else if (
      rank[before.action] > rank[action.action] ||
      (before.action === action.action && rank[action.action] !== 1)
    ) {
      refuse(
        `${before.action} in ${before.since} and only then ${action.action} in ${action.since}`,
        'a field is added once, then renamed or changed, and deprecated once at the end',
      );
    }
  }
}

function checkOne(
  action: FieldAction,
  { name, schema, refuse }: { name: string; schema: Structural; refuse: Refuse },
): void {
  if (action.action === 'renamed' && (action.from === '' || action.from === name)) {
    refuse(`renamed in ${action.since} from "${action.from}"`, 'give the name it had before');
  }
  if (action.action === 'deprecated' && action.note.trim() === '') {
    refuse(`deprecated in ${action.since} without a message`, 'say what to use instead');
  }
  if (action.action !== 'added' || action.fill === undefined) return;
  for (const fault of valueProblems(schema, action.fill, 'fill')) {
    refuse(
      `is filled with a value that breaks its schema: ${fault.path} ${fault.message}`,
      'fill it with a valid value',
    );
  }
}

/** Two fields cannot have one name in one version. */
function checkNames({ schema, path }: Site, court: Court): void {
  const properties = Object.entries(schema.properties ?? {});
  for (const version of court.versions) {
    const owners = new Map<string, string>();
    for (const [name, property] of properties) {
      const { name: older } = fateOf(name, property, version);
      if (older === undefined) continue;
      const owner = owners.get(older);
      if (owner !== undefined) {
        refusal(court, child(path, name))(
          `is called "${older}" in ${version}, as is ${owner}`,
          'give the older version its own spec, or correct the name',
        );
      }
      owners.set(older, name);
    }
  }
}

/** What an older version does not show of an item can only come back to an item that is known there. */
function refuseUnmatched({ schema, path }: Site, court: Court): void {
  if (schema.items === undefined || itemKeysOf(schema) !== undefined) return;
  const item = element(path);
  const [place] = placesIn(schema.items, item).filter(
    ([at, part]) => at !== item && court.versions.some((version) => fateOf('', part, version).name === undefined),
  )[0] ?? [undefined];
  if (place === undefined) return;
  court.findings.refuse({
    code: 'CRD_CONVERSION_UNMATCHED',
    path,
    message: `is a list without keys, and ${place} is not in every version, so the data cannot be assigned to an item when items change there`,
  });
}

/** Items of a list map are told apart by their keys, in every version. */
function checkListKeys({ schema, path }: Site, court: Court): void {
  refuseUnmatched({ schema, path }, court);
  for (const key of itemKeysOf(schema) ?? []) {
    const property = schema.items?.properties?.[key];
    const lacking = property && court.versions.find((version) => fateOf(key, property, version).name === undefined);
    if (lacking === undefined) continue;
    refusal(court, path)(
      `tells items apart by "${key}", which items of ${lacking} do not have`,
      'give the older version its own spec',
    );
  }
}
