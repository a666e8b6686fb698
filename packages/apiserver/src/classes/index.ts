// What classes of storage, ingress and runtime make of objects.
export { claimSizes, defaultIngressClass, defaultStorageClass, runtimeClasses } from './admission.ts';
