import type { Kind } from '../api/index.ts';

interface Version {
  name: string;
  schema?: { openAPIV3Schema?: { properties?: Record<string, { properties?: object | undefined }> } } | undefined;
}

interface Defined {
  manifest(options: { conversion: { url: string } }): { spec: { versions: readonly Version[] } };
}

/** Where a webhook is served that nobody calls: only the schema is looked at. */
const nowhere = { conversion: { url: 'https://localhost' } };

/**
 * Whether objects of a kind have a status: known of resources defined in this program, undefined of all others. A status that only
 * conversions use has no conditions, and does not count.
 */
export function hasStatus(kind: Kind): boolean | undefined {
  if (!('manifest' in kind)) return undefined;
  const { versions } = (kind as unknown as Defined).manifest(nowhere).spec;
  const { schema } = versions.find(({ name }) => name === kind.names.version) ?? {};
  return Object.hasOwn(schema?.openAPIV3Schema?.properties?.['status']?.properties ?? {}, 'conditions');
}
