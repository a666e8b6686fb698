// Admission: what may not be written although it is well-formed, and what is added to it. Pure decisions; webhooks, policies and
// limits have rooms of their own.
export { namespaceLifecycle, namespaceProtection, type NamespaceState, type Refusal } from './namespace-lifecycle.ts';
export {
  type AskedPriority,
  podPriority,
  type PriorityClass,
  type PriorityDecision,
  secondDefaultClass,
  withEvictionTolerations,
  withNotReadyTaint,
} from './pod-admission.ts';
