// The rooms and arrows of ARCHITECTURE.md as data: the lint rule, the test of that page and commit scopes read this.

export interface House {
  /** The folder whose sub-folders are the rooms. */
  readonly root: string;
  /** Packages of this workspace that every room of the house may import. */
  readonly packages: readonly string[];
  /** Each room with the rooms it may use, through their index.ts; '*' for all. */
  readonly rooms: Readonly<Record<string, readonly string[]>>;
  /** Rooms entered by their files instead of an index.ts: importing one of them must not load the others. */
  readonly withoutDoor: readonly string[];
}

export const houses: readonly House[] = [
  {
    root: 'packages/kilter/src',
    packages: [],
    withoutDoor: ['kind', 'k8s'],
    rooms: {
      internal: [],
      bytes: [],
      kind: [],
      errors: ['internal'],
      api: ['errors', 'internal', 'kind'],
      certificates: ['errors', 'internal'],
      telemetry: ['internal'],
      k8s: ['api', 'kind'],
      crd: ['api', 'errors', 'internal', 'k8s'],
      config: ['errors', 'internal'],
      transport: ['api', 'config', 'errors', 'internal', 'telemetry'],
      client: ['api', 'bytes', 'errors', 'internal', 'k8s', 'telemetry', 'transport'],
      cache: ['api', 'bytes', 'client', 'errors', 'internal', 'telemetry'],
      queue: ['api', 'errors', 'internal', 'telemetry'],
      recorder: ['api', 'client', 'errors', 'internal', 'k8s', 'telemetry'],
      election: ['api', 'client', 'errors', 'internal', 'k8s', 'recorder', 'telemetry'],
      reconcile: ['api', 'cache', 'client', 'errors', 'internal', 'recorder', 'telemetry'],
      trigger: ['api', 'cache', 'errors', 'internal', 'queue', 'telemetry'],
      controller: [
        'api',
        'cache',
        'client',
        'errors',
        'internal',
        'queue',
        'reconcile',
        'recorder',
        'telemetry',
        'trigger',
      ],
      webhook: ['api', 'certificates', 'client', 'crd', 'errors', 'internal', 'k8s', 'telemetry'],
      manager: ['*'],
    },
  },
  {
    root: 'packages/apiserver/src',
    packages: ['kilter/api'],
    withoutDoor: [],
    rooms: {
      values: [],
      storage: [],
      auth: [],
      formats: ['values'],
      status: ['values'],
      wire: ['values'],
      protobuf: ['values'],
      print: ['values'],
      patch: ['values'],
      apply: ['values'],
      watch: ['storage'],
      cel: ['formats', 'values'],
      schema: ['cel', 'formats', 'values'],
      structural: ['cel', 'formats', 'schema', 'values'],
      admission: ['auth', 'schema', 'values'],
      kinds: ['admission', 'formats', 'status', 'values'],
      calls: ['auth', 'kinds', 'schema', 'status', 'values'],
      customresources: ['kinds', 'schema', 'status', 'structural', 'values'],
      decoding: ['calls', 'kinds', 'schema', 'status', 'values'],
      registry: [
        'admission',
        'apply',
        'auth',
        'calls',
        'customresources',
        'decoding',
        'kinds',
        'patch',
        'schema',
        'status',
        'storage',
        'values',
        'watch',
      ],
      matching: ['cel', 'kinds', 'registry', 'status', 'values'],
      webhooks: ['calls', 'cel', 'kinds', 'matching', 'patch', 'registry', 'status', 'values', 'wire'],
      discovery: ['kinds', 'protobuf', 'values', 'wire'],
      gc: ['calls', 'kinds', 'registry', 'status', 'values'],
      workloads: ['calls', 'kinds', 'registry', 'status', 'values'],
      http: ['*'],
    },
  },
  {
    root: 'packages/testing/src',
    packages: [
      '@kilter/apiserver',
      'kilter',
      'kilter/api',
      'kilter/certificates',
      'kilter/crd',
      'kilter/k8s/apiextensions/v1',
      'kilter/k8s/core/v1',
      'kilter/runtime',
    ],
    withoutDoor: [],
    rooms: {
      environment: [],
      manifest: [],
      controlplane: ['environment'],
      validate: ['manifest'],
      roundtrips: ['manifest', 'validate'],
      cluster: ['controlplane', 'environment', 'manifest'],
      crashes: ['cluster'],
    },
  },
];
