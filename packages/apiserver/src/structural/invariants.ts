import { child, entry, forbidden, invalid, required } from '../schema/index.ts';
import { fieldOf, type Issue, sameValue } from '../values/index.ts';
import { branchesOf, branchIssues, completenessIssues, patternIssues } from './junctors.ts';
import type { WrittenSchema } from './shape.ts';

export type Level = 'root' | 'item' | 'field';

/** Where a schema is not structural: types that are missing, things in branches that belong outside of them. */
export function invariantIssues(schema: WrittenSchema, level: Level, path: string): Issue[] {
  const isRoot = level === 'root';
  return [
    ...childIssues(schema, path),
    ...(isRoot && schema.additionalProperties !== undefined
      ? [forbidden(child(path, 'additionalProperties'), 'must not be used at the root')]
      : []),
    ...extensionIssues(schema, path),
    ...patternIssues(schema, path),
    ...branchesOf(schema).flatMap((branch) =>
      branchIssues(branch.schema, `${path}.${branch.name}`, isIntOrStringBranch(schema, branch.name)),
    ),
    ...typeIssues(schema, level, path),
    ...metadataIssues(schema, level, path),
    ...(isRoot ? completenessIssues(schema, path) : []),
  ];
}

function childIssues(schema: WrittenSchema, path: string): Issue[] {
  const { items, additionalProperties } = schema;
  const missingItems =
    schema.type === 'array' && items === undefined ? [required(child(path, 'items'), 'must be specified')] : [];
  const ofItems = items === undefined ? [] : invariantIssues(items as WrittenSchema, 'item', child(path, 'items'));
  const ofProperties = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
    invariantIssues(property, 'field', entry(child(path, 'properties'), name)),
  );
  const ofRest =
    typeof additionalProperties === 'object'
      ? invariantIssues(additionalProperties, 'field', child(path, 'additionalProperties'))
      : [];
  return [...missingItems, ...ofItems, ...ofProperties, ...ofRest];
}

/** The one place where branches may name types. */
const integerOrString: readonly WrittenSchema[] = [{ type: 'integer' }, { type: 'string' }];

function isIntegerOrString(branches: readonly WrittenSchema[] | undefined): boolean {
  return sameValue((branches ?? null) as never, integerOrString as never);
}

/** Which of a schema's branches are the exception: its anyOf, or the anyOf inside its first allOf. */
function isIntOrStringBranch(schema: WrittenSchema, name: string): 'whole' | 'anyOf' | undefined {
  if (name.startsWith('anyOf') && isIntegerOrString(schema.anyOf)) return 'whole';
  return name === 'allOf[0]' && isIntegerOrString(schema.allOf?.[0]?.anyOf) ? 'anyOf' : undefined;
}

function extensionIssues(schema: WrittenSchema, path: string): Issue[] {
  if (schema['x-kubernetes-int-or-string'] !== true) return [];
  return (['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const)
    .filter((name) => schema[name] === true)
    .map((name) => invalid(child(path, name), true, 'must be false if x-kubernetes-int-or-string is true'));
}

const missingType: Readonly<Record<Level, string>> = {
  root: 'must not be empty at the root',
  item: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function typeIssues(schema: WrittenSchema, level: Level, path: string): Issue[] {
  const type = schema.type ?? '';
  const place = child(path, 'type');
  const issues: Issue[] = [];
  if (schema['x-kubernetes-embedded-resource'] === true && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    issues.push(type === '' ? required(place, detail) : invalid(place, type, detail));
  } else if (
    type === '' &&
    schema['x-kubernetes-int-or-string'] !== true &&
    schema['x-kubernetes-preserve-unknown-fields'] !== true
  ) {
    issues.push(required(place, missingType[level]));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    issues.push(invalid(place, type, 'must be object at the root'));
  }
  return [...issues, ...embeddedIssues(schema, path)];
}

function embeddedIssues(schema: WrittenSchema, path: string): Issue[] {
  if (schema['x-kubernetes-embedded-resource'] !== true) return [];
  const issues: Issue[] = [];
  if (schema.additionalProperties !== undefined) {
    issues.push(
      forbidden(child(path, 'additionalProperties'), 'must not be used if x-kubernetes-embedded-resource is set'),
    );
  }
  if (schema['x-kubernetes-preserve-unknown-fields'] !== true && Object.keys(schema.properties ?? {}).length === 0) {
    issues.push(
      required(
        child(path, 'properties'),
        'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields',
      ),
    );
  }
  return issues;
}

/** The fields every resource has: their types are fixed, and of metadata only the names may be restricted. */
function metadataIssues(schema: WrittenSchema, level: Level, path: string): Issue[] {
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  const properties = schema.properties ?? {};
  const at = (name: string): string => entry(child(path, 'properties'), name);
  const texts = ['kind', 'apiVersion'].flatMap((name) => {
    const property = fieldOf(properties, name);
    if (!isResource || property === undefined || property.type === 'string') return [];
    return [invalid(child(at(name), 'type'), property.type ?? '', 'must be string')];
  });
  const metadata = fieldOf(properties, 'metadata');
  if (metadata === undefined) return texts;
  const type =
    isResource && metadata.type !== 'object'
      ? [invalid(child(at('metadata'), 'type'), metadata.type ?? '', 'must be object')]
      : [];
  const more =
    level === 'root' && restrictsMoreThanNames(metadata)
      ? [
          forbidden(
            at('metadata'),
            'must not specify anything other than name and generateName, but metadata is implicitly specified',
          ),
        ]
      : [];
  return [...texts, ...type, ...more];
}

const allowedInMetadata = new Set(['type', 'properties', 'default']);

function restrictsMoreThanNames(metadata: WrittenSchema): boolean {
  const names = Object.keys(metadata.properties ?? {});
  const keywords = Object.keys(metadata).filter((keyword) => !allowedInMetadata.has(keyword));
  return keywords.length > 0 || names.some((name) => name !== 'name' && name !== 'generateName');
}
