import { KilterError } from 'kilter';
import { type Kind, kindLabel } from 'kilter/api';
import type { ConversionEndpoint, ManifestOptions } from 'kilter/crd';
import type { CustomResourceDefinition } from 'kilter/k8s/apiextensions/v1';
import { conversionNowhere } from './conversion-nowhere.ts';

/** A kind that knows its own definition. */
export interface Installable extends Kind {
  manifest(options?: ManifestOptions): CustomResourceDefinition;
}

export function isInstallable(kind: Kind): kind is Installable {
  return 'manifest' in kind && typeof kind.manifest === 'function';
}

/**
 * A definition as a backend can serve it. Where nobody answers as its conversion webhook, only the version that the kind speaks is
 * installed of versions that differ, and the others are 404 rather than wrong.
 */
export function servedManifest(kind: Installable, conversion?: ConversionEndpoint): CustomResourceDefinition {
  if (conversion !== undefined) return kind.manifest({ conversion });
  const manifest = kind.manifest({ conversion: conversionNowhere });
  if (manifest.spec.conversion?.strategy !== 'Webhook') return manifest;
  const { conversion: _, versions, ...spec } = manifest.spec;
  const own = versions.filter(({ name }) => name === kind.names.version);
  return {
    ...manifest,
    spec: { ...spec, versions: own.map((version) => ({ ...version, served: true, storage: true })) },
  };
}

/** Refuses a second version of a kind whose versions differ, instead of an operator that waits for it in vain. */
export function checkServed(kind: Kind, { spec }: CustomResourceDefinition): void {
  const { version } = kind.names;
  if (spec.versions.some(({ name, served }) => name === version && served)) return;
  const there = spec.versions.map(({ name }) => name).join(', ');
  throw new KilterError(
    'TESTING_VERSION_NOT_SERVED',
    `${kindLabel(kind.names)} is installed with ${there}, and ${version} differs from it`,
  );
}

/** Whether objects of the version a kind speaks have their own status. */
export function hasStatus(kind: Installable): boolean {
  const { versions } = kind.manifest({ conversion: conversionNowhere }).spec;
  return versions.find(({ name }) => name === kind.names.version)?.subresources?.status !== undefined;
}
