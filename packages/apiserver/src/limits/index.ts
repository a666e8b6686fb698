// What a namespace may use: LimitRange and ResourceQuota.
export { limitRanges, resourceQuotas } from './admission.ts';
export { measureOf } from './measures.ts';
export { recounted } from './quota.ts';
