import type { Json, JsonObject } from 'kilter/api';
import { autoscalerColumns } from './autoscaler-columns.ts';
import { column, type Column, flag, number, wide } from './column.ts';
import { eventColumns } from './event-columns.ts';
import {
  at,
  conditionStatus,
  count,
  fieldsOf,
  items,
  labelsText,
  orNone,
  selectorText,
  since,
  text,
} from './fields.ts';
import { jobColumns } from './job-columns.ts';
import { networkColumns } from './network-columns.ts';
import { platformColumns } from './platform-columns.ts';
import { podSummary } from './pod-summary.ts';
import { serviceColumns } from './service-columns.ts';
import { age, createdAt, name } from './standard-columns.ts';
import { storageColumns } from './storage-columns.ts';

const containerNames = (containers: readonly Json[], field: string): string =>
  containers.map((container) => text(container, field)).join(',');
const templateContainers = (object: JsonObject): Json[] => items(object, 'spec', 'template', 'spec', 'containers');

const cronContainers = (cron: JsonObject): Json[] =>
  items(cron, 'spec', 'jobTemplate', 'spec', 'template', 'spec', 'containers');

const containers = wide('Containers', (object) => containerNames(templateContainers(object), 'name'));
const images = wide('Images', (object) => containerNames(templateContainers(object), 'image'));
const selector = wide('Selector', (object) => selectorText(at(object, 'spec', 'selector')));

const readyOfDesired: Column = column('Ready', (object) => {
  const desired = at(object, 'spec', 'replicas') === undefined ? 1 : count(object, 'spec', 'replicas');
  return `${count(object, 'status', 'readyReplicas')}/${desired}`;
});

const podColumns: readonly Column[] = [
  name,
  column('Ready', (pod, now) => podSummary(pod, now).ready),
  column('Status', (pod, now) => podSummary(pod, now).status),
  column('Restarts', (pod, now) => podSummary(pod, now).restarts),
  age,
  wide('IP', (pod) => orNone(text(items(pod, 'status', 'podIPs')[0], 'ip') || text(pod, 'status', 'podIP'))),
  wide('Node', (pod) => orNone(text(pod, 'spec', 'nodeName'))),
  wide('Nominated Node', (pod) => orNone(text(pod, 'status', 'nominatedNodeName'))),
  wide('Readiness Gates', (pod) => {
    const gates = items(pod, 'spec', 'readinessGates').map((gate) => text(gate, 'conditionType'));
    const open = gates.filter((gate) => conditionStatus(pod, gate) === 'True');
    return gates.length === 0 ? '<none>' : `${open.length}/${gates.length}`;
  }),
];

function nodeStatus(node: JsonObject): string {
  const ready = conditionStatus(node, 'Ready');
  const word = ready === undefined ? 'Unknown' : ready === 'True' ? 'Ready' : 'NotReady';
  return at(node, 'spec', 'unschedulable') === true ? `${word},SchedulingDisabled` : word;
}

function nodeRoles(node: JsonObject): string {
  const prefix = 'node-role.kubernetes.io/';
  const labels = Object.keys(fieldsOf(node, 'metadata', 'labels'));
  const roles = labels.filter((label) => label.startsWith(prefix)).map((label) => label.slice(prefix.length));
  return orNone(roles.toSorted().join(','));
}

function nodeAddress(node: JsonObject, type: string): string {
  const found = items(node, 'status', 'addresses').find((address) => at(address, 'type') === type);
  return orNone(text(found, 'address'));
}

const nodeInfo = (node: JsonObject, field: string): string => text(node, 'status', 'nodeInfo', field) || '<unknown>';

const nodeColumns: readonly Column[] = [
  name,
  column('Status', nodeStatus),
  column('Roles', nodeRoles),
  age,
  column('Version', (node) => text(node, 'status', 'nodeInfo', 'kubeletVersion')),
  wide('Internal-IP', (node) => nodeAddress(node, 'InternalIP')),
  wide('External-IP', (node) => nodeAddress(node, 'ExternalIP')),
  wide('OS-Image', (node) => nodeInfo(node, 'osImage')),
  wide('Kernel-Version', (node) => nodeInfo(node, 'kernelVersion')),
  wide('Container-Runtime', (node) => nodeInfo(node, 'containerRuntimeVersion')),
];

const dataEntries = (object: JsonObject): number =>
  Object.keys(fieldsOf(object, 'data')).length + Object.keys(fieldsOf(object, 'binaryData')).length;

const cronColumns: readonly Column[] = [
  name,
  column('Schedule', (cron) => text(cron, 'spec', 'schedule')),
  column('Timezone', (cron) => orNone(text(cron, 'spec', 'timeZone'))),
  flag('Suspend', (cron) => {
    const suspend = at(cron, 'spec', 'suspend');
    return typeof suspend === 'boolean' ? (suspend ? 'True' : 'False') : '<unset>';
  }),
  number('Active', (cron) => items(cron, 'status', 'active').length),
  column('Last Schedule', (cron, now) => {
    const last = text(cron, 'status', 'lastScheduleTime');
    return last === '' ? '<none>' : since(last, now);
  }),
  age,
  wide('Containers', (cron) => containerNames(cronContainers(cron), 'name')),
  wide('Images', (cron) => containerNames(cronContainers(cron), 'image')),
  wide('Selector', (cron) => selectorText(at(cron, 'spec', 'jobTemplate', 'spec', 'selector'))),
];

const replicaColumns: readonly Column[] = [
  name,
  number('Desired', (set) => count(set, 'spec', 'replicas')),
  number('Current', (set) => count(set, 'status', 'replicas')),
  number('Ready', (set) => count(set, 'status', 'readyReplicas')),
  age,
  containers,
  images,
];

/** The columns of built-in kinds that have their own; the rest have Name and Created At. */
const builtin: Readonly<Record<string, readonly Column[]>> = {
  ...networkColumns,
  ...platformColumns,
  ...storageColumns,
  '/ConfigMap': [name, column('Data', dataEntries), age],
  '/Event': eventColumns({ object: 'involvedObject', message: 'message', reporter: 'reportingComponent' }),
  '/Namespace': [name, column('Status', (object) => text(object, 'status', 'phase')), age],
  '/Node': nodeColumns,
  '/Pod': podColumns,
  '/PodTemplate': [
    name,
    column('Containers', (object) => containerNames(items(object, 'template', 'spec', 'containers'), 'name')),
    column('Images', (object) => containerNames(items(object, 'template', 'spec', 'containers'), 'image')),
    column('Pod Labels', (object) => labelsText(fieldsOf(object, 'template', 'metadata', 'labels'))),
  ],
  '/ReplicationController': [
    ...replicaColumns,
    wide('Selector', (controller) => labelsText(fieldsOf(controller, 'spec', 'selector'))),
  ],
  '/Secret': [name, column('Type', (secret) => text(secret, 'type')), column('Data', dataEntries), age],
  '/Service': serviceColumns(name, age),
  'apps/DaemonSet': [
    name,
    number('Desired', (set) => count(set, 'status', 'desiredNumberScheduled')),
    number('Current', (set) => count(set, 'status', 'currentNumberScheduled')),
    number('Ready', (set) => count(set, 'status', 'numberReady')),
    number('Up-to-date', (set) => count(set, 'status', 'updatedNumberScheduled')),
    number('Available', (set) => count(set, 'status', 'numberAvailable')),
    column('Node Selector', (set) => labelsText(fieldsOf(set, 'spec', 'template', 'spec', 'nodeSelector'))),
    age,
    containers,
    images,
    selector,
  ],
  'apps/Deployment': [
    name,
    readyOfDesired,
    column('Up-to-date', (deployment) => count(deployment, 'status', 'updatedReplicas')),
    column('Available', (deployment) => count(deployment, 'status', 'availableReplicas')),
    age,
    containers,
    images,
    selector,
  ],
  'apps/ReplicaSet': [...replicaColumns, selector],
  'apps/StatefulSet': [name, readyOfDesired, age, containers, images],
  'autoscaling/HorizontalPodAutoscaler': autoscalerColumns,
  'batch/CronJob': cronColumns,
  'batch/Job': [name, ...jobColumns, age, containers, images, selector],
  'events.k8s.io/Event': eventColumns({ object: 'regarding', message: 'note', reporter: 'reportingController' }),
};

export function builtinColumns(group: string, kind: string): readonly Column[] {
  return builtin[`${group}/${kind}`] ?? [name, createdAt];
}

export { name as nameColumn };
