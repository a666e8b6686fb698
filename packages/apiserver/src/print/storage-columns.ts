import type { Json, JsonObject } from 'kilter/api';
import { column, type Column, flag, number, wide } from './column.ts';
import { at, items, orNone, text } from './fields.ts';
import { age, defaultableName, name } from './standard-columns.ts';

const unset = (found: string): string => (found === '' ? '<unset>' : found);

/** The short names of access modes, in the order people list them. */
const modes = [
  ['ReadWriteOnce', 'RWO'],
  ['ReadOnlyMany', 'ROX'],
  ['ReadWriteMany', 'RWX'],
  ['ReadWriteOncePod', 'RWOP'],
] as const;

function accessModes(found: readonly Json[]): string {
  return modes
    .filter(([mode]) => found.includes(mode))
    .map(([, short]) => short)
    .join(',');
}

const phase = (object: JsonObject): string =>
  at(object, 'metadata', 'deletionTimestamp') === undefined ? text(object, 'status', 'phase') : 'Terminating';

/** The class, which an old annotation may name as well. */
const storageClass = (object: JsonObject): string =>
  text(object, 'metadata', 'annotations', 'volume.beta.kubernetes.io/storage-class') ||
  text(object, 'spec', 'storageClassName');

const isBound = (claim: JsonObject): boolean => text(claim, 'spec', 'volumeName') !== '';

function claimOf(volume: JsonObject): string {
  const claim = at(volume, 'spec', 'claimRef');
  return claim === undefined || claim === null ? '' : `${text(claim, 'namespace')}/${text(claim, 'name')}`;
}

const attributesClass = column('VolumeAttributesClass', (object) =>
  unset(text(object, 'spec', 'volumeAttributesClassName')),
);
const volumeMode = wide('VolumeMode', (object) => unset(text(object, 'spec', 'volumeMode')));

function audiences(driver: JsonObject): string {
  const requests = at(driver, 'spec', 'tokenRequests');
  return Array.isArray(requests) ? requests.map((one) => text(one, 'audience')).join(',') : '<unset>';
}

export const storageColumns: Readonly<Record<string, readonly Column[]>> = {
  '/PersistentVolume': [
    name,
    column('Capacity', (volume) => text(volume, 'spec', 'capacity', 'storage') || '0'),
    column('Access Modes', (volume) => accessModes(items(volume, 'spec', 'accessModes'))),
    column('Reclaim Policy', (volume) => text(volume, 'spec', 'persistentVolumeReclaimPolicy')),
    column('Status', phase),
    column('Claim', claimOf),
    column('StorageClass', storageClass),
    attributesClass,
    column('Reason', (volume) => text(volume, 'status', 'reason')),
    age,
    volumeMode,
  ],
  '/PersistentVolumeClaim': [
    name,
    column('Status', phase),
    column('Volume', (claim) => text(claim, 'spec', 'volumeName')),
    column('Capacity', (claim) => (isBound(claim) ? text(claim, 'status', 'capacity', 'storage') || '0' : '')),
    column('Access Modes', (claim) => (isBound(claim) ? accessModes(items(claim, 'status', 'accessModes')) : '')),
    column('StorageClass', storageClass),
    attributesClass,
    age,
    volumeMode,
  ],
  'storage.k8s.io/CSIDriver': [
    name,
    flag('AttachRequired', (driver) => at(driver, 'spec', 'attachRequired') !== false),
    flag('PodInfoOnMount', (driver) => at(driver, 'spec', 'podInfoOnMount') === true),
    flag('StorageCapacity', (driver) => at(driver, 'spec', 'storageCapacity') === true),
    column('TokenRequests', audiences),
    flag('RequiresRepublish', (driver) => at(driver, 'spec', 'requiresRepublish') === true),
    column('Modes', (driver) =>
      orNone(
        items(driver, 'spec', 'volumeLifecycleModes')
          .map((mode) => text(mode))
          .join(','),
      ),
    ),
    age,
  ],
  'storage.k8s.io/CSINode': [name, number('Drivers', (node) => items(node, 'spec', 'drivers').length), age],
  'storage.k8s.io/StorageClass': [
    defaultableName('storageclass.kubernetes.io/is-default-class', 'storageclass.beta.kubernetes.io/is-default-class'),
    column('Provisioner', (object) => text(object, 'provisioner')),
    column('ReclaimPolicy', (object) => text(object, 'reclaimPolicy') || 'Delete'),
    column('VolumeBindingMode', (object) => text(object, 'volumeBindingMode') || 'Immediate'),
    column('AllowVolumeExpansion', (object) => at(object, 'allowVolumeExpansion') === true),
    age,
  ],
  'storage.k8s.io/VolumeAttachment': [
    name,
    column('Attacher', (attachment) => text(attachment, 'spec', 'attacher'), { format: 'name' }),
    column('PV', (attachment) => text(attachment, 'spec', 'source', 'persistentVolumeName')),
    column('Node', (attachment) => text(attachment, 'spec', 'nodeName')),
    flag('Attached', (attachment) => at(attachment, 'status', 'attached') === true),
    age,
  ],
  'storage.k8s.io/VolumeAttributesClass': [name, column('DriverName', (object) => text(object, 'driverName')), age],
};
