import type { Code, OptionNames } from '../errors/index.ts';
import type { AnyDefinition, OlderVersion, PerVersion } from './definition.ts';
import { isRecord } from './json-schema.ts';
import { oneOfKey, ruleKey } from './metadata.ts';
import type { Column, Scale } from './printing.ts';
import type { Findings } from './problem.ts';

interface Shape {
  readonly key: string;
  readonly code: Code;
  readonly holds: (value: unknown) => boolean;
  /** What belongs there. */
  readonly cure: string;
}

const keysPerVersion: OptionNames<PerVersion> = {
  columns: true,
  age: true,
  scale: true,
  selectable: true,
  rules: true,
  served: true,
  storage: true,
  deprecated: true,
};
const keysOfOlder: OptionNames<OlderVersion> = { spec: true, ...keysPerVersion };
const keysOfAll: OptionNames<AnyDefinition> = {
  group: true,
  version: true,
  kind: true,
  spec: true,
  status: true,
  plural: true,
  singular: true,
  listKind: true,
  scope: true,
  shortNames: true,
  categories: true,
  versions: true,
  description: true,
  descriptions: true,
  labels: true,
  annotations: true,
  ...keysPerVersion,
};
const keysOfColumn: OptionNames<Column> = {
  name: true,
  path: true,
  type: true,
  format: true,
  description: true,
  priority: true,
};
const keysOfScale: OptionNames<Scale> = { spec: true, status: true, selector: true };

/** A key that is misspelled would be one that is not given. */
function refuseUnknown(
  { path, given, known }: { path: string; given: unknown; known: Readonly<Record<string, true>> },
  findings: Findings,
): void {
  if (!isRecord(given)) return;
  for (const key of Object.keys(given)) {
    if (Object.hasOwn(known, key)) continue;
    const cure = `write one of ${Object.keys(known).join(', ')}, or leave it out`;
    findings.refuse({ code: 'CRD_KEY_UNKNOWN', path: `${path}${key}`, message: 'is not a key of a definition', cure });
  }
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isListOf =
  (holds: (item: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.every(holds);
const isOf =
  (...names: string[]) =>
  (value: unknown): boolean =>
    isRecord(value) && names.every((name) => isText(value[name]));

/** Made by `rule` or the like. One that is written as in a manifest would be merged into the schema, where it is not a rule. */
const isRule = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value).every((key) => key.startsWith(ruleKey) || key.startsWith(oneOfKey));

const perVersion: readonly Shape[] = [
  {
    key: 'columns',
    code: 'CRD_PATH_INVALID',
    holds: isListOf(isOf('name', 'path')),
    cure: 'list them: [{ name, path }]',
  },
  { key: 'scale', code: 'CRD_PATH_INVALID', holds: isOf('spec', 'status'), cure: 'give two paths: { spec, status }' },
  { key: 'selectable', code: 'CRD_PATH_INVALID', holds: isListOf(isText), cure: "list paths: ['.spec.image']" },
  { key: 'rules', code: 'CRD_RULE_INVALID', holds: isListOf(isRule), cure: 'list them: [rule(cel, message)]' },
];

const ofAll: readonly Shape[] = [
  ...(['plural', 'singular', 'listKind'] as const).map((key): Shape => ({
    key,
    code: 'CRD_NAME_INVALID',
    holds: isText,
    cure: 'give a string, or leave it out',
  })),
  ...(['shortNames', 'categories'] as const).map((key): Shape => ({
    key,
    code: 'CRD_NAME_INVALID',
    holds: isListOf(isText),
    cure: 'give a list of strings',
  })),
  ...(['labels', 'annotations'] as const).map((key): Shape => ({
    key,
    code: 'CRD_NAME_INVALID',
    holds: isRecord,
    cure: 'give an object of strings',
  })),
  {
    key: 'status',
    code: 'CRD_SCHEMA_UNREPRESENTABLE',
    holds: (value) => value !== null,
    cure: 'give a schema, or leave it out',
  },
  ...perVersion,
];

/** What stands in for invalid names, so that the rest can be looked at. */
const placeholders = { group: 'example.com', version: 'v1', kind: 'Unnamed' } as const;

/**
 * The definition without what the rest of this room could not read. Without types, as in JavaScript, nothing makes sure that it is
 * made of that; the rest is read all the same, so that its author sees all mistakes at once.
 */
export function wellShaped(definition: AnyDefinition, findings: Findings): AnyDefinition {
  if (!isRecord(definition)) {
    const cure = 'describe the resource: customResource({ group, version, kind, spec })';
    findings.refuse({ code: 'CRD_NAME_INVALID', path: 'definition', message: 'is missing, or not an object', cure });
    findings.throwIfAny('customResource');
  }
  refuseUnknown({ path: '', given: definition, known: keysOfAll }, findings);
  const names = Object.entries(placeholders).filter(([key]) => !isText((definition as unknown as Parts)[key]));
  for (const [key] of names) {
    findings.refuse({ code: 'CRD_NAME_INVALID', path: key, message: 'is missing, or not a string' });
  }
  const parts = withoutMisshapen(definition as unknown as Parts, '', { shapes: ofAll, findings });
  const versions = olderIn(definition.versions, findings);
  return { ...parts, ...Object.fromEntries(names), ...(versions !== undefined && { versions }) } as AnyDefinition;
}

type Parts = Readonly<Record<string, unknown>>;

function withoutMisshapen(
  parts: Parts,
  prefix: string,
  { shapes, findings }: { shapes: readonly Shape[]; findings: Findings },
): Parts {
  const wrong = shapes.filter(({ key, holds }) => parts[key] !== undefined && !holds(parts[key]));
  for (const { key, code, cure } of wrong) {
    findings.refuse({ code, path: `${prefix}${key}`, message: 'has the wrong form', cure });
  }
  const columns = Array.isArray(parts['columns']) ? parts['columns'] : [];
  columns.forEach((column, i) =>
    refuseUnknown({ path: `${prefix}columns[${i}].`, given: column, known: keysOfColumn }, findings),
  );
  refuseUnknown({ path: `${prefix}scale.`, given: parts['scale'], known: keysOfScale }, findings);
  const gone = new Set(['versions', ...wrong.map(({ key }) => key)]);
  return Object.fromEntries(Object.entries(parts).filter(([key]) => !gone.has(key)));
}

function olderIn(versions: unknown, findings: Findings): Parts | undefined {
  const refuse = (path: string, cure: string): void =>
    findings.refuse({ code: 'CRD_VERSIONS_INVALID', path, message: 'is not an object', cure });
  if (versions === undefined) return undefined;
  if (!isRecord(versions)) {
    refuse('versions', 'name each older version: { v1alpha1: { spec } }');
    return undefined;
  }
  const older = Object.entries(versions).flatMap(([name, version]): [string, Parts][] => {
    const path = `versions.${name}`;
    refuseUnknown({ path: `${path}.`, given: version, known: keysOfOlder }, findings);
    if (isRecord(version)) return [[name, withoutMisshapen(version, `${path}.`, { shapes: perVersion, findings })]];
    refuse(path, 'describe it: { spec }, or {} if field actions describe it');
    return [];
  });
  return Object.fromEntries(older);
}
