// The life of fake Nodes and Pods as data: what kwok writes instead of a kubelet. Templates give JSON, which is YAML.

interface Requirement {
  /** A jq expression on the object. */
  readonly key: string;
  readonly operator: 'Exists' | 'DoesNotExist' | 'In' | 'NotIn';
  readonly values?: readonly string[];
}

interface StageParts {
  readonly name: string;
  readonly kind: 'Node' | 'Pod';
  readonly when: readonly Requirement[];
  /** How long after that, in milliseconds; a second one is the latest, the moment between is chance. */
  readonly delay?: readonly [number, number];
  readonly next: object;
}

const is = (key: string, ...values: readonly string[]): Requirement => ({ key, operator: 'In', values });
const isNot = (key: string, ...values: readonly string[]): Requirement => ({ key, operator: 'NotIn', values });
const exists = (key: string): Requirement => ({ key, operator: 'Exists' });
const isAbsent = (key: string): Requirement => ({ key, operator: 'DoesNotExist' });
const condition = (type: string): string => `.status.conditions.[] | select( .type == "${type}" ) | .status`;

function stage({ name, kind, when, delay, next }: StageParts): object {
  const [least, most] = delay ?? [];
  return {
    apiVersion: 'kwok.x-k8s.io/v1alpha1',
    kind: 'Stage',
    metadata: { name },
    spec: {
      resourceRef: { apiGroup: 'v1', kind },
      selector: { matchExpressions: when },
      ...(delay === undefined ? {} : { delay: { durationMilliseconds: least, jitterDurationMilliseconds: most } }),
      next,
    },
  };
}

/** A strategic patch of the status, so that conditions of others stay. */
function status(template: string): object {
  return { patches: [{ subresource: 'status', root: 'status', type: 'strategic', template }] };
}

const now = '{{ Now | Quote }}';
/** The same text for each item, with commas between. */
const each = (list: string, text: string): string =>
  `[{{ range $index, $item := ${list} }}{{ if $index }},{{ end }}${text}{{ end }}]`;
const json = (fields: Readonly<Record<string, string>>): string =>
  `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${value}`)
    .join(',')}}`;
const text = (value: string): string => JSON.stringify(value);

const nodeCondition = (type: string, value: string, reason: string): string =>
  json({
    type: text(type),
    status: text(value),
    reason: text(reason),
    lastHeartbeatTime: now,
    lastTransitionTime: '{{ or .metadata.creationTimestamp Now | Quote }}',
  });
const nodeConditions = [
  nodeCondition('Ready', 'True', 'KubeletReady'),
  nodeCondition('MemoryPressure', 'False', 'KubeletHasSufficientMemory'),
  nodeCondition('DiskPressure', 'False', 'KubeletHasNoDiskPressure'),
  nodeCondition('PIDPressure', 'False', 'KubeletHasSufficientPID'),
  nodeCondition('NetworkUnavailable', 'False', 'RouteCreated'),
].join(',');

const orElse = (path: string, fallback: string): string =>
  `{{ with ${path} }}{{ . | Quote }}{{ else }}${text(fallback)}{{ end }}`;
/** Enough for any test; a Node that says itself what it has keeps that. */
const capacity = (field: string): string =>
  json({
    cpu: orElse(`.status.${field}.cpu`, '64'),
    memory: orElse(`.status.${field}.memory`, '256Gi'),
    pods: orElse(`.status.${field}.pods`, '1000'),
  });

const nodeReady = json({
  conditions: `[${nodeConditions}]`,
  addresses: `[${json({ type: text('InternalIP'), address: '{{ NodeIP | Quote }}' })},${json({ type: text('Hostname'), address: '{{ .metadata.name | Quote }}' })}]`,
  capacity: capacity('capacity'),
  allocatable: capacity('allocatable'),
});

const podCondition = (type: string, value: string, reason?: string): string =>
  json({
    type: text(type),
    status: text(value),
    lastTransitionTime: now,
    ...(reason === undefined ? {} : { reason: text(reason) }),
  });
const completed = json({
  terminated: json({ exitCode: '0', reason: text('Completed'), startedAt: now, finishedAt: now }),
});
const running = json({ running: json({ startedAt: now }) });
const container = (fields: Readonly<Record<string, string>>): string =>
  json({
    name: '{{ $item.name | Quote }}',
    image: '{{ $item.image | Quote }}',
    imageID: text(''),
    restartCount: '0',
    ...fields,
  });

const addressesOf = (list: string, one: string): string =>
  `{{ with ${list} }}"${one}":{{ index . 0 | Quote }},"${one}s":${each('.', json({ ip: '{{ $item | Quote }}' }))},{{ end }}`;
const podAddresses =
  addressesOf('NodeIPsWith .spec.nodeName', 'hostIP') +
  addressesOf(
    'PodIPsWith .spec.nodeName (or .spec.hostNetwork false) (or .metadata.uid "") (or .metadata.name "") (or .metadata.namespace "")',
    'podIP',
  );

/** Sidecars run on; other init containers are done before the rest starts. */
const initContainer = `{{ if eq (or $item.restartPolicy "") "Always" }}${container({ ready: 'true', started: 'true', state: running })}{{ else }}${container({ ready: 'true', started: 'false', state: completed })}{{ end }}`;

// The space keeps the brace of the object apart from those of the template.
const podReady = `{ ${podAddresses}${json({
  phase: text('Running'),
  startTime: now,
  conditions: `[${podCondition('Initialized', 'True')},${podCondition('ContainersReady', 'True')},${podCondition('Ready', 'True')}{{ range .spec.readinessGates }},${json({ type: '{{ .conditionType | Quote }}', status: text('True'), lastTransitionTime: now })}{{ end }}]`,
  initContainerStatuses: each('.spec.initContainers', initContainer),
  containerStatuses: each('.spec.containers', container({ ready: 'true', started: 'true', state: running })),
}).slice(1)}`;

const podSucceeded = json({
  phase: text('Succeeded'),
  conditions: `[${podCondition('ContainersReady', 'False', 'PodCompleted')},${podCondition('Ready', 'False', 'PodCompleted')}]`,
  containerStatuses: each('.spec.containers', container({ ready: 'false', started: 'false', state: completed })),
});

const notDeleted = isAbsent('.metadata.deletionTimestamp');

export const stages: readonly object[] = [
  stage({ name: 'node-initialize', kind: 'Node', when: [isNot(condition('Ready'), 'True')], next: status(nodeReady) }),
  stage({
    name: 'node-heartbeat-with-lease',
    kind: 'Node',
    when: [is(condition('Ready'), 'True')],
    // Leases show that a Node is alive; its status is reported seldom, as a kubelet does.
    delay: [300_000, 310_000],
    next: status(json({ conditions: `[${nodeConditions}]` })),
  }),
  stage({
    name: 'pod-ready',
    kind: 'Pod',
    when: [notDeleted, is('.status.phase', 'Pending'), isNot(condition('Ready'), 'True')],
    next: status(podReady),
  }),
  stage({
    name: 'pod-complete',
    kind: 'Pod',
    when: [notDeleted, is('.status.phase', 'Running'), is('.metadata.ownerReferences.[].kind', 'Job')],
    next: status(podSucceeded),
  }),
  stage({ name: 'pod-delete', kind: 'Pod', when: [exists('.metadata.deletionTimestamp')], next: { delete: true } }),
];

/** The file kwok reads. */
export function stagesText(): string {
  return stages.map((document) => `${JSON.stringify(document, undefined, 2)}\n`).join('---\n');
}
