// What the expressions of a policy get wrong about the kinds the policy is about: reported in its status, refused nowhere.
import { apiVersionOf, type Json, type JsonObject } from 'kilter/api';
import { type CelType, declaredBy } from '../cel/index.ts';
import type { ResourceDefinition } from '../kinds/index.ts';
import { compareText, objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';
import { Compiler } from './programs.ts';

/** More kinds are not looked at. */
const mostKinds = 10;

const isWild = (text: string): boolean => text.includes('*');

/** The kinds a rule names one by one; with a wildcard for groups or versions none. */
function kindsOf(rule: JsonObject, served: readonly ResourceDefinition[]): ResourceDefinition[] {
  const [groups, versions] = [textsOf(rule['apiGroups']), textsOf(rule['apiVersions'])];
  if (groups.some(isWild) || versions.some(isWild)) return [];
  const plurals = textsOf(rule['resources']).filter((plural) => !/[*/]/.test(plural));
  const fits = ({ group, version, plural }: ResourceDefinition): boolean =>
    groups.includes(group) && versions.includes(version) && plurals.includes(plural);
  return served.filter(fits).slice(0, mostKinds);
}

const inOrder = (a: ResourceDefinition, b: ResourceDefinition): number =>
  compareText(a.group, b.group) || compareText(a.version, b.version) || compareText(a.kind, b.kind);

const typeOf = ({ schema }: ResourceDefinition): CelType | undefined => schema && declaredBy(schema, false)?.type;

interface Checking {
  readonly definition: ResourceDefinition;
  readonly compiler: Compiler;
}

function compilersFor(spec: JsonObject, served: readonly ResourceDefinition[]): Checking[] {
  const paramKind = objectIfIn(spec, 'paramKind');
  const param =
    paramKind &&
    served.find(
      (one) => one.kind === textIn(paramKind, 'kind') && apiVersionOf(one) === textIn(paramKind, 'apiVersion'),
    );
  const variables = objectsIn(spec, 'variables').map((one) => ({
    name: textIn(one, 'name'),
    expression: textIn(one, 'expression'),
  }));
  const rules = objectsIn(objectIfIn(spec, 'matchConstraints') ?? {}, 'resourceRules');
  const kinds = new Set(rules.flatMap((rule) => kindsOf(rule, served)));
  return [...kinds].toSorted(inOrder).map((definition) => {
    const types = { object: typeOf(definition), params: param && typeOf(param) };
    return { definition, compiler: new Compiler(paramKind !== undefined, variables, types) };
  });
}

function warning(text: string, checking: readonly Checking[]): string {
  const flaws = checking.flatMap(({ definition, compiler }) => {
    const { program } = compiler.compile(text);
    if (typeof program !== 'string') return [];
    const { group, version, kind } = definition;
    return [`${group}/${version}, Kind=${kind}: ${program.replace(/^compilation failed: /, '')}\n`];
  });
  return flaws.join('\n');
}

/** The warnings of a policy's validations, as its status has them. */
export function typeWarnings(policy: JsonObject, served: readonly ResourceDefinition[]): Json[] {
  const spec = objectIfIn(policy, 'spec') ?? {};
  const checking = compilersFor(spec, served);
  return objectsIn(spec, 'validations').flatMap((validation, index) =>
    ['expression', 'messageExpression'].flatMap((field) => {
      const text = textIn(validation, field);
      const found = text === '' ? '' : warning(text, checking);
      return found === '' ? [] : [{ fieldRef: `spec.validations[${index}].${field}`, warning: found }];
    }),
  );
}
