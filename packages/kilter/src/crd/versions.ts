import type { AnyDefinition, OlderVersion } from './definition.ts';
import { checkVersionName } from './names.ts';
import type { Findings } from './problem.ts';
import { compareVersions, isSuccessor } from './versions-age.ts';

/** A version with where it is in the definition: '' for the newest. */
export interface DeclaredVersion extends OlderVersion {
  readonly name: string;
  readonly prefix: string;
  readonly isStored: boolean;
}

/** All versions in the server's order, after a look at what they say of each other. */
export function declaredVersions(definition: AnyDefinition, findings: Findings): DeclaredVersion[] {
  const older = Object.entries(definition.versions ?? {});
  const says = (version: { storage?: boolean | undefined }): boolean => version.storage === true;
  const stored = [definition, ...older.map(([, version]) => version)].filter(says).length;
  const newest: DeclaredVersion = {
    ...definition,
    name: definition.version,
    prefix: '',
    isStored: definition.storage ?? stored === 0,
  };
  const versions: DeclaredVersion[] = [
    newest,
    ...older.map(([name, version]) => ({ ...version, name, prefix: `versions.${name}.`, isStored: says(version) })),
  ];
  checkVersions(definition, versions, findings);
  return versions.toSorted((a, b) => compareVersions(a.name, b.name));
}

function checkVersions(definition: AnyDefinition, versions: readonly DeclaredVersion[], findings: Findings): void {
  const refuse = (path: string, message: string, cure?: string): void =>
    findings.refuse({ code: 'CRD_VERSIONS_INVALID', path, message, cure });
  checkVersionName(definition.version, 'version', findings);
  for (const { name, prefix } of versions.filter((version) => version.prefix !== '')) {
    const path = prefix.slice(0, -1);
    checkVersionName(name, path, findings);
    if (name === definition.version)
      refuse(path, 'is the version of the definition itself', 'leave it out of versions');
    if (!isSuccessor(name, definition.version)) continue;
    const cure = `the definition is the newest version: swap them, version: '${name}' and versions: { ${definition.version}: … }`;
    refuse(path, `is newer than ${definition.version}, the version of the definition`, cure);
  }
  const stored = versions.filter(({ isStored }) => isStored).map(({ name }) => name);
  if (stored.length !== 1) {
    refuse('storage', stored.length === 0 ? 'no version is stored' : `${stored.join(' and ')} are both stored`);
  }
  if (versions.every(({ served }) => served === false)) refuse('served', 'no version is served');
  for (const { deprecated, prefix } of versions) {
    if (typeof deprecated === 'string' && !isWarning(deprecated)) {
      refuse(`${prefix}deprecated`, 'is not a string of 1 to 256 printable characters', 'shorten it, or use true');
    }
  }
}

function isWarning(text: string): boolean {
  return text !== '' && new TextEncoder().encode(text).length <= 256 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}
