// The resource the guides speak of where they do not define one.
import { condition, customResource, listMap, rule } from 'kilter/crd';
import { z } from 'zod';

export class WebApp extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'WebApp',
  shortNames: ['wa'],
  spec: z
    .object({
      image: z.string().min(1).max(1024),
      replicas: z.int().min(0).max(100).default(1),
      port: z.int().min(1).max(65_535).default(80),
      env: z
        .array(z.object({ name: z.string(), value: z.string() }))
        .meta(listMap('name'))
        .default([]),
      tlsSecret: z.string().optional(),
    })
    .meta(rule('!self.image.endsWith(":latest")', 'pin the image tag')),
  status: z.object({ availableReplicas: z.int().optional(), node: z.string().optional() }),
  columns: [
    { name: 'Image', path: '.spec.image' },
    { name: 'Ready', path: condition('Ready') },
  ],
  scale: { spec: '.spec.replicas', status: '.status.availableReplicas' },
}) {}
