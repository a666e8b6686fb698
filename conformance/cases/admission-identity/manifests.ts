// Webhook configurations, policies and roles as the cases of this section need them.
import type { HookScript, Json, Step } from '../../src/case.ts';
import { configMap, configMaps, post } from '../../src/steps.ts';

export const admission = '/apis/admissionregistration.k8s.io/v1';
export const rbac = '/apis/rbac.authorization.k8s.io/v1';

type Fields = { readonly [key: string]: Json };

/** Only what happens in the namespace of the case is sent to its webhooks. */
export const here: Json = { matchLabels: { 'kubernetes.io/metadata.name': '{{ns}}' } };

/** A webhook at {{hooks}}/<hook>, for writes of ConfigMaps in {{ns}} unless told otherwise. */
export const webhook = (hook: string, more: Fields = {}): Fields => ({
  name: `${hook}.example.com`,
  clientConfig: { url: `{{hooks}}/${hook}`, caBundle: '{{hooksCA}}' },
  rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['*'] }],
  namespaceSelector: here,
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  ...more,
});

type Sort = 'Validating' | 'Mutating';

const configuration = (sort: Sort, name: string, webhooks: readonly Fields[]): Json => ({
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: `${sort}WebhookConfiguration`,
  metadata: { name: `{{id}}-${name}` },
  webhooks,
});

export const validating = (name: string, webhooks: readonly Fields[], setup = true): Step =>
  post(name, `${admission}/validatingwebhookconfigurations`, configuration('Validating', name, webhooks), { setup });
export const mutating = (name: string, webhooks: readonly Fields[], setup = true): Step =>
  post(name, `${admission}/mutatingwebhookconfigurations`, configuration('Mutating', name, webhooks), { setup });

/** Asks, without storing anything, until a webhook shows its effect: a new configuration takes the server a moment. */
export const probe = (name: string, until: { at: string; is: Json } | { at: string; matches: string }): Step =>
  post(name, `${configMaps}?dryRun=All`, configMap('probe'), {
    until,
    mask: ['body', 'headers'],
    because: 'only waits until the webhook is at work',
  });

const review = (response: Fields): HookScript => ({
  respond: {
    json: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response: { uid: '{{uid}}', ...response } },
  },
});

export const allow = (more: Fields = {}): HookScript => review({ allowed: true, ...more });
export const deny = (status: Fields = { code: 403, message: 'no way' }): HookScript =>
  review({ allowed: false, status });
export const patching = (patch: readonly Json[], more: Fields = {}): HookScript =>
  allow({ patchType: 'JSONPatch', patch: Buffer.from(JSON.stringify(patch)).toString('base64'), ...more });

export const role = (name: string, rules: Json): Json => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'Role',
  metadata: { name, namespace: '{{ns}}' },
  rules,
});

export const clusterRole = (name: string, more: Fields): Json => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name: `{{id}}-${name}` },
  ...more,
});

const alice: Json = { kind: 'User', name: 'alice', apiGroup: 'rbac.authorization.k8s.io' };

export const bind = (
  name: string,
  to: { kind: 'Role' | 'ClusterRole'; name: string },
  subject: Json = alice,
): Json => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'RoleBinding',
  metadata: { name, namespace: '{{ns}}' },
  subjects: [subject],
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', ...to },
});

export const bindEverywhere = (name: string, to: string, subject: Json = alice): Json => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRoleBinding',
  metadata: { name: `{{id}}-${name}` },
  subjects: [subject],
  roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: `{{id}}-${to}` },
});

export const roles = `${rbac}/namespaces/{{ns}}/roles`;
export const roleBindings = `${rbac}/namespaces/{{ns}}/rolebindings`;
