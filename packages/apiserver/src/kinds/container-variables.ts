// The variables of a container: each has a name and one source.
import type { JsonObject } from 'kilter/api';
import { qualifiedNameFlaws } from '../formats/index.ts';
import { invalidValue, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn } from '../values/index.ts';
import { dataKeyProblems, subdomainProblems } from './names.ts';

const nameFlaw = "a valid environment variable name must consist only of printable ASCII characters other than '='";

const nameIssues = (field: string, name: string): Issue[] =>
  /^[ -<>-~]*$/.test(name) ? [] : [invalidValue(field, name, nameFlaw)];

const fields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];
/** Fields of a Pod that others than variables may name. */
const otherFields = [
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
];

function fieldIssues(source: JsonObject, path: string): Issue[] {
  const field = `${path}.fieldPath`;
  const asked = textIn(source, 'fieldPath');
  const version = textIn(source, 'apiVersion');
  const unreadable = (why: string): Issue[] => [invalidValue(field, asked, `error converting fieldPath: ${why}`)];
  if (version === '') return [required(`${path}.apiVersion`)];
  if (asked === '') return [required(field)];
  if (version !== 'v1') return unreadable(`unsupported pod version: ${version}`);
  const [, owner, key] = /^(.*)\['(.*)'\]$/.exec(asked) ?? [];
  if (owner !== undefined && key !== undefined) {
    if (owner === 'metadata.labels') return qualifiedNameFlaws(key).map((flaw) => invalidValue(path, key, flaw));
    if (owner !== 'metadata.annotations') return unreadable(`field label does not support subscript: ${asked}`);
    const lower = key.toLowerCase();
    return qualifiedNameFlaws(lower).map((flaw) => invalidValue(path, lower, flaw));
  }
  const meant = asked === 'spec.host' ? 'spec.nodeName' : asked;
  if (fields.includes(meant)) return [];
  return otherFields.includes(meant)
    ? [unsupported(field, meant, fields)]
    : unreadable(`field label not supported: ${asked}`);
}

const amounts = ['cpu', 'ephemeral-storage', 'memory'];
const resources = ['limits', 'requests'].flatMap((side) => amounts.map((name) => `${side}.${name}`));

function resourceIssues(source: JsonObject, path: string): Issue[] {
  const resource = textIn(source, 'resource');
  if (resource === '') return [required(`${path}.resource`)];
  const isKnown = resources.includes(resource) || /^(requests|limits)\.hugepages-/.test(resource);
  return isKnown ? [] : [unsupported(`${path}.resource`, resource, resources)];
}

function keyIssues(source: JsonObject, path: string): Issue[] {
  const [name, key] = [textIn(source, 'name'), textIn(source, 'key')];
  return [
    ...subdomainProblems(name).map((problem) => invalidValue(`${path}.name`, name, problem)),
    ...(key === ''
      ? [required(`${path}.key`)]
      : dataKeyProblems(key).map((problem) => invalidValue(`${path}.key`, key, problem))),
  ];
}

type Rule = (source: JsonObject, path: string) => Issue[];

/** What a file of variables asks for is left to the schema. */
const sources: Readonly<Record<string, Rule>> = {
  fieldRef: fieldIssues,
  resourceFieldRef: resourceIssues,
  configMapKeyRef: keyIssues,
  secretKeyRef: keyIssues,
  fileKeyRef: () => [],
};

function sourceIssues(variable: JsonObject, path: string): Issue[] {
  const from = objectIfIn(variable, 'valueFrom');
  if (from === undefined) return [];
  const given = Object.keys(sources).filter((name) => objectIfIn(from, name) !== undefined);
  const kinds = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
  const flaw =
    given.length === 0
      ? `must specify one of: ${kinds}`
      : textIn(variable, 'value') !== ''
        ? 'may not be specified when `value` is not empty'
        : given.length > 1
          ? 'may not have more than one field specified at a time'
          : undefined;
  return [
    ...given.flatMap((name) => sources[name]?.(objectIfIn(from, name) ?? {}, `${path}.${name}`) ?? []),
    ...(flaw === undefined ? [] : [invalidValue(path, '', flaw)]),
  ];
}

/** The server names the whole list, not the entry. */
function fromIssues(entry: JsonObject, path: string, list: string): Issue[] {
  const given = ['configMapRef', 'secretRef'].filter((name) => objectIfIn(entry, name) !== undefined);
  const named = given.flatMap((name) => {
    const field = `${path}.${name}.name`;
    const value = textIn(objectIfIn(entry, name) ?? {}, 'name');
    return value === ''
      ? [required(field)]
      : subdomainProblems(value).map((problem) => invalidValue(field, value, problem));
  });
  const flaw =
    given.length === 0
      ? 'must specify one of: `configMapRef` or `secretRef`'
      : given.length > 1
        ? 'may not have more than one field specified at a time'
        : undefined;
  return [
    ...nameIssues(`${path}.prefix`, textIn(entry, 'prefix')),
    ...named,
    ...(flaw === undefined ? [] : [invalidValue(list, '', flaw)]),
  ];
}

/** What is wrong with the variables of a container at this path. */
export function variableIssues(container: JsonObject, path: string): Issue[] {
  return [
    ...objectsIn(container, 'env').flatMap((variable, index) => {
      const at = `${path}.env[${index}]`;
      const name = textIn(variable, 'name');
      return [
        ...(name === '' ? [required(`${at}.name`)] : nameIssues(`${at}.name`, name)),
        ...sourceIssues(variable, `${at}.valueFrom`),
      ];
    }),
    ...objectsIn(container, 'envFrom').flatMap((entry, index) =>
      fromIssues(entry, `${path}.envFrom[${index}]`, `${path}.envFrom`),
    ),
  ];
}
