// The rules of PersistentVolumes: what they hold and where it is, which stays what it was.
import type { Json, JsonObject } from 'kilter/api';
import { forbiddenField, immutable, invalidValue, required, unsupported } from '../status/index.ts';
import { isSame, type Issue, objectIfIn, objectsIn, textIn, textsOf } from '../values/index.ts';
import { accessModeIssues, positiveIssues, volumeModeIssues } from './claim-rules.ts';
import { subdomainProblems } from './names.ts';
import { nodeTermIssues } from './pod-placement.ts';
import { climbs, hostPathIssues, nfsIssues } from './volume-rules.ts';

type Rule = (source: JsonObject, path: string) => Issue[];
const nothing: Rule = () => [];

function localIssues(source: JsonObject, path: string): Issue[] {
  const place = textIn(source, 'path');
  if (place === '') return [required(`${path}.path`)];
  return climbs(place) ? [invalidValue(`${path}.path`, place, "must not contain '..'")] : [];
}

const driverIssues: Rule = (source, path) =>
  ['driver', 'volumeHandle']
    .filter((field) => textIn(source, field) === '')
    .map((field) => required(`${path}.${field}`));

/** In the order the server looks at them: the first one counts, any other is one too many. */
const sources: readonly (readonly [field: string, rule: Rule, shownAs?: string])[] = [
  ['hostPath', hostPathIssues],
  ['gcePersistentDisk', nothing],
  ['awsElasticBlockStore', nothing],
  ['glusterfs', nothing],
  ['flocker', nothing],
  ['nfs', nfsIssues],
  ['rbd', nothing],
  ['quobyte', nothing],
  ['cephfs', nothing, 'cephFS'],
  ['iscsi', nothing],
  ['cinder', nothing],
  ['fc', nothing],
  ['flexVolume', nothing],
  ['azureFile', nothing],
  ['vsphereVolume', nothing],
  ['photonPersistentDisk', nothing],
  ['portworxVolume', nothing],
  ['azureDisk', nothing],
  ['scaleIO', nothing],
  ['local', localIssues],
  ['storageos', nothing],
  ['csi', driverIssues],
];

const given = (spec: JsonObject): (typeof sources)[number][] =>
  sources.filter(([field]) => objectIfIn(spec, field) !== undefined);

function sourceIssues(spec: JsonObject): Issue[] {
  const present = given(spec);
  if (present.length === 0) return [required('spec', 'must specify a volume type')];
  const [[first] = ['']] = present;
  const needed = 'Local volume requires node affinity';
  return [
    ...present.flatMap(([field, rule, shownAs], index) =>
      index === 0
        ? rule(objectIfIn(spec, field) ?? {}, `spec.${field}`)
        : [forbiddenField(`spec.${shownAs ?? field}`, 'may not specify more than 1 volume type')],
    ),
    ...(first === 'local' && objectIfIn(spec, 'nodeAffinity') === undefined
      ? [required('spec.nodeAffinity', needed)]
      : []),
  ];
}

function capacityIssues(spec: JsonObject): Issue[] {
  const capacity = objectIfIn(spec, 'capacity') ?? {};
  const at = 'spec.capacity';
  const names = Object.keys(capacity);
  return [
    ...(names.length === 0 ? [required(at)] : []),
    ...(names.length === 1 && names[0] === 'storage'
      ? []
      : [unsupported(at, names.length === 0 ? null : capacity, ['storage'])]),
    ...Object.entries(capacity).flatMap(([name, amount]) => positiveIssues(amount ?? '0', `${at}[${name}]`)),
  ];
}

const policies = ['Delete', 'Recycle', 'Retain'];

function policyIssues(spec: JsonObject): Issue[] {
  const policy = textIn(spec, 'persistentVolumeReclaimPolicy');
  return policy === '' || policies.includes(policy)
    ? []
    : [unsupported('spec.persistentVolumeReclaimPolicy', policy, policies)];
}

function nodeIssues(spec: JsonObject): Issue[] {
  const affinity = objectIfIn(spec, 'nodeAffinity');
  if (affinity === undefined) return [];
  const at = 'spec.nodeAffinity.required';
  const selector = objectIfIn(affinity, 'required');
  if (selector === undefined) return [required(at, 'must specify required node constraints')];
  const terms = objectsIn(selector, 'nodeSelectorTerms');
  const place = `${at}.nodeSelectorTerms`;
  return [
    ...(terms.length === 0 ? [required(place, 'must have at least one node selector term')] : []),
    ...terms.flatMap((term, index) => nodeTermIssues(term, `${place}[${index}]`)),
  ];
}

function specIssues(spec: JsonObject): Issue[] {
  const modes = textsOf(spec['accessModes']);
  const name = textIn(spec, 'storageClassName');
  const flaws = name === '' ? [] : subdomainProblems(name);
  return [
    ...(modes.length === 0 ? [required('spec.accessModes')] : []),
    ...accessModeIssues(modes, 'spec.accessModes'),
    ...capacityIssues(spec),
    ...policyIssues(spec),
    ...nodeIssues(spec),
    ...sourceIssues(spec),
    ...flaws.map((flaw) => invalidValue('spec.storageClassName', name, flaw)),
    ...volumeModeIssues(spec, 'spec.volumeMode'),
  ];
}

/** Where its content is; how it is made larger may be said once. */
function placeOf(spec: JsonObject, before: JsonObject): Json {
  return given(spec).map(([field]) => {
    const source = objectIfIn(spec, field) ?? {};
    const { controllerExpandSecretRef: _, ...rest } = source;
    const said = objectIfIn(before, 'csi')?.['controllerExpandSecretRef'] ?? null;
    return { [field]: field === 'csi' && said === null ? rest : source };
  });
}

function updateIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const moved = 'spec.persistentvolumesource is immutable after creation';
  const { nodeAffinity = null, volumeMode = null } = spec;
  const nodes = 'field is immutable, except for updating from beta label to GA';
  const bound = objectIfIn(before, 'nodeAffinity') !== undefined;
  return [
    ...(isSame(placeOf(spec, before), placeOf(before, before))
      ? []
      : [forbiddenField('spec.persistentvolumesource', moved)]),
    ...(isSame(volumeMode, before['volumeMode']) ? [] : [immutable('volumeMode', volumeMode)]),
    ...(bound && !isSame(nodeAffinity, before['nodeAffinity'])
      ? [invalidValue('nodeAffinity', nodeAffinity, nodes)]
      : []),
  ];
}

export function volumeIssues(volume: JsonObject, old: JsonObject | undefined, subresource?: string): Issue[] {
  if (subresource === 'status') return [];
  const spec = objectIfIn(volume, 'spec') ?? {};
  const issues = specIssues(spec);
  // On an update the server looks at all of it twice.
  return old === undefined ? issues : [...issues, ...issues, ...updateIssues(spec, objectIfIn(old, 'spec') ?? {})];
}
