// Ten custom resources with the same fields, each library's way.

const kinds = [
  'WebApp',
  'Database',
  'Queue',
  'Topic',
  'Bucket',
  'Tenant',
  'Backup',
  'Pipeline',
  'Gateway',
  'Dashboard',
];

/** The same spec and status in every library. */
const hand = (kind: string): string => `export interface ${kind}Spec {
  image: string;
  replicas?: number;
  port?: number;
  mode?: 'Fast' | 'Safe';
  env?: { name: string; value: string }[];
  limits?: Record<string, string>;
  storage?: { size: string; class?: string; keep?: boolean };
  tlsSecret?: string;
}
export interface ${kind}Status {
  availableReplicas?: number;
  phase?: string;
  observedGeneration?: number;
  conditions?: { type: string; status: string; reason: string; message: string; lastTransitionTime: string }[];
}`;

const use = (kind: string): string =>
  `export const replicasOf${kind} = (object: ${kind}): number => (object.spec.replicas ?? 1) - (object.status?.availableReplicas ?? 0);`;

const zodSchemas = `spec: z.object({
    image: z.string().min(1),
    replicas: z.int().min(0).max(100).default(1),
    port: z.int().min(1).max(65535).default(80),
    mode: z.enum(['Fast', 'Safe']).default('Safe'),
    env: z.array(z.object({ name: z.string(), value: z.string() })).default([]),
    limits: z.record(z.string(), z.string()).optional(),
    storage: z.object({ size: z.string(), class: z.string().optional(), keep: z.boolean().default(false) }).optional(),
    tlsSecret: z.string().optional(),
  }),
  status: z.object({ availableReplicas: z.int().optional(), phase: z.string().optional() }),`;

/** Types inferred from the schema that also checks objects at run time, for libraries that define no resources. */
const inferred = (kind: string): string => `export const schemasOf${kind} = {
  ${zodSchemas}
};
export type ${kind}Spec = z.infer<typeof schemasOf${kind}.spec>;
export type ${kind}Status = z.infer<typeof schemasOf${kind}.status>;
export const made${kind}Spec: ${kind}Spec = schemasOf${kind}.spec.parse({ image: 'nginx:1' });`;

const definition = (kind: string): string => `customResource({
  group: 'example.com',
  version: 'v1',
  kind: '${kind}',
  scope: 'Namespaced',
  ${zodSchemas}
})`;

const made = (kind: string): string =>
  `export const made${kind} = ${kind}.build({ name: 'x', namespace: 'default', spec: { image: 'nginx:1' } });`;

const kilterClass = (kind: string): string =>
  `export class ${kind} extends ${definition(kind)} {}\n${use(kind)}\n${made(kind)}`;

const kilterConst = (kind: string): string =>
  `export const ${kind} = ${definition(kind)};\nexport type ${kind} = typeof ${kind}.prototype;\n${use(kind)}\n${made(kind)}`;

type Spec = (kind: string) => { readonly types: string; readonly value: string };
const byHand: Spec = (kind) => ({ types: hand(kind), value: "{ image: 'nginx:1' }" });
const bySchema: Spec = (kind) => ({ types: inferred(kind), value: `made${kind}Spec` });

const clientNode =
  (specOf: Spec) =>
  (kind: string): string =>
    `${specOf(kind).types}
export interface ${kind} extends KubernetesObject {
  apiVersion: 'example.com/v1';
  kind: '${kind}';
  metadata: V1ObjectMeta;
  spec: ${kind}Spec;
  status?: ${kind}Status;
}
${use(kind)}
export const made${kind}: ${kind} = {
  apiVersion: 'example.com/v1',
  kind: '${kind}',
  metadata: { name: 'x', namespace: 'default' },
  spec: ${specOf(kind).value},
};`;

const models =
  (specOf: Spec) =>
  (kind: string): string =>
    `${specOf(kind).types}
export interface I${kind} extends TypeMeta {
  apiVersion: 'example.com/v1';
  kind: '${kind}';
  metadata?: IObjectMeta;
  spec: ${kind}Spec;
  status?: ${kind}Status;
}
export class ${kind} extends Model<I${kind}> implements I${kind} {
  declare apiVersion: 'example.com/v1';
  declare kind: '${kind}';
  declare metadata?: IObjectMeta;
  declare spec: ${kind}Spec;
  declare status?: ${kind}Status;
  static is = createTypeMetaGuard<I${kind}>(${kind} as unknown as TypeMeta);
}
${use(kind)}
export const made${kind} = new ${kind}({ metadata: { name: 'x', namespace: 'default' }, spec: ${specOf(kind).value} });`;

const zod = "import { z } from 'zod';";
const ours = `import { customResource } from 'kilter/crd';\n${zod}`;
const theirs = "import type { KubernetesObject, V1ObjectMeta } from '@kubernetes/client-node';";
const modelled = `import type { IObjectMeta } from '@kubernetes-models/apimachinery/apis/meta/v1/ObjectMeta';
import { createTypeMetaGuard, Model, type TypeMeta } from '@kubernetes-models/base';`;

const file = (head: string, each: (kind: string) => string): string => `${head}\n\n${kinds.map(each).join('\n\n')}\n`;

/** How the custom resources of a project are written. */
export const customResources = {
  none: { kilter: '', bare: '', 'client-node': '', models: '' },
  'by hand': {
    'client-node': file(theirs, clientNode(byHand)),
    models: file(modelled, models(byHand)),
  },
  'by schema': {
    'client-node': file(`${theirs}\n${zod}`, clientNode(bySchema)),
    models: file(`${modelled}\n${zod}`, models(bySchema)),
  },
  class: { kilter: file(ours, kilterClass) },
  const: { kilter: file(ours, kilterConst) },
} as const;

export const customCount: number = kinds.length;
