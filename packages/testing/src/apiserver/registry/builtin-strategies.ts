import { Buffer } from 'node:buffer';
import type { JsonObject } from 'kilter/api';
import { fill, objectIfIn, objectIn, objectsIn, textIn } from './builtin-fields.ts';
import { beginPod, defaultPod } from './builtin-pod-defaults.ts';
import { allocateService, defaultService, keepAllocated } from './builtin-service-defaults.ts';
import {
  defaultClaim,
  defaultCronJob,
  defaultDaemonSet,
  defaultDeployment,
  defaultJob,
  defaultReplicaSet,
  defaultStatefulSet,
  selectJobPods,
} from './builtin-workload-defaults.ts';
import type { Strategy, StrategyContext } from './definition.ts';

type Plain = Pick<Strategy, 'generation' | 'createOnUpdate' | 'unconditionalUpdate' | 'nameRule'>;

/** How a built-in kind differs from the plain one; what is left out is as `plain` says. */
interface Rules extends Partial<Plain> {
  /** Fills what a client left out, on create and update alike. */
  readonly defaults?: (object: JsonObject) => void;
  /** What the server decides once, when the object is created. */
  readonly begin?: (object: JsonObject, context: StrategyContext) => void;
  /** What an update cannot change or may leave out; runs after `defaults`. */
  readonly keep?: (object: JsonObject, old: JsonObject, context: StrategyContext) => void;
}

function strategyOf({ defaults, begin, keep, ...rules }: Rules): Strategy {
  const plain = {
    generation: false,
    createOnUpdate: false,
    unconditionalUpdate: true,
    nameRule: 'subdomain',
  } as const;
  return {
    ...plain,
    ...rules,
    ...(defaults !== undefined && {
      defaults: (object: JsonObject) => {
        defaults(object);
        return object;
      },
    }),
    prepareForCreate: (object, context) => {
      defaults?.(object);
      begin?.(object, context);
      return object;
    },
    prepareForUpdate: (object, old, context) => {
      defaults?.(object);
      keep?.(object, old, context);
      return object;
    },
  };
}

/** The status a kind begins with, whatever the client sent. */
const beginStatus =
  (status: () => JsonObject) =>
  (object: JsonObject): void => {
    object['status'] = status();
  };

function defaultNamespace(namespace: JsonObject): void {
  const metadata = objectIn(namespace, 'metadata');
  const name = textIn(metadata, 'name');
  if (name !== '') objectIn(metadata, 'labels')['kubernetes.io/metadata.name'] = name;
}

function beginNamespace(namespace: JsonObject): void {
  const spec = objectIn(namespace, 'spec');
  const finalizers = Array.isArray(spec['finalizers']) ? spec['finalizers'] : [];
  spec['finalizers'] = finalizers.includes('kubernetes') ? finalizers : [...finalizers, 'kubernetes'];
  namespace['status'] = { phase: 'Active' };
}

/** `spec.finalizers` changes through the finalize subresource alone. */
function keepFinalizers(namespace: JsonObject, old: JsonObject): void {
  const finalizers = objectIfIn(old, 'spec')?.['finalizers'];
  const spec = objectIn(namespace, 'spec');
  if (finalizers === undefined) delete spec['finalizers'];
  else spec['finalizers'] = structuredClone(finalizers);
}

function defaultSecret(secret: JsonObject): void {
  fill(secret, { type: 'Opaque' });
  const plain = objectIfIn(secret, 'stringData');
  delete secret['stringData'];
  for (const [key, text] of Object.entries(plain ?? {})) {
    if (typeof text === 'string') objectIn(secret, 'data')[key] = Buffer.from(text, 'utf8').toString('base64');
  }
}

function defaultEndpoints(endpoints: JsonObject): void {
  const ports = objectsIn(endpoints, 'subsets').flatMap((subset) => objectsIn(subset, 'ports'));
  for (const port of ports) fill(port, { protocol: 'TCP' });
}

function defaultEndpointSlice(slice: JsonObject): void {
  for (const port of objectsIn(slice, 'ports')) fill(port, { name: '', protocol: 'TCP' });
}

function defaultNetworkPolicy(policy: JsonObject): void {
  const spec = objectIn(policy, 'spec');
  const egress = objectsIn(spec, 'egress');
  const rules = [...objectsIn(spec, 'ingress'), ...egress];
  for (const port of rules.flatMap((rule) => objectsIn(rule, 'ports'))) fill(port, { protocol: 'TCP' });
  const types = spec['policyTypes'];
  if (Array.isArray(types) && types.length > 0) return;
  spec['policyTypes'] = egress.length > 0 ? ['Ingress', 'Egress'] : ['Ingress'];
}

const rbacGroup = 'rbac.authorization.k8s.io';

function defaultBinding(binding: JsonObject): void {
  const role = objectIfIn(binding, 'roleRef');
  if (role !== undefined) fill(role, { apiGroup: rbacGroup });
  for (const subject of objectsIn(binding, 'subjects')) {
    if (subject['kind'] === 'User' || subject['kind'] === 'Group') fill(subject, { apiGroup: rbacGroup });
  }
}

function defaultCustomResourceDefinition(definition: JsonObject): void {
  const spec = objectIn(definition, 'spec');
  const names = objectIfIn(spec, 'names');
  const kind = names === undefined ? '' : textIn(names, 'kind');
  if (names !== undefined && kind !== '') fill(names, { singular: kind.toLowerCase(), listKind: `${kind}List` });
  fill(spec, { conversion: { strategy: 'None' } });
  const webhook = objectIfIn(objectIfIn(spec, 'conversion') ?? {}, 'webhook');
  const service = objectIfIn(objectIfIn(webhook ?? {}, 'clientConfig') ?? {}, 'service');
  if (service !== undefined) fill(service, { port: 443 });
}

const emptyStatus = beginStatus(() => ({}));
const role: Rules = { createOnUpdate: true, nameRule: 'path-segment' };
const noDaemons = {
  currentNumberScheduled: 0,
  desiredNumberScheduled: 0,
  numberMisscheduled: 0,
  numberReady: 0,
} as const;
const noDisruptions = { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 } as const;

const rules: Readonly<Record<string, Rules>> = {
  '/ConfigMap': {},
  '/Endpoints': { createOnUpdate: true, defaults: defaultEndpoints },
  '/Event': { createOnUpdate: true },
  '/Namespace': {
    nameRule: 'label',
    defaults: defaultNamespace,
    begin: beginNamespace,
    keep: keepFinalizers,
  },
  '/Node': {},
  '/PersistentVolumeClaim': { defaults: defaultClaim, begin: beginStatus(() => ({ phase: 'Pending' })) },
  '/Pod': {
    generation: true,
    defaults: defaultPod,
    begin: beginPod,
  },
  '/Secret': { defaults: defaultSecret },
  '/Service': {
    createOnUpdate: true,
    nameRule: 'label',
    defaults: defaultService,
    begin: (service, context) => {
      allocateService(service, context);
      service['status'] = { loadBalancer: {} };
    },
    keep: (service, old, context) => {
      keepAllocated(service, old);
      allocateService(service, context);
    },
  },
  '/ServiceAccount': {},
  'apiextensions.k8s.io/CustomResourceDefinition': {
    generation: true,
    unconditionalUpdate: false,
    defaults: defaultCustomResourceDefinition,
  },
  'apps/DaemonSet': {
    generation: true,
    defaults: defaultDaemonSet,
    begin: beginStatus(() => ({ ...noDaemons })),
  },
  'apps/Deployment': {
    generation: true,
    defaults: defaultDeployment,
    begin: emptyStatus,
  },
  'apps/ReplicaSet': {
    generation: true,
    defaults: defaultReplicaSet,
    begin: beginStatus(() => ({ replicas: 0 })),
  },
  'apps/StatefulSet': {
    generation: true,
    defaults: defaultStatefulSet,
    begin: beginStatus(() => ({ replicas: 0, availableReplicas: 0 })),
  },
  'batch/CronJob': { generation: true, defaults: defaultCronJob, begin: emptyStatus },
  'batch/Job': {
    generation: true,
    defaults: defaultJob,
    begin: (job) => {
      selectJobPods(job);
      emptyStatus(job);
    },
  },
  'coordination.k8s.io/Lease': { createOnUpdate: true, unconditionalUpdate: false },
  'discovery.k8s.io/EndpointSlice': { generation: true, defaults: defaultEndpointSlice },
  'events.k8s.io/Event': { createOnUpdate: true },
  'networking.k8s.io/Ingress': { generation: true, begin: beginStatus(() => ({ loadBalancer: {} })) },
  'networking.k8s.io/NetworkPolicy': { generation: true, defaults: defaultNetworkPolicy },
  'policy/PodDisruptionBudget': {
    generation: true,
    unconditionalUpdate: false,
    begin: beginStatus(() => ({ ...noDisruptions })),
  },
  'rbac.authorization.k8s.io/ClusterRole': role,
  'rbac.authorization.k8s.io/ClusterRoleBinding': { ...role, defaults: defaultBinding },
  'rbac.authorization.k8s.io/Role': role,
  'rbac.authorization.k8s.io/RoleBinding': { ...role, defaults: defaultBinding },
};

/** How the kind answers what differs between kinds; every served built-in kind has a row. */
export function builtinStrategy(group: string, kind: string): Strategy {
  const found = rules[`${group}/${kind}`];
  if (found === undefined) throw new Error(`no strategy for ${kind} of group "${group}": add a row for it`);
  return strategyOf(found);
}
