import { isSame, metadataOf } from '../values/index.ts';
import { autoscalerIssues, oldAutoscalerIssues } from './autoscaler-rules.ts';
import { defaultAutoscaler, defaultOldAutoscaler, oldAutoscaler, storedAutoscaler } from './builtin-autoscaler.ts';
import {
  countTemplates,
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
  labelJob,
  selectJobPods,
} from './builtin-workload-defaults.ts';
import { templateWarnings } from './pod-warnings.ts';
import {
  type BuiltinKind,
  type BuiltinKinds,
  beginStatus,
  emptyStatus,
  orphansByDefault,
  statusKeeping,
} from './row.ts';
import { budgetIssues } from './budget-rules.ts';
import { cronJobIssues, jobIssues } from './job-rules.ts';
import { withStatusRules } from './replica-status-rules.ts';
import { revisionIssues, statefulSetIssues } from './stateful-set-rules.ts';
import { daemonSetIssues, deploymentIssues, workloadIssues } from './workload-rules.ts';

const noDaemons = {
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
} as const;
const noDisruptions = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 } as const;

const templatePods = ['spec', 'template', 'spec'];

const deployment: BuiltinKind = {
  pods: templatePods,
  generation: true,
  defaults: defaultDeployment,
  begin: emptyStatus,
  validate: withStatusRules(deploymentIssues),
  warnings: templateWarnings('spec.template', { named: true }),
  bumpsGeneration: (object, old) =>
    !isSame(object['spec'], old['spec']) || !isSame(metadataOf(object)['annotations'], metadataOf(old)['annotations']),
  prepareForStatusUpdate: statusKeeping('labels'),
};

const job: BuiltinKind = {
  pods: templatePods,
  generation: true,
  defaults: defaultJob,
  begin: (object) => {
    selectJobPods(object);
    labelJob(object);
    emptyStatus(object);
  },
  validate: jobIssues,
  warnings: templateWarnings('spec.template', { named: true }),
  selectableFields: ['status.successful'],
  deletion: {
    ...orphansByDefault,
    defaultWarning:
      'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning',
  },
};

export const workloadKinds: BuiltinKinds = {
  'apps/ControllerRevision': { validate: revisionIssues },
  'apps/DaemonSet': {
    pods: templatePods,
    generation: true,
    defaults: defaultDaemonSet,
    begin: (daemonSet) => {
      countTemplates(daemonSet);
      daemonSet['status'] = { ...noDaemons };
    },
    keep: countTemplates,
    validate: withStatusRules(daemonSetIssues),
    warnings: templateWarnings('spec.template'),
  },
  'apps/Deployment': deployment,
  'apps/ReplicaSet': {
    pods: templatePods,
    generation: true,
    defaults: defaultReplicaSet,
    begin: beginStatus(() => ({ replicas: 0 })),
    validate: withStatusRules(workloadIssues),
    warnings: templateWarnings('spec.template', { named: true }),
  },
  'apps/StatefulSet': {
    pods: templatePods,
    generation: true,
    nameRule: 'label',
    defaults: defaultStatefulSet,
    begin: beginStatus(() => ({ replicas: 0, availableReplicas: 0 })),
    validate: withStatusRules(statefulSetIssues),
    warnings: templateWarnings('spec.template'),
  },
  'autoscaling/v1/HorizontalPodAutoscaler': {
    defaults: defaultOldAutoscaler,
    begin: beginStatus(() => ({ currentReplicas: 0, desiredReplicas: 0 })),
    validate: oldAutoscalerIssues,
    storedAs: { group: 'autoscaling', version: 'v2' },
    secondForm: {
      bucket: 'autoscaling/horizontalpodautoscalers',
      fromStored: oldAutoscaler,
      toStored: storedAutoscaler,
    },
  },
  'autoscaling/v2/HorizontalPodAutoscaler': {
    defaults: defaultAutoscaler,
    begin: beginStatus(() => ({ desiredReplicas: 0 })),
    validate: autoscalerIssues,
  },
  'batch/CronJob': {
    pods: ['spec', 'jobTemplate', ...templatePods],
    generation: true,
    defaults: defaultCronJob,
    begin: emptyStatus,
    validate: cronJobIssues,
    warnings: templateWarnings('spec.jobTemplate.spec.template', { named: true }),
  },
  'batch/Job': job,
  'policy/PodDisruptionBudget': {
    validate: budgetIssues,
    generation: true,
    unconditionalUpdate: false,
    begin: beginStatus(() => ({ ...noDisruptions })),
  },
};
