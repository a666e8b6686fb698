import type { CustomResourceDefinition } from '../k8s/apiextensions/v1.ts';
import { type Problem, problemOf } from './problem.ts';

/**
 * The versions of `status.storedVersions` that a new manifest lacks: the server refuses it, since it could not read
 * what is stored in them. Each problem names the migration that is missing.
 */
export function missingStoredVersions(
  stored: readonly string[],
  { spec }: Pick<CustomResourceDefinition, 'spec'>,
): Problem[] {
  const storage = spec.versions.find((version) => version.storage)?.name ?? 'the storage version';
  const left = new Set(spec.versions.map(({ name }) => name));
  const missing = [...new Set(stored)].filter((name) => !left.has(name));
  return missing.map((name) =>
    problemOf({
      code: 'CRD_VERSIONS_INVALID',
      path: `versions.${name}`,
      message: `was removed, but objects may still be stored as ${name}`,
      cure: `keep ${name} with served: false, write every object once so that it is stored as ${storage}, remove ${name} from status.storedVersions, then remove it`,
    }),
  );
}
