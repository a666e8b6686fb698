import { added, condition, customResource, listMap, renamed, rule } from 'kilter/crd';
import { z } from 'zod';

const columns = [
  { name: 'Image', path: '.spec.image' },
  { name: 'Replicas', path: '.spec.replicas' },
  { name: 'Ready', path: condition('Ready') },
  { name: 'Reason', path: '.status.conditions[?(@.type=="Ready")].reason', priority: 1 },
] as const;
const scale = { spec: '.spec.replicas', status: '.status.availableReplicas', selector: '.status.selector' } as const;

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
      port: z
        .int()
        .min(1)
        .max(65535)
        .default(80)
        .meta(renamed('v1', 'containerPort'))
        .describe('The port the application listens on.'),
      env: z
        .array(z.object({ name: z.string(), value: z.string() }))
        .meta({ ...listMap('name'), ...added('v1beta1') })
        .default([])
        .describe('Environment of the container.'),
      tlsSecret: z.string().optional().meta(added('v1')).describe('Name of a Secret to mount at /tls.'),
    })
    .meta(rule('!self.image.endsWith(":latest")', 'pin the image tag', { fieldPath: '.image' })),
  status: z.object({ availableReplicas: z.int().optional(), selector: z.string().optional() }),
  columns,
  scale,
  versions: {
    // The port was called containerPort, and there was no tlsSecret: said on the fields above.
    v1beta1: { columns, scale },
    // The number of replicas was a text: converted by hand, below.
    v1alpha1: {
      spec: z.object({
        image: z.string().min(1),
        count: z
          .string()
          .regex(/^[0-9]{1,3}$/)
          .default('1'),
      }),
      columns: [
        { name: 'Image', path: '.spec.image' },
        { name: 'Count', path: '.spec.count' },
      ],
      deprecated: 'example.com/v1alpha1 WebApp is deprecated; use example.com/v1',
    },
  },
}).converts({
  v1alpha1: {
    up: ({ image, count }) => ({ image, replicas: Number(count ?? 1) }),
    down: ({ image, replicas }) => ({ image, count: String(replicas ?? 1) }),
  },
}) {}
