// How the operator is deployed: three replicas on three nodes, one of which always stays.
import { rbacManifests } from 'kilter';
import type { KubeObject } from 'kilter/api';
import { Deployment } from 'kilter/k8s/apps/v1';
import { PodDisruptionBudget } from 'kilter/k8s/policy/v1';
import type { AwsRegions } from '../aws.ts';
import { recyclerOperator } from '../operator.ts';

const name = 'kaws-operator';
const namespace = 'kube-system';
const labels = { 'app.kubernetes.io/name': name };

const probe = (path: string) => ({ httpGet: { path, port: 8081 } });

const container = {
  name: 'operator',
  image: 'registry.example/kaws-operator:0.1.0',
  ports: [
    { name: 'metrics', containerPort: 8080 },
    { name: 'probes', containerPort: 8081 },
  ],
  livenessProbe: probe('/healthz'),
  readinessProbe: probe('/readyz'),
  resources: { requests: { cpu: '100m', memory: '192Mi' }, limits: { memory: '768Mi' } },
  securityContext: {
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  },
};

/** No two on one node; it may itself stand on a group that is recycled, which then costs it one replica at a time. */
const affinity = {
  podAntiAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: [
      { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: labels } },
    ],
  },
};

const deployment = Deployment.build({
  name,
  namespace,
  labels,
  spec: {
    replicas: 3,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: {
        serviceAccountName: name,
        priorityClassName: 'system-cluster-critical',
        affinity,
        containers: [container],
        securityContext: { runAsNonRoot: true, runAsUser: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
      },
    },
  },
});

const budget = PodDisruptionBudget.build({
  name,
  namespace,
  labels,
  spec: { minAvailable: 1, selector: { matchLabels: labels } },
});

const nobody: AwsRegions = () => {
  throw new Error('manifests ask nothing of AWS');
};

/** What `manifests/operator.yaml` holds; its rights are those the code declares. */
export const operatorManifests = (): KubeObject[] => [
  ...rbacManifests(recyclerOperator({ aws: nobody }), { namespace }),
  deployment,
  budget,
];
