// What newer fields of a Pod may say, and what the server makes of them, in Pods and in templates.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, post } from '../../src/steps.ts';
import { deployment, deployments, pod, pods } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const container = { name: 'c', image: 'example.com/c:1' };
const containers = (more: Fields): Fields => ({ containers: [{ ...container, ...more }] });
const volume = (source: Fields): Fields => ({ volumes: [{ name: 'v', ...source }] });
const whole = (resources: Fields, more: Fields = {}): Fields => ({ resources, ...more });

/** Each with what becomes of it: in a Pod, and in a template where that is something else. */
const shapes: readonly (readonly [step: string, spec: Fields, inPod: 201 | 403 | 422, inTemplate?: 201 | 422])[] = [
  ['host-port', { hostNetwork: true, ...containers({ ports: [{ containerPort: 80, hostPort: 90 }] }) }, 422],
  ['own-port', { hostNetwork: true, ...containers({ ports: [{ containerPort: 80 }] }) }, 201],
  [
    'restart-rules',
    containers({
      restartPolicy: 'Never',
      restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }],
    }),
    201,
  ],
  [
    'only-rules',
    containers({ restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }] }),
    422,
  ],
  [
    'resized-twice',
    containers({ resizePolicy: ['a', 'b'].map(() => ({ resourceName: 'cpu', restartPolicy: 'NotRequired' })) }),
    422,
  ],
  ['stop-signal', containers({ lifecycle: { stopSignal: 'SIGUSR1', preStop: { sleep: { seconds: 1 } } } }), 201],
  [
    'file',
    {
      ...containers({ env: [{ name: 'A', valueFrom: { fileKeyRef: { path: 'p', volumeName: 'v', key: 'k' } } }] }),
      ...volume({ emptyDir: {} }),
    },
    201,
  ],
  ['whole', whole({ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }), 201],
  [
    'whole-and-parts',
    whole(
      { limits: { cpu: '4', memory: '1Gi' } },
      {
        ...containers({ resources: { requests: { cpu: '500m' } } }),
        initContainers: [
          { name: 's', image: 'i', restartPolicy: 'Always', resources: { requests: { cpu: '1' } } },
          { name: 't', image: 'i', resources: { requests: { cpu: '2' } } },
        ],
      },
    ),
    201,
  ],
  ['guaranteed', whole({ limits: { cpu: '1', memory: '1Gi' } }), 201],
  ['nothing', containers({ resources: { requests: { cpu: '0' } } }), 201],
  ['whole-storage', whole({ limits: { 'ephemeral-storage': '1Gi' } }), 422],
  ['whole-too-small', whole({ requests: { cpu: '1' } }, containers({ resources: { requests: { cpu: '2' } } })), 422],
  ['token', volume({ projected: { sources: [{ serviceAccountToken: { path: 't' } }] } }), 422, 201],
  [
    'short-token',
    volume({ projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 5 } }] } }),
    422,
  ],
  [
    'claimed',
    volume({
      ephemeral: {
        volumeClaimTemplate: {
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      },
    }),
    201,
  ],
  ['no-secret', volume({ scaleIO: { gateway: 'g', system: 's', volumeName: 'v' } }), 201],
  ['hostname', { hostnameOverride: 'x.y', hostNetwork: true }, 422],
  ['hostname-full', { hostnameOverride: 'x.y', setHostnameAsFQDN: true }, 422],
  ['gated', { schedulingGates: [{ name: 'example.com/a' }] }, 201],
  ['gated-on-node', { schedulingGates: [{ name: 'example.com/a' }], nodeName: 'n' }, 422, 201],
  ['device', { resourceClaims: [{ name: 'r' }] }, 422],
  ['runtime', { runtimeClassName: 'A_' }, 403, 422],
  [
    'like',
    {
      topologySpreadConstraints: [
        {
          maxSkew: 1,
          topologyKey: 'zone',
          whenUnsatisfiable: 'DoNotSchedule',
          labelSelector: {},
          matchLabelKeys: ['app', 'none'],
        },
      ],
      affinity: {
        podAntiAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: [
            { topologyKey: 'zone', labelSelector: {}, mismatchLabelKeys: ['app'] },
          ],
        },
      },
    },
    201,
  ],
  ['image', containers({ image: 'Example/c' }), 201],
  ['no-image', containers({ image: 'a'.repeat(64) }), 201],
  ['pinned-latest', containers({ image: `c:latest@sha256:${'a'.repeat(64)}` }), 201],
];

const metadata = { labels: { app: 'a' } };
const specOf = (spec: Fields): Fields => ({ containers: [container], ...spec });

const inPods: readonly Step[] = shapes.map(([step, spec]) =>
  post(step, `${pods}?dryRun=All`, pod('p', { metadata, spec: specOf(spec) })),
);
const inTemplates: readonly Step[] = shapes.map(([step, spec]) =>
  post(
    step,
    `${deployments}?dryRun=All`,
    deployment('d', {
      spec: { selector: { matchLabels: metadata.labels }, template: { metadata, spec: specOf(spec) } },
    }),
  ),
);

export const podShapes: readonly Case[] = [
  {
    id: 'c16-pod-shapes',
    section: 'create-update',
    shows: ['API-C16', 'API-C15'],
    title: 'what newer fields of a Pod may say, and what is made of them',
    steps: inPods,
    claims: shapes.map(([step, , code]) => claim(step, `${step}.status`, { is: code })),
  },
  {
    id: 'c16-template-shapes',
    section: 'create-update',
    shows: ['API-C16', 'API-C15'],
    title: 'the same in a template, where some of it is of no concern yet',
    steps: inTemplates,
    claims: shapes.map(([step, , code, other = code]) => claim(step, `${step}.status`, { is: other })),
  },
];
