import type { JsonObject } from 'kilter/api';
import { fill, objectIfIn, objectIn, objectsIn, textIn } from '../values/index.ts';
import { countedAmounts, defaultPodResources } from './pod-level-resources.ts';

const hostPart = '[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?';
const host = String.raw`(?:${hostPart}(?:\.${hostPart})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const pathPart = '[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*';
const digest = '[A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}';
/** The name of an image, its tag and its digest. */
const reference = new RegExp(
  String.raw`^((?:${host}/)?${pathPart}(?:/${pathPart})*)(?::(\w[\w.-]{0,127}))?(?:@(${digest}))?$`,
);
/** To the server that is the number of one, and not its name. */
const identifier = /^[a-f0-9]{64}$/;
const longestName = 255;
/** With the longest tag and digest there are. */
const longestImage = 600;

/** `latest`, said or implied, is pulled again each time; a digest pins the image, and a text that is not an image is not pulled again either. */
function pullPolicy(image: string): string {
  const named = image.length <= longestImage && !identifier.test(image);
  const [, name = '', tag, pinned] = (named ? reference.exec(image) : null) ?? [];
  if (name === '' || name.length > longestName) return 'IfNotPresent';
  return tag === 'latest' || (tag === undefined && pinned === undefined) ? 'Always' : 'IfNotPresent';
}

function defaultHttpGet(handler: JsonObject | undefined): void {
  const get = handler && objectIfIn(handler, 'httpGet');
  if (get !== undefined) fill(get, { path: '/', scheme: 'HTTP' });
}

function defaultProbe(probe: JsonObject): void {
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  const grpc = objectIfIn(probe, 'grpc');
  if (grpc !== undefined && grpc['service'] === undefined) grpc['service'] = '';
  defaultHttpGet(probe);
}

function defaultContainer(container: JsonObject): void {
  fill(container, {
    imagePullPolicy: pullPolicy(textIn(container, 'image')),
    resources: {},
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  });
  for (const port of objectsIn(container, 'ports')) fill(port, { protocol: 'TCP' });
  for (const variable of objectsIn(container, 'env')) {
    const source = objectIfIn(variable, 'valueFrom');
    const field = source && objectIfIn(source, 'fieldRef');
    if (field !== undefined) fill(field, { apiVersion: 'v1' });
    const file = source && objectIfIn(source, 'fileKeyRef');
    if (file !== undefined && file['optional'] === undefined) file['optional'] = false;
  }
  for (const name of ['livenessProbe', 'readinessProbe', 'startupProbe']) {
    const probe = objectIfIn(container, name);
    if (probe !== undefined) defaultProbe(probe);
  }
  const lifecycle = objectIfIn(container, 'lifecycle') ?? {};
  for (const hook of ['postStart', 'preStop']) defaultHttpGet(objectIfIn(lifecycle, hook));
}

// Octal 0644, as every volume made of files has it.
const fileMode = 420;

function defaultDownward(owner: JsonObject): void {
  for (const item of objectsIn(owner, 'items')) {
    const field = objectIfIn(item, 'fieldRef');
    if (field !== undefined) fill(field, { apiVersion: 'v1' });
  }
}

function defaultProjected(projected: JsonObject): void {
  fill(projected, { defaultMode: fileMode });
  for (const source of objectsIn(projected, 'sources')) {
    const token = objectIfIn(source, 'serviceAccountToken');
    if (token !== undefined) fill(token, { expirationSeconds: 3600 });
    defaultDownward(objectIfIn(source, 'downwardAPI') ?? {});
  }
}

/** What the sources of old drivers are unless somebody says otherwise. */
const ofSources: Readonly<Record<string, JsonObject>> = {
  iscsi: { iscsiInterface: 'default' },
  rbd: { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' },
  azureDisk: { cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false },
  scaleIO: { storageMode: 'ThinProvisioned', fsType: 'xfs' },
};

function defaultVolume(volume: JsonObject): void {
  for (const [name, defaults] of Object.entries(ofSources)) {
    const source = objectIfIn(volume, name);
    if (source !== undefined) fill(source, defaults);
  }
  if (Object.keys(volume).every((field) => field === 'name')) volume['emptyDir'] = {};
  for (const source of ['secret', 'configMap', 'downwardAPI']) {
    const files = objectIfIn(volume, source);
    if (files !== undefined) fill(files, { defaultMode: fileMode });
  }
  defaultDownward(objectIfIn(volume, 'downwardAPI') ?? {});
  const projected = objectIfIn(volume, 'projected');
  if (projected !== undefined) defaultProjected(projected);
  const claim = objectIfIn(objectIfIn(volume, 'ephemeral') ?? {}, 'volumeClaimTemplate');
  if (claim !== undefined) fill(objectIn(claim, 'spec'), { volumeMode: 'Filesystem' });
  const hostPath = objectIfIn(volume, 'hostPath');
  if (hostPath !== undefined && hostPath['type'] === undefined) hostPath['type'] = '';
}

/** What every pod spec gets, in pods and in templates. */
export function defaultPodSpec(spec: JsonObject): void {
  fill(spec, {
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
    terminationGracePeriodSeconds: 30,
  });
  const account = textIn(spec, 'serviceAccountName') || textIn(spec, 'serviceAccount');
  if (account !== '') Object.assign(spec, { serviceAccountName: account, serviceAccount: account });
  for (const list of ['initContainers', 'containers', 'ephemeralContainers']) {
    objectsIn(spec, list).forEach(defaultContainer);
  }
  objectsIn(spec, 'volumes').forEach(defaultVolume);
}

export function defaultPodTemplate(owner: JsonObject): void {
  defaultPodSpec(objectIn(objectIn(owner, 'template'), 'spec'));
}

/** Pods alone, not templates, take requests from limits. */
function requestLimits(container: JsonObject): void {
  const resources = objectIn(container, 'resources');
  const limits = objectIfIn(resources, 'limits');
  if (limits !== undefined) fill(objectIn(resources, 'requests'), { ...limits });
}

/** Every container names cpu and memory with equal request and limit, some container asks for something, or none does. */
export function qosClass(spec: JsonObject): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const amounts = countedAmounts(spec);
  const counted = ['cpu', 'memory'];
  const asks = amounts.some(({ requests, limits }) => counted.some((name) => name in requests || name in limits));
  if (!asks) return 'BestEffort';
  const guaranteed = amounts.every(({ requests, limits }) =>
    counted.every((name) => limits[name] !== undefined && requests[name] === limits[name]),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

export function defaultPod(pod: JsonObject): void {
  const spec = objectIn(pod, 'spec');
  defaultPodSpec(spec);
  fill(spec, { enableServiceLinks: true });
  const containers = ['initContainers', 'containers'].flatMap((list) => objectsIn(spec, list));
  containers.forEach(requestLimits);
  defaultPodResources(spec);
  if (spec['hostNetwork'] !== true) return;
  for (const port of containers.flatMap((container) => objectsIn(container, 'ports'))) {
    if (!port['hostPort'] && port['containerPort'] !== undefined) port['hostPort'] = port['containerPort'];
  }
}
