import { condition, customResource, listMap, rule } from 'kilter/crd';
import { z } from 'zod';

/** A web application: one image, some replicas, one port. The operator makes a Deployment and a Service of it. */
export class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  scope: 'Namespaced',
  shortNames: ['wa'],
  spec: z
    .object({
      image: z.string().min(1).describe('Container image to run.'),
      replicas: z.int().min(0).max(100).default(1).describe('How many pods to run.'),
      port: z.int().min(1).max(65535).default(80).describe('The port the application listens on.'),
      env: z
        .array(z.object({ name: z.string(), value: z.string() }))
        .meta(listMap('name'))
        .default([])
        .describe('Environment of the container.'),
      tlsSecret: z.string().optional().describe('Name of a Secret to mount at /tls.'),
    })
    .meta(rule('!self.image.endsWith(":latest")', 'pin the image tag')),
  status: z.object({ availableReplicas: z.int().optional() }),
  columns: [
    { name: 'Image', path: '.spec.image' },
    { name: 'Replicas', path: '.spec.replicas' },
    { name: 'Ready', path: condition('Ready') },
  ],
  scale: { spec: '.spec.replicas', status: '.status.availableReplicas' },
}) {}
