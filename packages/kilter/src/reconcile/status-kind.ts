import type { Kind } from '../api/index.ts';

interface Defined {
  manifest(): {
    spec: { versions: readonly { name: string; subresources?: { status?: object | undefined } | undefined }[] };
  };
}

/** Whether objects of a kind have a status: known of resources defined in this program, undefined of all others. */
export function hasStatus(kind: Kind): boolean | undefined {
  if (!('manifest' in kind)) return undefined;
  const { versions } = (kind as unknown as Defined).manifest().spec;
  return versions.find(({ name }) => name === kind.names.version)?.subresources?.status !== undefined;
}
