// How the containers of a Pod mount its volumes.
import type { JsonObject } from 'kilter/api';
import { forbiddenField, invalidValue, notFoundValue, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn, textOf } from '../values/index.ts';

function descendingIssues(path: string, field: string): Issue[] {
  return [
    ...(path.startsWith('/') ? [invalidValue(field, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [invalidValue(field, path, "must not contain '..'")] : []),
  ];
}

const propagations = ['Bidirectional', 'HostToContainer', 'None'];
const recursions = ['Disabled', 'Enabled', 'IfPossible'];

/** What is told of these fields is told of all mounts: the server leaves their number out. */
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
  const devices = objectsIn(container, 'volumeDevices');
  const paths = mounts.map((mount) => textIn(mount, 'mountPath'));
  const privileged = objectIfIn(container, 'securityContext')?.['privileged'] === true;
  const all = `${path}.volumeMounts`;
  const isDevice = (field: string, value: string): boolean => devices.some((device) => textIn(device, field) === value);
  return mounts.flatMap((mount, index) => {
    const at = `${all}[${index}]`;
    const name = textIn(mount, 'name');
    const place = paths[index] ?? '';
    return [
      ...(name === '' ? [required(`${at}.name`)] : []),
      ...(volumes.has(name) ? [] : [notFoundValue(`${at}.name`, name)]),
      ...(place === '' ? [required(`${at}.mountPath`)] : []),
      ...(paths.indexOf(place) < index ? [invalidValue(`${at}.mountPath`, place, 'must be unique')] : []),
      ...(isDevice('name', name) ? [invalidValue(`${at}.name`, name, 'must not already exist in volumeDevices')] : []),
      ...(isDevice('devicePath', place)
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
  const mounts = objectsIn(container, 'volumeMounts');
  const textsOf = (field: string): string[] => devices.map((device) => textIn(device, field));
  const [deviceNames, paths] = [textsOf('name'), textsOf('devicePath')];
  const isMounted = (field: string, value: string): boolean => mounts.some((mount) => textIn(mount, field) === value);
  const claim = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode';
  return devices.flatMap((_, index) => {
    const at = `${path}.volumeDevices[${index}]`;
    const [name = '', place = ''] = [deviceNames[index], paths[index]];
    const volume = volumes.find((one) => textIn(one, 'name') === name);
    const told = (field: string, value: string, why: string): Issue => invalidValue(`${at}.${field}`, value, why);
    return [
      ...(name === '' ? [required(`${at}.name`)] : []),
      ...(name !== '' && deviceNames.indexOf(name) < index ? [told('name', name, 'must be unique')] : []),
      ...(volume !== undefined && !isClaimed(volume) ? [told('name', name, claim)] : []),
      ...(names.has(name) ? [] : [notFoundValue(`${at}.name`, name)]),
      ...devicePathIssues(place, `${at}.devicePath`),
      ...(paths.indexOf(place) < index ? [told('devicePath', place, 'must be unique')] : []),
      ...(isMounted('name', name) ? [told('name', name, 'must not already exist in volumeMounts')] : []),
      ...(isMounted('mountPath', place)
        ? [told('devicePath', place, 'must not already exist as a path in volumeMounts')]
        : []),
    ];
  });
}
