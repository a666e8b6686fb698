import { rbacManifests } from 'kilter';
import type { KubeObject } from 'kilter/api';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Namespace, Service } from 'kilter/k8s/core/v1';
import { PodDisruptionBudget } from 'kilter/k8s/policy/v1';
import { memoryDns } from './dns.ts';
import { webappOperator } from './operator.ts';
import { WebApp } from './webapp.ts';

export interface Shipping {
  readonly namespace: string;
  readonly image: string;
}

const operator = webappOperator({ dns: memoryDns() });
const labels = { 'app.kubernetes.io/name': operator.name };
// The name the operator registers its webhooks under by default.
const serviceName = `${operator.name}-webhook`;

function container(image: string) {
  return {
    name: 'operator',
    image,
    args: ['--health-probe-bind-address=:8081'],
    ports: [
      { name: 'webhooks', containerPort: 9443 },
      { name: 'metrics', containerPort: 8080 },
      { name: 'probes', containerPort: 8081 },
    ],
    env: [{ name: 'POD_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }],
    livenessProbe: { httpGet: { path: '/healthz', port: 'probes' }, periodSeconds: 20 },
    readinessProbe: { httpGet: { path: '/readyz', port: 'probes' }, periodSeconds: 10 },
    resources: { requests: { cpu: '50m', memory: '128Mi' }, limits: { memory: '512Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      seccompProfile: { type: 'RuntimeDefault' },
    },
  };
}

/** Three replicas: one leads, all of them serve webhooks. */
const deployment = ({ namespace, image }: Shipping): Deployment =>
  Deployment.build({
    name: operator.name,
    namespace,
    labels,
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: operator.name, containers: [container(image)] },
      },
    },
  });

/** A replica is ready when it has read its objects, and to read them they may have to be converted: by itself. */
const service = ({ namespace }: Shipping): Service =>
  Service.build({
    name: serviceName,
    namespace,
    labels,
    spec: {
      publishNotReadyAddresses: true,
      selector: labels,
      ports: [{ name: 'webhooks', port: 443, targetPort: 'webhooks' }],
    },
  });

/**
 * Everything a cluster needs to run this operator. The webhook configurations and their certificates are not among it: the operator makes
 * and renews them itself.
 */
export function shippingManifests(shipping: Shipping): KubeObject[] {
  const { namespace } = shipping;
  return [
    Namespace.build({ name: namespace }),
    WebApp.manifest({ conversion: { service: { name: serviceName, namespace } } }),
    ...rbacManifests(operator, { namespace }),
    service(shipping),
    deployment(shipping),
    PodDisruptionBudget.build({
      name: operator.name,
      namespace,
      spec: { maxUnavailable: 1, selector: { matchLabels: labels } },
    }),
  ];
}
