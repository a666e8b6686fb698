// The three patch languages of the API server: JSON patch, merge patch, strategic merge patch. Pure; inputs stay as they are.
export { patched } from './applied-operations.ts';
export { unknownMembers } from './json-operations.ts';
export { jsonPatch } from './json-patch.ts';
export { mergePatch } from './merge-patch.ts';
export { PatchError, type PatchFailure } from './patch-error.ts';
export type { PatchHints } from './patch-hints.ts';
export { strategicMergePatch } from './strategic-merge-patch.ts';
