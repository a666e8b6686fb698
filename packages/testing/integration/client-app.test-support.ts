// A custom resource with status and scale, and a cluster to try the client's verbs on.
import { customResource } from 'kilter/crd';
import { virtualRuntime } from 'kilter/runtime';
import { z } from 'zod';
import { type EmbeddedCluster, cluster } from '../src/cluster/index.ts';

export class App extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'App',
  spec: z.object({
    image: z.string(),
    replicas: z.int().min(0).max(100).default(1),
    note: z.string().optional(),
    weight: z.int().nullable().optional(),
    box: z.object({ lid: z.string().nullable() }).optional(),
  }),
  status: z.object({ availableReplicas: z.int().optional(), note: z.string().optional() }),
  scale: { spec: '.spec.replicas', status: '.status.availableReplicas' },
}) {}

/** Without a status subresource. */
export class Plain extends customResource({
  group: 'example.com',
  version: 'v1',
  kind: 'Plain',
  spec: z.object({ note: z.string().optional() }),
}) {}

export const app = (name: string, labels: Record<string, string> = {}): App =>
  App.build({ name, namespace: 'default', labels, spec: { image: 'nginx:1.27', note: 'mine' } });

export const appCluster = (): Promise<EmbeddedCluster> => cluster({ kinds: [App, Plain], runtime: virtualRuntime() });

export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );
