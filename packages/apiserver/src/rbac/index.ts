// RBAC: what roles and bindings allow, and what nobody may hand on. Pure decisions.
export { aggregatedRules, aggregates } from './aggregation.ts';
export { describeMissing, missingRules } from './coverage.ts';
export { type Decision, decide, isMaster, joined, rulesFor, type RulesOfUser } from './decide.ts';
export { type Access, type PathAccess, type PolicyRule, type ResourceAccess, ruleAllows } from './policy-rule.ts';
export { missingRole, RoleBook, type RoleRef, roleRefOf, rulesOf, type StoredRoles } from './role-book.ts';
