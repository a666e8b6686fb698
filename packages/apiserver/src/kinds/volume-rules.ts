// The volumes of a pod: each has one source, and what the usual sources ask for.
import type { Json, JsonObject } from 'kilter/api';
import { forbiddenField, invalidValue, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn } from '../values/index.ts';

const modes = [0, 0o777] as const;

function modeIssues(field: string, mode: Json | undefined): Issue[] {
  if (typeof mode !== 'number' || (mode >= modes[0] && mode <= modes[1])) return [];
  return [invalidValue(field, mode, 'must be a number between 0 and 0777 (octal), both inclusive')];
}

export const climbs = (path: string): boolean => path.split('/').includes('..');

/** A path inside the volume. */
function localPathIssues(field: string, path: string): Issue[] {
  return [
    ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
    ...(climbs(path) ? [invalidValue(field, path, "must not contain '..'")] : []),
    ...(path.startsWith('..') && !climbs(path) ? [invalidValue(field, path, "must not start with '..'")] : []),
  ];
}

function itemIssues(item: JsonObject, path: string): Issue[] {
  const place = textIn(item, 'path');
  return [
    ...(textIn(item, 'key') === '' ? [required(`${path}.key`)] : []),
    ...(place === '' ? [required(`${path}.path`)] : localPathIssues(`${path}.path`, place)),
    ...modeIssues(`${path}.mode`, item['mode']),
  ];
}

/** Files made of the keys of a ConfigMap or Secret. */
const filesOf =
  (nameField: string) =>
  (source: JsonObject, path: string): Issue[] => [
    ...(textIn(source, nameField) === '' ? [required(`${path}.${nameField}`)] : []),
    ...modeIssues(`${path}.defaultMode`, source['defaultMode']),
    ...objectsIn(source, 'items').flatMap((item, index) => itemIssues(item, `${path}.items[${index}]`)),
  ];

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

export function hostPathIssues(source: JsonObject, path: string): Issue[] {
  const place = textIn(source, 'path');
  const type = textIn(source, 'type');
  if (place === '') return [required(`${path}.path`)];
  return [
    ...(climbs(place) ? [invalidValue(`${path}.path`, place, "must not contain '..'")] : []),
    ...(hostPathTypes.includes(type) ? [] : [unsupported(`${path}.type`, type, hostPathTypes)]),
  ];
}

function emptyDirIssues(source: JsonObject, path: string): Issue[] {
  const limit = source['sizeLimit'];
  const below = (typeof limit === 'string' && limit.startsWith('-')) || (typeof limit === 'number' && limit < 0);
  return below ? [forbiddenField(`${path}.sizeLimit`, 'SizeLimit field must be a valid resource quantity')] : [];
}

export function nfsIssues(source: JsonObject, path: string): Issue[] {
  const place = textIn(source, 'path');
  return [
    ...(textIn(source, 'server') === '' ? [required(`${path}.server`)] : []),
    ...(place === '' ? [required(`${path}.path`)] : []),
    ...(place.startsWith('/') ? [] : [invalidValue(`${path}.path`, place, 'must be an absolute path')]),
  ];
}

const fieldPaths = ['metadata.name', 'metadata.namespace', 'metadata.labels', 'metadata.annotations', 'metadata.uid'];
const isFieldPath = (path: string): boolean =>
  fieldPaths.includes(path) || /^metadata\.(labels|annotations)\['[^']+'\]$/.test(path);

/** The server names the whole source, not the item. */
function downwardItemIssues(item: JsonObject, path: string): Issue[] {
  const field = objectIfIn(item, 'fieldRef');
  const resource = objectIfIn(item, 'resourceFieldRef');
  const fieldPath = textIn(field ?? {}, 'fieldPath');
  const unknown = `error converting fieldPath: field label not supported: ${fieldPath}`;
  const place = textIn(item, 'path');
  return [
    ...(place === '' ? [required(`${path}.path`)] : localPathIssues(`${path}.path`, place)),
    ...(field === undefined && resource === undefined
      ? [required(path, 'one of fieldRef and resourceFieldRef is required')]
      : []),
    ...(field !== undefined && resource !== undefined
      ? [invalidValue(path, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously')]
      : []),
    ...(field === undefined || isFieldPath(fieldPath)
      ? []
      : [invalidValue(`${path}.fieldRef.fieldPath`, fieldPath, unknown)]),
    ...(resource !== undefined && textIn(resource, 'containerName') === ''
      ? [required(`${path}.resourceFieldRef.containerName`)]
      : []),
    ...modeIssues(`${path}.mode`, item['mode']),
  ];
}

const downwardIssues = (source: JsonObject, path: string): Issue[] => [
  ...modeIssues(`${path}.defaultMode`, source['defaultMode']),
  ...objectsIn(source, 'items').flatMap((item) => downwardItemIssues(item, path)),
];

const [shortest, longest] = [10 * 60, 2 ** 32];

function expirationIssues(token: JsonObject, field: string): Issue[] {
  const seconds = Number(token['expirationSeconds'] ?? 0);
  return [
    ...(seconds < shortest ? [invalidValue(field, seconds, 'may not specify a duration less than 10 minutes')] : []),
    ...(seconds > longest ? [invalidValue(field, seconds, 'may not specify a duration larger than 2^32 seconds')] : []),
  ];
}

function projectedIssues(source: JsonObject, path: string): Issue[] {
  return [
    ...modeIssues(`${path}.defaultMode`, source['defaultMode']),
    ...objectsIn(source, 'sources').flatMap((one, index) => {
      const at = `${path}.sources[${index}]`;
      const token = objectIfIn(one, 'serviceAccountToken');
      return [
        ...(Object.keys(one).length > 1
          ? [forbiddenField(at, 'may not specify more than 1 volume type per source')]
          : []),
        ...(token === undefined ? [] : expirationIssues(token, `${at}.serviceAccountToken.expirationSeconds`)),
        ...(token !== undefined && textIn(token, 'path') === '' ? [required(`${path}.path`)] : []),
        ...objectsIn(objectIfIn(one, 'downwardAPI') ?? {}, 'items').flatMap((item) =>
          downwardItemIssues(item, `${at}.downwardAPI`),
        ),
      ];
    }),
  ];
}

const asking =
  (...fields: string[]) =>
  (source: JsonObject, path: string): Issue[] =>
    fields.flatMap((field) => ((source[field] ?? '') === '' ? [required(`${path}.${field}`)] : []));

function fibreIssues(source: JsonObject, path: string): Issue[] {
  const one = objectsOrTexts(source['targetWWNs']) > 0 !== objectsOrTexts(source['wwids']) > 0;
  const why = 'must specify either targetWWNs or wwids, but not both';
  return one ? [] : [required(`${path}.targetWWNs`, why)];
}

const objectsOrTexts = (value: Json | undefined): number => (Array.isArray(value) ? value.length : 0);

type Rule = (source: JsonObject, path: string) => Issue[];
const nothing: Rule = () => [];

/** In the order the server looks at them: the first one counts, any other is one too many. */
const sources: readonly (readonly [field: string, rule: Rule, shownAs?: string])[] = [
  ['emptyDir', emptyDirIssues],
  ['hostPath', hostPathIssues],
  ['gitRepo', asking('repository')],
  ['gcePersistentDisk', asking('pdName')],
  ['awsElasticBlockStore', asking('volumeID')],
  ['secret', filesOf('secretName')],
  ['nfs', nfsIssues],
  ['iscsi', asking('targetPortal', 'iqn')],
  ['glusterfs', asking('endpoints', 'path')],
  ['flocker', nothing],
  ['persistentVolumeClaim', asking('claimName')],
  ['rbd', nothing],
  ['cinder', asking('volumeID')],
  ['cephfs', nothing, 'cephFS'],
  ['quobyte', nothing],
  ['downwardAPI', downwardIssues, 'downwarAPI'],
  ['fc', fibreIssues],
  ['flexVolume', asking('driver')],
  ['configMap', filesOf('name')],
  ['azureFile', asking('secretName', 'shareName')],
  ['vsphereVolume', asking('volumePath')],
  ['photonPersistentDisk', asking('pdID')],
  ['portworxVolume', asking('volumeID')],
  ['azureDisk', asking('diskName', 'diskURI')],
  ['storageos', nothing],
  ['projected', projectedIssues],
  ['scaleIO', nothing],
  ['csi', asking('driver')],
  ['ephemeral', asking('volumeClaimTemplate')],
  ['image', asking('reference')],
];

/** What is wrong with the source of one volume; two of them are refused as the server refuses them. */
export function volumeSourceIssues(volume: JsonObject, path: string): Issue[] {
  const given = sources.filter(([field]) => objectIfIn(volume, field) !== undefined);
  return given.flatMap(([field, rule, shownAs], index) =>
    index === 0
      ? rule(objectIfIn(volume, field) ?? {}, `${path}.${field}`)
      : [forbiddenField(`${path}.${shownAs ?? field}`, 'may not specify more than 1 volume type')],
  );
}
