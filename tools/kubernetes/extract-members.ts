// node tools/kubernetes/extract-members.ts <kubernetes> <api> <apimachinery> <apiextensions-apiserver> <kube-aggregator> <apiserver>:
// reads what is known of single members from the documents and the Go modules into tools/kubernetes/members.json.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readDocuments } from './documents.ts';
import { readFacts, type SchemaFact } from './facts.ts';
import { type GoField, GoSource } from './go-source.ts';
import { type ComponentMembers, formatMembers, type GateFact, type MemberFact, membersFile } from './members.ts';
import { nullFactOf } from './null-facts.ts';
import { isStatedDeprecated, isStatedImmutable, statedDefault, statedLimits } from './stated-facts.ts';

const [kubernetes = '', api = '', machinery = '', extensions = '', aggregator = '', apiserver = ''] =
  process.argv.slice(2);
const source = new GoSource({ api, machinery, extensions, aggregator });

/** Published descriptions, of a component and of its members. */
function descriptions(): Map<string, { own: string; of: (member: string) => string }> {
  const { versions, others } = readDocuments(join(kubernetes, 'api'));
  const all = [...versions, ...others].flatMap(({ schemas }) => Object.entries(schemas));
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return new Map(
    all.map(([name, schema]) => {
      const properties = (schema['properties'] ?? {}) as Record<string, { description?: unknown }>;
      return [name, { own: text(schema['description']), of: (member) => text(properties[member]?.description) }];
    }),
  );
}

/** The last stage of each feature gate. */
function gates(): Map<string, GateFact> {
  const files = [
    join(kubernetes, 'pkg/features/kube_features.go'),
    join(apiserver, 'pkg/features/kube_features.go'),
    join(extensions, 'pkg/features/kube_features.go'),
  ];
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  const blocks = [...text.matchAll(/^\t(?:\w+\.)?(\w+): \{\n((?:\t\t\{Version.*\n)+)/gm)];
  return new Map(
    blocks.flatMap(([, name = '', stages = '']) => {
      const last = stages.trim().split('\n').at(-1) ?? '';
      const [, since = '', on = '', stage = ''] =
        /MustParse\("([\d.]+)"\), Default: (\w+),.*featuregate\.(\w+)/.exec(last) ?? [];
      return ['Alpha', 'Beta', 'GA'].includes(stage)
        ? [[name, { name, stage, since, on: on === 'true' } as GateFact] as const]
        : [];
    }),
  );
}

/** Prose that says of something else that it cannot be changed, or no longer holds. */
const changeable = new Set([
  'ConfigMap.immutable',
  'Container.resources',
  'ContainerStatus.name',
  'JobStatus.completionTime',
  'PodSpec.ephemeralContainers',
  'Secret.immutable',
]);

/** Defaults that depend on other members: their meaning says more than one value. */
const dependent = new Set(['JobSpec.backoffLimit', 'Subject.apiGroup']);

/** Constants that are prefixes or sums, not values; resource names of quotas are not names of what containers ask for. */
const isValue = (value: string): boolean =>
  value !== '' && !value.endsWith('-') && !/^(?:requests|limits)\./.test(value);
const resourceNames = ['cpu', 'memory', 'storage', 'ephemeral-storage'];

function valuesOf({ type }: GoField, folder: string): string[] {
  if (/^(?:\*|\[\])*(?:\w+\.)?ResourceName$/.test(type)) return resourceNames;
  return type.startsWith('map[') ? [] : [...new Set(source.values(type, folder))].filter(isValue);
}

const texts = descriptions();
const stages = gates();

function isReal(value: unknown): value is string | number | true {
  return value === true || (typeof value === 'string' && value !== '') || (typeof value === 'number' && value !== 0);
}

interface MemberPosition {
  readonly component: string;
  readonly schema: SchemaFact;
  readonly required: boolean;
}

function memberOf(field: GoField, { component, schema, required }: MemberPosition): MemberFact {
  const text = texts.get(component)?.of(field.name) ?? '';
  const short = component.slice(component.lastIndexOf('.') + 1);
  const values = valuesOf(field, source.folderOf(component));
  const gate = stages.get(/\+featureGate=(\w+)/.exec(field.comment)?.[1] ?? '');
  const scalar = schema.type === 'integer' || schema.type === 'number';
  const stated = isReal(schema.default) ? String(schema.default) : statedDefault(text, values);
  const fits = stated !== undefined && (!scalar || /^\d/.test(stated)) && !dependent.has(`${short}.${field.name}`);
  const found = nullFactOf(field, schema, required);
  const plain = schema.type === 'array' || schema.type === 'object';
  return {
    ...(values.length > 0 && { values }),
    ...(fits && !required && !plain && { default: stated }),
    ...(scalar && statedLimits(text)),
    ...(field.name !== 'kind' &&
      isStatedImmutable(text) &&
      !changeable.has(`${short}.${field.name}`) && { immutable: true as const }),
    ...(isStatedDeprecated(text) && { deprecated: true as const }),
    ...(gate !== undefined && { gate }),
    ...(found !== undefined && { null: found }),
  };
}

function membersOf(component: string, { properties = {}, required = [] }: SchemaFact): ComponentMembers {
  const fields = source.fields(component).flatMap((field) => {
    const schema = properties[field.name];
    if (schema === undefined) return [];
    const fact = memberOf(field, { component, schema, required: required.includes(field.name) });
    return Object.keys(fact).length === 0 ? [] : [[field.name, fact] as const];
  });
  const since = /prerelease-lifecycle-gen:introduced=([\d.]+)/.exec(source.comment(component))?.[1];
  return {
    ...(since !== undefined && { since }),
    ...(isStatedDeprecated(texts.get(component)?.own ?? '') && { deprecated: true as const }),
    ...(fields.length > 0 && { fields: Object.fromEntries(fields) }),
  };
}

const components = readFacts().flatMap((one) => Object.entries(one.components));
const members = Object.fromEntries(components.map(([name, schema]) => [name, membersOf(name, schema)]));
writeFileSync(membersFile, formatMembers(members));
const facts = Object.values(members).flatMap(({ fields = {} }) => Object.values(fields));
const count = (key: keyof MemberFact): number => facts.filter((fact) => key in fact).length;
for (const key of ['values', 'default', 'min', 'immutable', 'deprecated', 'gate', 'null'] as const) {
  console.log(`${key}: ${count(key)}`);
}
