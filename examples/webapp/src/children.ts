import { Deployment } from 'kilter/k8s/apps/v1';
import { Service } from 'kilter/k8s/core/v1';
import type { WebApp } from './webapp.ts';

const labelsOf = (app: WebApp): Record<string, string> => ({ 'app.kubernetes.io/name': app.metadata.name });

/** Its pods, as autoscalers ask for them. */
export const selectorOf = (app: WebApp): string => `app.kubernetes.io/name=${app.metadata.name}`;

export function deploymentFor(app: WebApp): Deployment {
  const { image, replicas, port, env, tlsSecret } = app.spec;
  const volume = tlsSecret === undefined ? {} : { volumes: [{ name: 'tls', secret: { secretName: tlsSecret } }] };
  const mount = tlsSecret === undefined ? {} : { volumeMounts: [{ name: 'tls', mountPath: '/tls', readOnly: true }] };
  return Deployment.build({
    name: app.metadata.name,
    labels: labelsOf(app),
    spec: {
      replicas,
      selector: { matchLabels: labelsOf(app) },
      template: {
        metadata: { labels: labelsOf(app) },
        spec: { containers: [{ name: 'app', image, env, ports: [{ containerPort: port }], ...mount }], ...volume },
      },
    },
  });
}

export function serviceFor(app: WebApp): Service {
  return Service.build({
    name: app.metadata.name,
    labels: labelsOf(app),
    spec: { selector: labelsOf(app), ports: [{ name: 'http', port: app.spec.port, targetPort: app.spec.port }] },
  });
}
