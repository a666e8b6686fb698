// The security contexts of pods and of their containers.
import type { Json, JsonObject } from 'kilter/api';
import { duplicate, invalidValue, outOfRange, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn, textOf, textsOf } from '../values/index.ts';

const ids = [0, 2 ** 31 - 1] as const;

const idIssues = (context: JsonObject, at: string, fields: readonly string[]): Issue[] =>
  fields.flatMap((field) => {
    const id = context[field] ?? null;
    return id === null ? [] : outOfRange(`${at}.${field}`, id, ids);
  });

const longestSysctl = 253;
const sysctlPattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';
const segment = /^[a-z0-9](?:[-_a-z0-9]*[a-z0-9])?$/;
/** Each part between dots and slashes by itself: a pattern over the whole would try every way to divide a long name. */
const isSysctl = (name: string): boolean =>
  name.length <= longestSysctl && name.split(/[./]/).every((part) => segment.test(part));

function sysctlIssues(context: JsonObject, at: string): Issue[] {
  const seen = new Set<string>();
  return objectsIn(context, 'sysctls').flatMap((sysctl, index) => {
    const name = textIn(sysctl, 'name');
    const place = `${at}.sysctls[${index}].name`;
    const again = seen.has(name);
    seen.add(name);
    if (name === '') return [required(place)];
    const why = `must have at most ${longestSysctl} characters and match regex ${sysctlPattern}`;
    if (!isSysctl(name)) return [invalidValue(place, name, why)];
    return again ? [duplicate(place, name)] : [];
  });
}

/** The value of a field that need not be there, if it is not among the supported ones. */
function choiceIssues(context: JsonObject, at: string, supported: readonly string[]): Issue[] {
  const value = context[at.slice(at.lastIndexOf('.') + 1)] ?? null;
  return value === null || supported.includes(textOf(value)) ? [] : [unsupported(at, value, supported)];
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function profileTypeIssues(type: string, at: string): Issue[] {
  const name = at.slice(at.lastIndexOf('.') + 1);
  if (type === '') return [required(`${at}.type`, `type is required when ${name} is set`)];
  return profileTypes.includes(type) ? [] : [unsupported(`${at}.type`, type, profileTypes)];
}

/** A path below the folder of the kubelet. */
function descendingIssues(path: string, at: string): Issue[] {
  return [
    ...(path.startsWith('/') ? [invalidValue(at, path, 'must be a relative path')] : []),
    ...(path.split('/').includes('..') ? [invalidValue(at, path, "must not contain '..'")] : []),
  ];
}

function seccompIssues(context: JsonObject, at: string): Issue[] {
  const profile = objectIfIn(context, 'seccompProfile');
  if (profile === undefined) return [];
  const type = textIn(profile, 'type');
  const file: Json = profile['localhostProfile'] ?? null;
  const place = `${at}.localhostProfile`;
  const types = profileTypeIssues(type, at);
  if (type !== 'Localhost') {
    const shown = { Type: type, LocalhostProfile: file };
    return file === null
      ? types
      : [...types, invalidValue(place, shown, 'can only be set when seccomp type is Localhost')];
  }
  if (file === null) return [required(place, 'must be set when seccomp type is Localhost')];
  return descendingIssues(textOf(file), place);
}

function appArmorIssues(context: JsonObject, at: string): Issue[] {
  const profile = objectIfIn(context, 'appArmorProfile');
  if (profile === undefined) return [];
  const type = textIn(profile, 'type');
  const name: Json = profile['localhostProfile'] ?? null;
  const place = `${at}.localhostProfile`;
  if (type !== 'Localhost') {
    const isKnown = profileTypes.includes(type);
    return [
      ...profileTypeIssues(type, at),
      ...(isKnown && name !== null
        ? [invalidValue(place, name, 'can only be set when AppArmor type is Localhost')]
        : []),
    ];
  }
  const missing = required(place, 'must be set when AppArmor type is Localhost');
  if (name === null) return [missing];
  const text = textOf(name);
  if (text.trim() !== text) return [invalidValue(place, text, 'must not be padded with whitespace')];
  return text === '' ? [missing] : [];
}

/** The context of a whole pod. */
export function podSecurityIssues(spec: JsonObject, path: string): Issue[] {
  const context = objectIfIn(spec, 'securityContext') ?? {};
  const at = `${path}.securityContext`;
  const shares = spec['shareProcessNamespace'] === true && spec['hostPID'] === true;
  return [
    ...idIssues(context, at, ['fsGroup', 'runAsUser', 'runAsGroup']),
    ...(Array.isArray(context['supplementalGroups']) ? context['supplementalGroups'] : []).flatMap((group, index) =>
      outOfRange(`${at}.supplementalGroups[${index}]`, group, ids),
    ),
    ...(shares
      ? [invalidValue(`${at}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled')]
      : []),
    ...sysctlIssues(context, at),
    ...choiceIssues(context, `${at}.fsGroupChangePolicy`, ['Always', 'OnRootMismatch']),
    ...seccompIssues(context, `${at}.seccompProfile`),
    ...appArmorIssues(context, `${at}.appArmorProfile`),
    ...choiceIssues(context, `${at}.supplementalGroupsPolicy`, ['Merge', 'Strict']),
    // The other one is for a feature gate that is off.
    ...choiceIssues(context, `${at}.seLinuxChangePolicy`, ['Recursive']),
  ];
}

/** The context as the server prints it: its fields by their names in Go. */
function shownContext(context: JsonObject): JsonObject {
  return Object.fromEntries(
    [
      ['capabilities', 'Capabilities'],
      ['privileged', 'Privileged'],
      ['seLinuxOptions', 'SELinuxOptions'],
      ['windowsOptions', 'WindowsOptions'],
      ['runAsUser', 'RunAsUser'],
      ['runAsGroup', 'RunAsGroup'],
      ['runAsNonRoot', 'RunAsNonRoot'],
      ['readOnlyRootFilesystem', 'ReadOnlyRootFilesystem'],
      ['allowPrivilegeEscalation', 'AllowPrivilegeEscalation'],
      ['procMount', 'ProcMount'],
      ['seccompProfile', 'SeccompProfile'],
      ['appArmorProfile', 'AppArmorProfile'],
    ].map(([field = '', name = '']) => [name, context[field] ?? null]),
  );
}

function escalationIssues(context: JsonObject, at: string): Issue[] {
  if (context['allowPrivilegeEscalation'] !== false) return [];
  const added = textsOf(objectIfIn(context, 'capabilities')?.['add']);
  const cannot = (what: string): Issue =>
    invalidValue(at, shownContext(context), `cannot set \`allowPrivilegeEscalation\` to false and ${what}`);
  return [
    ...(context['privileged'] === true ? [cannot('`privileged` to true')] : []),
    ...(added.includes('CAP_SYS_ADMIN') ? [cannot('`capabilities.Add` CAP_SYS_ADMIN')] : []),
  ];
}

const mounts = ['Default', 'Unmasked'];

/** Without users of its own a pod could change the node through an unmasked /proc. */
function mountIssues({ procMount = null }: JsonObject, at: string, hostUsers: boolean): Issue[] {
  if (procMount === null) return [];
  if (!mounts.includes(textOf(procMount))) return [unsupported(at, procMount, mounts)];
  const why = '`hostUsers` must be false to use `Unmasked`';
  return procMount === 'Unmasked' && hostUsers ? [invalidValue(at, procMount, why)] : [];
}

/** The context of one container; `hostUsers` is what the pod says. */
export function containerSecurityIssues(container: JsonObject, path: string, hostUsers: boolean): Issue[] {
  const context = objectIfIn(container, 'securityContext') ?? {};
  const at = `${path}.securityContext`;
  return [
    ...idIssues(context, at, ['runAsUser', 'runAsGroup']),
    ...mountIssues(context, `${at}.procMount`, hostUsers),
    ...seccompIssues(context, `${at}.seccompProfile`),
    ...escalationIssues(context, at),
    ...appArmorIssues(context, `${at}.appArmorProfile`),
  ];
}
