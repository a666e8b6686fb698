import type { Json, JsonObject } from 'kilter/api';
import { fill, objectIfIn, objectIn, objectsIn, sameValue, textIn } from '../values/index.ts';
import { defaultPodTemplate } from './builtin-pod-defaults.ts';

export function defaultDeployment(deployment: JsonObject): void {
  const spec = objectIn(deployment, 'spec');
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  const strategy = objectIn(spec, 'strategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') {
    fill(objectIn(strategy, 'rollingUpdate'), { maxUnavailable: '25%', maxSurge: '25%' });
  }
  defaultPodTemplate(spec);
}

export function defaultReplicaSet(replicaSet: JsonObject): void {
  const spec = objectIn(replicaSet, 'spec');
  fill(spec, { replicas: 1 });
  defaultPodTemplate(spec);
}

const templateCount = 'deprecated.daemonset.template.generation';

const countIn = (daemonSet: JsonObject): number =>
  Number(objectIfIn(objectIfIn(daemonSet, 'metadata') ?? {}, 'annotations')?.[templateCount] ?? 0);

/** How often the template of a DaemonSet changed, kept in an annotation since its field is gone. */
export function countTemplates(daemonSet: JsonObject, old?: JsonObject): void {
  const template = (one: JsonObject): Json => objectIfIn(one, 'spec')?.['template'] ?? {};
  const changed = old !== undefined && !sameValue(template(daemonSet), template(old));
  const count = old === undefined ? Math.max(countIn(daemonSet), 1) : countIn(old) + (changed ? 1 : 0);
  objectIn(objectIn(daemonSet, 'metadata'), 'annotations')[templateCount] = String(count);
}

export function defaultDaemonSet(daemonSet: JsonObject): void {
  fill(objectIn(objectIn(daemonSet, 'metadata'), 'annotations'), { [templateCount]: '0' });
  const spec = objectIn(daemonSet, 'spec');
  fill(spec, { revisionHistoryLimit: 10 });
  const strategy = objectIn(spec, 'updateStrategy');
  fill(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') {
    fill(objectIn(strategy, 'rollingUpdate'), { maxUnavailable: 1, maxSurge: 0 });
  }
  defaultPodTemplate(spec);
}

export function defaultStatefulSet(statefulSet: JsonObject): void {
  const spec = objectIn(statefulSet, 'spec');
  fill(spec, { podManagementPolicy: 'OrderedReady', replicas: 1, revisionHistoryLimit: 10 });
  fill(objectIn(spec, 'persistentVolumeClaimRetentionPolicy'), { whenDeleted: 'Retain', whenScaled: 'Retain' });
  const strategy = objectIn(spec, 'updateStrategy');
  if (textIn(strategy, 'type') === '') fill(strategy, { type: 'RollingUpdate', rollingUpdate: {} });
  const rolling = objectIfIn(strategy, 'rollingUpdate');
  if (strategy['type'] === 'RollingUpdate' && rolling !== undefined) fill(rolling, { partition: 0 });
  for (const claim of objectsIn(spec, 'volumeClaimTemplates')) {
    fill(claim, { apiVersion: 'v1', kind: 'PersistentVolumeClaim' });
    defaultClaim(claim);
  }
  defaultPodTemplate(spec);
}

export function defaultClaim(claim: JsonObject): void {
  fill(objectIn(claim, 'spec'), { volumeMode: 'Filesystem' });
  fill(objectIn(claim, 'status'), { phase: 'Pending' });
}

function defaultJobSpec(spec: JsonObject): void {
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) spec['completions'] = 1;
  const perIndex = spec['backoffLimitPerIndex'] !== undefined;
  fill(spec, {
    parallelism: 1,
    backoffLimit: perIndex ? 2 ** 31 - 1 : 6,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  });
  defaultPodTemplate(spec);
}

export function defaultJob(job: JsonObject): void {
  const spec = objectIn(job, 'spec');
  defaultJobSpec(spec);
  const template = objectIfIn(spec, 'template') ?? {};
  const labels = objectIfIn(objectIfIn(template, 'metadata') ?? {}, 'labels');
  if (labels !== undefined) fill(objectIn(job, 'metadata'), { labels: { ...labels } });
}

/** The labels by which a job finds its pods, named after its uid unless the user selects by hand. */
export function selectJobPods(job: JsonObject): void {
  const metadata = objectIn(job, 'metadata');
  const spec = objectIn(job, 'spec');
  const uid = textIn(metadata, 'uid');
  if (spec['manualSelector'] === true || uid === '') return;
  const name = textIn(metadata, 'name');
  fill(objectIn(objectIn(objectIn(spec, 'template'), 'metadata'), 'labels'), {
    'job-name': name,
    'batch.kubernetes.io/job-name': name,
    'controller-uid': uid,
    'batch.kubernetes.io/controller-uid': uid,
  });
  fill(objectIn(objectIn(spec, 'selector'), 'matchLabels'), { 'batch.kubernetes.io/controller-uid': uid });
}

/** A job without labels of its own takes those of its template, which by now say whose pods they are. */
export function labelJob(job: JsonObject): void {
  const metadata = objectIn(job, 'metadata');
  const labels = objectIfIn(objectIn(objectIn(objectIn(job, 'spec'), 'template'), 'metadata'), 'labels');
  const own = Object.keys(objectIfIn(metadata, 'labels') ?? {});
  if (own.length === 0 && labels !== undefined) metadata['labels'] = { ...labels };
}

export function defaultCronJob(cronJob: JsonObject): void {
  const spec = objectIn(cronJob, 'spec');
  fill(spec, {
    concurrencyPolicy: 'Allow',
    suspend: false,
    successfulJobsHistoryLimit: 3,
    failedJobsHistoryLimit: 1,
  });
  defaultPodTemplate(objectIn(objectIn(spec, 'jobTemplate'), 'spec'));
}
