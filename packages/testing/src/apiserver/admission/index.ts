// Admission: what may not be written although it is well-formed. Pure decisions; webhooks and policies are not served yet.
export { namespaceLifecycle, namespaceProtection, type NamespaceState, type Refusal } from './namespace-lifecycle.ts';
