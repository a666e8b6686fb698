import { defaultPriority, protection } from './admission-plugins.ts';
import {
  defaultCsiDriver,
  defaultPriorityClass,
  defaultResourceClaim,
  defaultResourceClaimTemplate,
  defaultStorageClass,
} from './builtin-platform-defaults.ts';
import { priorityClassIssues, runtimeClassIssues, storageClassIssues } from './class-rules.ts';
import { answersObject, type BuiltinKinds, beginStatus, emptyStatus, locked } from './row.ts';

/** Storage, devices, and where Pods may run. */
export const storageKinds: BuiltinKinds = {
  'node.k8s.io/RuntimeClass': { ...locked, createOnUpdate: true, validate: runtimeClassIssues },
  'resource.k8s.io/DeviceClass': { ...answersObject, generation: true },
  'resource.k8s.io/ResourceClaim': { ...answersObject, defaults: defaultResourceClaim, begin: emptyStatus },
  'resource.k8s.io/ResourceClaimTemplate': { ...answersObject, defaults: defaultResourceClaimTemplate },
  'resource.k8s.io/ResourceSlice': {
    ...answersObject,
    generation: true,
    selectableFields: ['spec.driver', 'spec.nodeName'],
  },
  // Its generation is 1 for ever.
  'scheduling.k8s.io/PriorityClass': {
    generation: true,
    bumpsGeneration: () => false,
    defaults: defaultPriorityClass,
    validate: priorityClassIssues,
    admission: [defaultPriority],
  },
  'storage.k8s.io/CSIDriver': { ...locked, ...answersObject, defaults: defaultCsiDriver },
  // It may have no drivers, though its schema asks for the list.
  'storage.k8s.io/CSINode': { ...locked, ...answersObject, ownValidation: true },
  'storage.k8s.io/CSIStorageCapacity': locked,
  'storage.k8s.io/StorageClass': { ...answersObject, defaults: defaultStorageClass, validate: storageClassIssues },
  'storage.k8s.io/VolumeAttachment': { ...locked, ...answersObject, begin: beginStatus(() => ({ attached: false })) },
  'storage.k8s.io/VolumeAttributesClass': { ...answersObject, admission: [protection('kubernetes.io/vac-protection')] },
};
