import type { Case } from '../../src/case.ts';
import { applyCreates } from './apply-creates.ts';
import { applyRequests } from './apply-requests.ts';
import { applySubresources } from './apply-subresources.ts';
import { applyVersions } from './apply-versions.ts';
import { builtInListTypes } from './built-in-list-types.ts';
import { conditionalPatches } from './conditional-patch.ts';
import { conflicts } from './conflicts.ts';
import { jsonPatches } from './json-patch.ts';
import { listTypes } from './list-types.ts';
import { managedFields } from './managed-fields.ts';
import { mergePatches } from './merge-patch.ts';
import { otherWriters } from './other-writers.ts';
import { rewritingManagedFields } from './rewriting-managed-fields.ts';
import { strategicDirectives } from './strategic-directives.ts';
import { strategicKinds } from './strategic-kinds.ts';
import { strategicLists } from './strategic-merge.ts';

export const patchApply: readonly Case[] = [
  ...jsonPatches,
  ...mergePatches,
  ...conditionalPatches,
  ...strategicLists,
  ...strategicKinds,
  ...strategicDirectives,
  ...applyRequests,
  ...applyCreates,
  ...managedFields,
  ...otherWriters,
  ...conflicts,
  ...listTypes,
  ...builtInListTypes,
  ...applySubresources,
  ...rewritingManagedFields,
  ...applyVersions,
];
