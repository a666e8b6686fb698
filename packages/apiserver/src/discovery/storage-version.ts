import { createHash } from 'node:crypto';
import type { ResourceDefinition } from '../kinds/index.ts';

/** A name for the form objects are stored in, by which migrators see that it changed; undefined for what is not stored. */
export function storageVersionHash({ group, version, kind, verbs, storedAs }: ResourceDefinition): string | undefined {
  if (storedAs === 'unserved' || !verbs.includes('watch')) return undefined;
  const form = storedAs ?? { group, version };
  const digest = createHash('sha256').update(`${form.group}/${form.version}/${kind}`).digest();
  return digest.subarray(0, 8).toString('base64');
}
