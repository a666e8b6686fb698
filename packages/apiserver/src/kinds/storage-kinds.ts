import { defaultPriority } from './admission-plugins.ts';
import {
  defaultCsiDriver,
  defaultPriorityClass,
  defaultResourceClaim,
  defaultResourceClaimTemplate,
  defaultStorageClass,
} from './builtin-platform-defaults.ts';
import { type BuiltinKinds, beginStatus, emptyStatus, locked } from './row.ts';

/** Storage, devices, and where Pods may run. */
export const storageKinds: BuiltinKinds = {
  'node.k8s.io/RuntimeClass': { ...locked, createOnUpdate: true },
  'resource.k8s.io/DeviceClass': { generation: true },
  'resource.k8s.io/ResourceClaim': { defaults: defaultResourceClaim, begin: emptyStatus },
  'resource.k8s.io/ResourceClaimTemplate': { defaults: defaultResourceClaimTemplate },
  'resource.k8s.io/ResourceSlice': { generation: true, selectableFields: ['spec.driver', 'spec.nodeName'] },
  // Its generation is 1 for ever.
  'scheduling.k8s.io/PriorityClass': {
    generation: true,
    bumpsGeneration: () => false,
    defaults: defaultPriorityClass,
    admission: [defaultPriority],
  },
  'storage.k8s.io/CSIDriver': { ...locked, defaults: defaultCsiDriver },
  // It may have no drivers, though its schema asks for the list.
  'storage.k8s.io/CSINode': { ...locked, ownValidation: true },
  'storage.k8s.io/CSIStorageCapacity': locked,
  'storage.k8s.io/StorageClass': { defaults: defaultStorageClass },
  'storage.k8s.io/VolumeAttachment': { ...locked, begin: beginStatus(() => ({ attached: false })) },
  'storage.k8s.io/VolumeAttributesClass': {},
};
