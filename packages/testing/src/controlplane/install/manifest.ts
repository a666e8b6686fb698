import type { GoPlatform } from './layout.ts';
import { type BinaryName, binaryNames, type Versions } from './versions.ts';

export interface InstalledFile {
  readonly size: number;
  readonly sha256: string;
}

/** What is in an installation's folder: written after each binary, so that it never names one that is not complete. */
export interface Manifest {
  readonly versions: Versions;
  readonly platform: GoPlatform;
  readonly binaries: Readonly<Partial<Record<BinaryName, InstalledFile>>>;
}

export function writeManifest(manifest: Manifest): string {
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}

/** Undefined for what is not a manifest: such a folder is treated as one without. */
export function readManifest(text: string): Manifest | undefined {
  const value = parsed(text);
  if (!isRecord(value)) return undefined;
  const versions = strings(value['versions'], ['kubernetes', 'etcd', 'kwok']);
  const platform = strings(value['platform'], ['os', 'architecture']);
  const files = value['binaries'];
  if (versions === undefined || platform === undefined || !isRecord(files)) return undefined;
  const binaries: Partial<Record<BinaryName, InstalledFile>> = {};
  for (const name of binaryNames) {
    const file = installedFile(files[name]);
    if (file !== undefined) binaries[name] = file;
  }
  return { versions, platform, binaries };
}

export function describes(manifest: Manifest, versions: Versions, platform: GoPlatform): boolean {
  return (
    manifest.versions.kubernetes === versions.kubernetes &&
    manifest.versions.etcd === versions.etcd &&
    manifest.versions.kwok === versions.kwok &&
    manifest.platform.os === platform.os &&
    manifest.platform.architecture === platform.architecture
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function strings<Name extends string>(value: unknown, names: readonly Name[]): Record<Name, string> | undefined {
  if (!isRecord(value) || names.some((name) => typeof value[name] !== 'string')) return undefined;
  return Object.fromEntries(names.map((name) => [name, value[name]])) as Record<Name, string>;
}

function installedFile(value: unknown): InstalledFile | undefined {
  if (!isRecord(value)) return undefined;
  const { size, sha256 } = value;
  return typeof size === 'number' && typeof sha256 === 'string' ? { size, sha256 } : undefined;
}
