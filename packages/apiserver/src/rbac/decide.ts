import type { User } from '../auth/index.ts';
import { type Access, type PolicyRule, ruleAllows } from './policy-rule.ts';
import { missingRole, type RoleBook, type RoleRef } from './role-book.ts';

export interface Decision {
  readonly allowed: boolean;
  /** Which binding allows it, or which one leads nowhere; often empty. */
  readonly reason: string;
}

/** Members may do everything, whatever roles there are. */
export const isMaster = ({ groups }: User): boolean => groups.includes('system:masters');

/** Several problems as the server joins them, each once. */
export function joined(problems: readonly string[]): string {
  const each = [...new Set(problems)];
  return each.length === 1 ? (each[0] ?? '') : `[${each.join(', ')}]`;
}

/** Whether roles and bindings allow it. */
export function decide(book: RoleBook, user: User, access: Access): Decision {
  if (isMaster(user)) return { allowed: true, reason: '' };
  const problems: string[] = [];
  for (const held of book.heldBy(user, 'path' in access ? '' : access.namespace)) {
    if (held.rule === undefined) problems.push(missingRole(held.missing));
    else if (ruleAllows(held.rule, access)) return { allowed: true, reason: `RBAC: allowed by ${held.source}` };
  }
  return { allowed: false, reason: problems.length === 0 ? '' : `RBAC: ${joined(problems)}` };
}

export interface RulesOfUser {
  readonly rules: readonly PolicyRule[];
  /** What bindings name, and nobody has made. */
  readonly missing: readonly RoleRef[];
}

/** All rules somebody has in a namespace. */
export function rulesFor(book: RoleBook, user: User, namespace: string): RulesOfUser {
  const held = [...book.heldBy(user, namespace)];
  return {
    rules: held.flatMap(({ rule }) => rule ?? []),
    missing: held.flatMap((one) => (one.rule === undefined ? [one.missing] : [])),
  };
}
