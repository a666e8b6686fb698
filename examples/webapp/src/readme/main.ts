import { controller, operator, requeueAfter } from 'kilter';
import { condition, customResource } from 'kilter/crd';
import { Deployment } from 'kilter/k8s/apps/v1';
import { z } from 'zod';
import { deploymentFor } from './deployment.ts';

export class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  spec: z.object({ image: z.string().min(1), replicas: z.int().min(0).max(100).default(1) }),
  status: z.object({ availableReplicas: z.int().optional() }),
  columns: [{ name: 'Ready', path: condition('Ready') }],
  scale: { spec: '.spec.replicas', status: '.status.availableReplicas' },
}) {}

const webapps = controller(WebApp)
  .owns(Deployment)
  .reconcile(async (app, ctx) => {
    const deployment = await ctx.apply(deploymentFor(app)); // server-side apply, owner reference set
    const available = deployment.status?.availableReplicas ?? 0;
    await ctx.status({
      availableReplicas: available,
      conditions: [{ type: 'Ready', status: available >= app.spec.replicas, reason: 'Rollout' }],
    });
    return requeueAfter('30s', 'poll the rollout');
  });

const webappOperator = operator({ name: 'webapp-operator', controllers: [webapps], leaderElection: true });
await webappOperator.run({ args: process.argv.slice(2) }); // --help lists its flags
