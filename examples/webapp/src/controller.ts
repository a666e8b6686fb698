import { controller, type Controller, requeueAfter } from 'kilter';
import { Deployment } from 'kilter/k8s/apps/v1';
import { Secret, Service } from 'kilter/k8s/core/v1';
import { deploymentFor, selectorOf, serviceFor } from './children.ts';
import { conditionsFor, conditionsOfDeletion, conditionsOfFailure, isReady, phaseOf } from './conditions.ts';
import type { Dns } from './dns.ts';
import { WebApp } from './webapp.ts';

export const webapps = ({ dns }: { dns: Dns }): Controller<WebApp> =>
  controller(WebApp, { backoff: { base: '1s', cap: '5m' } })
    .owns(Deployment)
    .owns(Service)
    .references(Secret, (app) => app.spec.tlsSecret)
    .concurrency(4)
    .cleanup('example.com/dns', async (app, ctx) => {
      await ctx.status({ conditions: conditionsOfDeletion });
      await dns.remove(app.metadata.name, { signal: ctx.signal });
    })
    .onError((error) => ({ conditions: conditionsOfFailure(error) }))
    .reconcile(async (app, ctx) => {
      const deployment = await ctx.apply(deploymentFor(app));
      await ctx.apply(serviceFor(app));
      await ctx.fence((signal) => dns.publish(app.metadata.name, { signal }));
      const phase = phaseOf(app, deployment);
      const { reason, message } = phase;
      const availableReplicas = deployment.status?.availableReplicas ?? 0;
      const conditions = conditionsFor(app, availableReplicas, phase);
      await ctx.status({ availableReplicas, selector: selectorOf(app), conditions });
      if (reason === 'Stuck') ctx.event('Warning', reason, message);
      if (reason === 'Available' && !isReady(app)) ctx.event('Normal', 'Ready', message);
      if (reason === 'Scaling' && isReady(app)) ctx.event('Normal', reason, message);
      return requeueAfter('30s', 'poll the rollout');
    });
