// What the code in README.md leaves out.
import { Deployment } from 'kilter/k8s/apps/v1';

export function deploymentFor(app: {
  metadata: { name: string };
  spec: { image: string; replicas: number };
}): Deployment {
  const labels = { app: app.metadata.name };
  return Deployment.build({
    name: app.metadata.name,
    spec: {
      replicas: app.spec.replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'app', image: app.spec.image }] } },
    },
  });
}
