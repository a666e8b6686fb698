import { compareText, quote } from '../values/index.ts';
import { ApplyError, type Conflict } from './apply-error.ts';
import type { FieldSet } from './field-set.ts';
import { identityOf, type ManagerIdentity } from './managers.ts';
import { pathText } from './path-element.ts';

/** What one manager would lose. */
export interface Loss {
  readonly owner: ManagerIdentity;
  readonly fields: FieldSet;
}

export function conflictError(losses: readonly Loss[]): ApplyError {
  const conflicts = losses
    .toSorted((left, right) => compareText(identityOf(left.owner), identityOf(right.owner)))
    .flatMap(({ owner, fields }) =>
      [...fields.paths()].map((path): Conflict => ({ manager: managerText(owner), field: pathText(path) })),
    );
  return new ApplyError(conflictMessage(conflicts), { kind: 'conflict', conflicts });
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  }
  const lines = [...Map.groupBy(conflicts, ({ manager }) => manager)].flatMap(([manager, fields]) => [
    `conflicts with ${manager}:`,
    ...fields.map(({ field }) => `- ${field}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function managerText({ manager, operation, apiVersion, subresource }: ManagerIdentity): string {
  const where = subresource === undefined ? '' : ` with subresource ${quote(subresource)}`;
  return `${quote(manager)}${where}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
