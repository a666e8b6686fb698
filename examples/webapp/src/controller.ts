import { controller, type Controller, requeueAfter } from 'kilter';
import { Deployment } from 'kilter/k8s/apps/v1';
import { ConfigMap, Secret, Service } from 'kilter/k8s/core/v1';
import { deploymentFor, serviceFor } from './children.ts';
import type { Dns } from './dns.ts';
import { WebApp } from './webapp.ts';

export const webapps = ({ dns }: { dns: Dns }): Controller<WebApp> =>
  controller(WebApp, { backoff: { base: '1s', cap: '5m' } })
    .owns(Deployment)
    .owns(Service)
    .references(Secret, (app) => app.spec.tlsSecret)
    .watches(ConfigMap, (config) => config.metadata.labels?.['example.com/webapp'])
    .concurrency(4)
    .cleanup('example.com/dns', async (app, ctx) => {
      await dns.remove(app.metadata.name, { signal: ctx.signal });
    })
    .onError((error) => ({
      conditions: [{ type: 'Ready', status: false, reason: 'Failed', message: String(error) }],
    }))
    .reconcile(async (app, ctx) => {
      const deployment = await ctx.apply(deploymentFor(app));
      await ctx.apply(serviceFor(app));
      await ctx.fence((signal) => dns.publish(app.metadata.name, { signal }));
      const available = deployment.status?.availableReplicas ?? 0;
      const ready = available >= app.spec.replicas;
      const wasReady =
        app.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
      await ctx.status({
        availableReplicas: available,
        conditions: [
          {
            type: 'Ready',
            status: ready,
            reason: ready ? 'Available' : 'Rollout',
            message: `${available} of ${app.spec.replicas} replicas are available`,
          },
        ],
      });
      if (ready && !wasReady) ctx.event('Normal', 'Ready', `all ${app.spec.replicas} replicas are available`);
      return requeueAfter('30s', 'poll the rollout');
    });
