import { expect, test } from 'vitest';
import { ApiError, isMissingRule } from './api-error.ts';

const refused = (message: string): ApiError => {
  const status = { code: 403, reason: 'Forbidden', message, causes: [], retryAfterSeconds: undefined, details: {} };
  return new ApiError(status, { method: 'PATCH', path: '/x' });
};
const user = 'User "system:serviceaccount:ops:shop"';

test.each([
  [
    `deployments.apps "a" is forbidden: ${user} cannot patch resource "deployments" in API group "apps" in the namespace "shop"`,
    'grant this rule to the user in a Role in namespace shop, or a ClusterRole: - {apiGroups: ["apps"], resources: ["deployments"], verbs: ["patch"]}',
  ],
  [
    `nodes is forbidden: ${user} cannot list resource "nodes" in API group "" at the cluster scope: RBAC: clusterrole "x" not found`,
    'grant this rule to the user in a ClusterRole: - {apiGroups: [""], resources: ["nodes"], verbs: ["list"]}',
  ],
  [
    `apps.example.com "a" is forbidden: ${user} cannot patch resource "apps/status" in API group "example.com" in the namespace "b"`,
    'grant this rule to the user in a Role in namespace b, or a ClusterRole: - {apiGroups: ["example.com"], resources: ["apps/status"], verbs: ["patch"]}',
  ],
  [
    `forbidden: ${user} cannot get path "/metrics"`,
    'grant this rule to the user in a ClusterRole: - {nonResourceURLs: ["/metrics"], verbs: ["get"]}',
  ],
  [
    'configmaps "a" is forbidden: cannot set blockOwnerDeletion if an ownerReference refers to a resource you can\'t set finalizers on: , <nil>',
    'grant the verb update on the subresource finalizers of the owner, as operator.permissions() does',
  ],
  [
    'rolebindings.rbac.authorization.k8s.io "a" is forbidden: user "x" (groups=["y"]) is attempting to grant RBAC permissions not currently held:\n{APIGroups:[""], Resources:["pods"], Verbs:["get"]}',
    "whoever grants permissions must hold them, or have the verb bind (for bindings) or escalate (for roles) on the role: .writes(ClusterRole, { verbs: ['bind'], names: [role] })",
  ],
])('a refusal for want of rights says what to grant: %s', (message, cure) => {
  const error = refused(message);
  expect(error.cure).toBe(cure);
  expect(isMissingRule(error)).toBe(true);
});

test.each([
  'pods "a" is forbidden: exceeded quota: small, requested: pods=1, used: pods=1, limited: pods=1',
  'admission webhook "v.example.com" denied the request: no',
  '',
])('a refusal by somebody else asks for no rule: %s', (message) => {
  const error = refused(message);
  expect(error.cure).toContain('policy, quota, webhook');
  expect(isMissingRule(error)).toBe(false);
});
