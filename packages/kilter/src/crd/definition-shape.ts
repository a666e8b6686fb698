import type { Code } from '../errors/index.ts';
import type { AnyDefinition } from './definition.ts';
import { isRecord } from './json-schema.ts';
import type { Findings } from './problem.ts';

interface Shape {
  readonly key: string;
  readonly code: Code;
  readonly holds: (value: unknown) => boolean;
  /** What belongs there. */
  readonly cure: string;
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

const perVersion: readonly Shape[] = [
  {
    key: 'columns',
    code: 'CRD_PATH_INVALID',
    holds: isListOf(isOf('name', 'path')),
    cure: 'list them: [{ name, path }]',
  },
  { key: 'scale', code: 'CRD_PATH_INVALID', holds: isOf('spec', 'status'), cure: 'give two paths: { spec, status }' },
  { key: 'selectable', code: 'CRD_PATH_INVALID', holds: isListOf(isText), cure: "list paths: ['.spec.image']" },
  { key: 'rules', code: 'CRD_RULE_INVALID', holds: isListOf(isRecord), cure: 'list them: [rule(cel, message)]' },
];

const ofAll: readonly Shape[] = [
  ...(['plural', 'singular', 'listKind'] as const).map((key): Shape => ({
    key,
    code: 'CRD_NAME_INVALID',
    holds: isText,
    cure: 'give a text, or leave it out',
  })),
  ...(['shortNames', 'categories'] as const).map((key): Shape => ({
    key,
    code: 'CRD_NAME_INVALID',
    holds: isListOf(isText),
    cure: 'give a list of texts',
  })),
  ...(['labels', 'annotations'] as const).map((key): Shape => ({
    key,
    code: 'CRD_NAME_INVALID',
    holds: isRecord,
    cure: 'give an object of texts',
  })),
  {
    key: 'status',
    code: 'CRD_SCHEMA_UNREPRESENTABLE',
    holds: (value) => value !== null,
    cure: 'give a schema, or leave it out',
  },
  ...perVersion,
];

/** Without types, as in JavaScript, nothing makes sure that a definition is made of what the rest of this room reads. */
export function checkShape(definition: AnyDefinition, findings: Findings): void {
  if (!isRecord(definition)) {
    const cure = 'describe the resource: customResource({ group, version, kind, spec })';
    findings.refuse({ code: 'CRD_NAME_INVALID', path: 'definition', message: 'is missing, or no object', cure });
    return findings.throwIfAny('customResource');
  }
  for (const key of ['group', 'version', 'kind']) {
    if (isText(definition[key])) continue;
    findings.refuse({ code: 'CRD_NAME_INVALID', path: key, message: 'is missing, or no text' });
  }
  checkParts(definition, '', { shapes: ofAll, findings });
  checkOlder(definition['versions'], findings);
  findings.throwIfAny('customResource');
}

function checkParts(
  parts: Readonly<Record<string, unknown>>,
  prefix: string,
  { shapes, findings }: { shapes: readonly Shape[]; findings: Findings },
): void {
  for (const { key, code, holds, cure } of shapes) {
    if (parts[key] === undefined || holds(parts[key])) continue;
    findings.refuse({ code, path: `${prefix}${key}`, message: 'is not what belongs there', cure });
  }
}

function checkOlder(versions: unknown, findings: Findings): void {
  const refuse = (path: string, cure: string): void =>
    findings.refuse({ code: 'CRD_VERSIONS_INVALID', path, message: 'is no object', cure });
  if (versions === undefined) return;
  if (!isRecord(versions)) return refuse('versions', 'name each older version: { v1alpha1: { spec } }');
  for (const [name, version] of Object.entries(versions)) {
    const path = `versions.${name}`;
    if (isRecord(version)) checkParts(version, `${path}.`, { shapes: perVersion, findings });
    else refuse(path, 'describe it: { spec }, or {} where field actions do');
  }
}
