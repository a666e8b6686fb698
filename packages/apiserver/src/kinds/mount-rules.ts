// How the containers of a Pod mount its volumes.
import type { JsonObject } from 'kilter/api';
import { forbiddenField, invalidValue, notFoundValue, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, repeatsIn, textIn, textOf } from '../values/index.ts';

/** What the items of a list say in each of these fields. */
function textsIn<F extends string>(container: JsonObject, list: string, fields: readonly F[]): Record<F, Set<string>> {
  const items = objectsIn(container, list);
  const entries = fields.map((field) => [field, new Set(items.map((item) => textIn(item, field)))] as const);
  return Object.fromEntries(entries) as Record<F, Set<string>>;
}

function descendingIssues(path: string, field: string): Issue[] {
  return [
    ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []),
  ];
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const recursions = ['Disabled', 'Enabled', 'IfPossible'];

/** What is reported for these fields is reported for all mounts: the server leaves their number out. */
function propagationIssues({ mountPropagation: mode = null }: JsonObject, field: string, privileged: boolean): Issue[] {
  if (mode === null) return [];
  const why = 'Bidirectional mount propagation is available only to privileged containers';
  return [
    ...(propagations.includes(textOf(mode)) ? [] : [unsupported(field, mode, propagations)]),
    ...(mode === 'Bidirectional' && !privileged ? [forbiddenField(field, why)] : []),
  ];
}

function recursionIssues(mount: JsonObject, field: string): Issue[] {
  const { recursiveReadOnly: mode = null, readOnly, mountPropagation = null } = mount;
  if (mode === null || mode === 'Disabled') return [];
  if (!recursions.includes(textOf(mode))) return [unsupported(field, mode, recursions)];
  const still = 'may only be specified when mountPropagation is None or not specified';
  return [
    ...(readOnly === true ? [] : [forbiddenField(field, 'may only be specified when readOnly is true')]),
    ...(mountPropagation === null || mountPropagation === 'None' ? [] : [forbiddenField(field, still)]),
  ];
}

function pathIssues(mount: JsonObject, at: string, all: string): Issue[] {
  const [path, expression] = [textIn(mount, 'subPath'), textIn(mount, 'subPathExpr')];
  const both = 'subPathExpr and subPath are mutually exclusive';
  return [
    ...(path === '' ? [] : descendingIssues(path, `${all}.subPath`)),
    ...(path !== '' && expression !== '' ? [invalidValue(`${at}.subPathExpr`, expression, both)] : []),
    ...(expression === '' ? [] : descendingIssues(expression, `${all}.subPathExpr`)),
  ];
}

export function mountIssues(container: JsonObject, path: string, volumes: ReadonlySet<string>): Issue[] {
  const mounts = objectsIn(container, 'volumeMounts');
  const paths = mounts.map((mount) => textIn(mount, 'mountPath'));
  const privileged = objectIfIn(container, 'securityContext')?.['privileged'] === true;
  const all = `${path}.volumeMounts`;
  const again = repeatsIn(paths);
  const devices = textsIn(container, 'volumeDevices', ['name', 'devicePath']);
  return mounts.flatMap((mount, index) => {
    const at = `${all}[${index}]`;
    const name = textIn(mount, 'name');
    const place = paths[index] ?? '';
    return [
      ...(name === '' ? [required(`${at}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFoundValue(`${at}.name`, name)]),
      ...(place === '' ? [required(`${at}.mountPath`)] : []),
      ...(again.has(index) ? [invalidValue(`${at}.mountPath`, place, 'must be unique')] : []),
      ...(devices.name.has(name) ? [invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices')] : []),
      ...(devices.devicePath.has(place)
        ? [invalidValue(`${at}.mountPath`, place, 'must not already exist as a path in volumeDevices')]
        : []),
      ...pathIssues(mount, at, all),
      ...propagationIssues(mount, `${all}.mountPropagation`, privileged),
      ...recursionIssues(mount, `${all}.recursiveReadOnly`),
    ];
  });
}

/** What a claim stands behind can be a device. */
const isClaimed = (volume: JsonObject): boolean =>
  objectIfIn(volume, 'persistentVolumeClaim') !== undefined || objectIfIn(volume, 'ephemeral') !== undefined;

/** The names of the volumes that cannot be devices; of several with one name the first counts. */
function unclaimedIn(volumes: readonly JsonObject[]): ReadonlySet<string> {
  const first = new Map(volumes.toReversed().map((volume) => [textIn(volume, 'name'), volume]));
  return new Set([...first].flatMap(([name, volume]) => (isClaimed(volume) ? [] : [name])));
}

function devicePathIssues(path: string, field: string): Issue[] {
  return [
    ...(path === '' ? [required(field)] : []),
    ...(path.split('/').includes('..') ? [invalidValue(field, path, "can not contain backsteps ('..')")] : []),
  ];
}

/** `volumes` are those of the Pod; of those that come from a template of claims only the names are known. */
export function deviceIssues(
  container: JsonObject,
  path: string,
  { names, volumes }: { readonly names: ReadonlySet<string>; readonly volumes: readonly JsonObject[] },
): Issue[] {
  const devices = objectsIn(container, 'volumeDevices');
  const mounts = textsIn(container, 'volumeMounts', ['name', 'mountPath']);
  const textsOf = (field: string): string[] => devices.map((device) => textIn(device, field));
  const [deviceNames, paths] = [textsOf('name'), textsOf('devicePath')];
  const [sameName, samePath] = [repeatsIn(deviceNames), repeatsIn(paths)];
  const unclaimed = unclaimedIn(volumes);
  const claim = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return devices.flatMap((_, index) => {
    const at = `${path}.volumeDevices[${index}]`;
    const [name = '', place = ''] = [deviceNames[index], paths[index]];
    const told = (field: string, value: string, why: string): Issue => invalidValue(`${at}.${field}`, value, why);
    return [
      ...(name === '' ? [required(`${at}.name`)] : []),
      ...(name !== '' && sameName.has(index) ? [told('name', name, 'must be unique')] : []),
      ...(unclaimed.has(name) ? [told('name', name, claim)] : []),
      ...(names.has(name) ? [] : [notFoundValue(`${at}.name`, name)]),
      ...devicePathIssues(place, `${at}.devicePath`),
      ...(samePath.has(index) ? [told('devicePath', place, 'must be unique')] : []),
      ...(mounts.name.has(name) ? [told('name', name, 'must not already exist in volumeMounts')] : []),
      ...(mounts.mountPath.has(place)
        ? [told('devicePath', place, 'must not already exist as a path in volumeMounts')]
        : []),
    ];
  });
}
