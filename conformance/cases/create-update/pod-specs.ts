// What an author gets wrong in a pod around its containers: where it runs, what it may, what it resolves and waits for.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, post } from '../../src/steps.ts';
import { pod, podSpec, pods } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const always = 'requiredDuringSchedulingIgnoredDuringExecution';
const ifPossible = 'preferredDuringSchedulingIgnoredDuringExecution';

const tried = ([step, spec]: readonly [step: string, spec: Fields]): Step =>
  post(step, `${pods}?dryRun=All`, pod('p', { spec: { ...podSpec, ...spec } }));

const nodes = (expression: Fields): Fields => ({
  affinity: { nodeAffinity: { [always]: { nodeSelectorTerms: [{ matchExpressions: [expression] }] } } },
});
const named = (field: Fields): Fields => ({
  affinity: { nodeAffinity: { [always]: { nodeSelectorTerms: [{ matchFields: [field] }] } } },
});
const preferred = (weight: number, preference: Fields): Fields => ({
  affinity: { nodeAffinity: { [ifPossible]: [{ weight, preference }] } },
});
const beside = (term: Fields): Fields => ({ affinity: { podAffinity: { [always]: [term] } } });
const notBeside = (term: Fields): Fields => ({ affinity: { podAntiAffinity: { [ifPossible]: [term] } } });
const taint = (toleration: Fields): Fields => ({ tolerations: [toleration] });
const zone = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' };
const spread = (more: Fields): Fields => ({ topologySpreadConstraints: [{ ...zone, ...more }] });
const security = (context: Fields): Fields => ({ securityContext: context });
const guarded = (context: Fields): Fields => ({
  containers: [{ name: 'c', image: 'example.com/c:1', securityContext: context }],
});
const container = (more: Fields): Fields => ({ containers: [{ name: 'c', image: 'example.com/c:1', ...more }] });

const tables: Readonly<Record<string, readonly (readonly [step: string, spec: Fields])[]>> = {
  nodes: [
    ['selector', { nodeSelector: { 'a b': '10%' } }],
    ['no-terms', { affinity: { nodeAffinity: { [always]: { nodeSelectorTerms: [] } } } }],
    ['key', nodes({ key: 'a b', operator: 'In', values: ['b c'] })],
    ['operator', nodes({ key: 'a', operator: 'Near', values: ['b'] })],
    ['no-values', nodes({ key: 'a', operator: 'In' })],
    ['values', nodes({ key: 'a', operator: 'Exists', values: ['b'] })],
    ['numbers', nodes({ key: 'a', operator: 'Gt', values: ['1', '2'] })],
    ['field', named({ key: 'metadata.uid', operator: 'In', values: ['b'] })],
    ['field-values', named({ key: 'metadata.name', operator: 'NotIn', values: ['b', 'c'] })],
    ['field-operator', named({ key: 'metadata.name', operator: 'Exists' })],
    ['field-name', named({ key: 'metadata.name', operator: 'In', values: ['B_'] })],
    ['weight', preferred(101, { matchExpressions: [{ key: 'a', operator: 'q' }] })],
    ['fine', { nodeSelector: { a: 'b' }, ...nodes({ key: 'a', operator: 'Lt', values: ['7'] }) }],
  ],
  pods: [
    ['topology', beside({ topologyKey: '' })],
    ['selector', beside({ topologyKey: 'z', labelSelector: { matchLabels: { a: 'b c' } } })],
    ['namespace', beside({ topologyKey: 'z', namespaces: ['A'] })],
    [
      'namespaces',
      beside({ topologyKey: 'z', namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } }),
    ],
    ['keys-alone', beside({ topologyKey: 'z', matchLabelKeys: ['a'] })],
    ['keys-twice', beside({ topologyKey: 'z', labelSelector: {}, matchLabelKeys: ['a'], mismatchLabelKeys: ['a'] })],
    ['key', beside({ topologyKey: 'z', labelSelector: {}, mismatchLabelKeys: ['a b'] })],
    ['weight', notBeside({ weight: 0, podAffinityTerm: { topologyKey: 'z' } })],
    ['fine', beside({ topologyKey: 'z', labelSelector: { matchLabels: { a: 'b' } } })],
  ],
  tolerations: [
    ['all', taint({})],
    ['key', taint({ key: 'a b' })],
    ['operator', taint({ key: 'a', operator: 'X' })],
    ['comparing', taint({ key: 'a', operator: 'Gt', value: '5' })],
    ['value-of-all', taint({ operator: 'Exists', value: 'v' })],
    ['value', taint({ key: 'a', value: 'b c' })],
    ['effect', taint({ key: 'a', effect: 'X' })],
    ['seconds', taint({ key: 'a', effect: 'NoSchedule', tolerationSeconds: 3 })],
    ['fine', taint({ operator: 'Exists' })],
  ],
  spread: [
    ['skew', spread({ maxSkew: 0 })],
    ['topology', spread({ topologyKey: '' })],
    ['reaction', spread({ whenUnsatisfiable: 'Hope' })],
    ['twice', { topologySpreadConstraints: [zone, zone] }],
    ['domains', spread({ minDomains: 0 })],
    ['domains-of-a-wish', spread({ minDomains: 2, whenUnsatisfiable: 'ScheduleAnyway' })],
    ['policies', spread({ nodeAffinityPolicy: 'x', nodeTaintsPolicy: 'y' })],
    ['keys-alone', spread({ matchLabelKeys: ['a'] })],
    ['selector', spread({ labelSelector: { matchLabels: { a: 'b c' } } })],
    ['fine', spread({ labelSelector: { matchLabels: { a: 'b' } } })],
  ],
  security: [
    ['users', security({ runAsUser: -1, runAsGroup: -1, fsGroup: 2 ** 40, supplementalGroups: [1, -1] })],
    ['sysctls', security({ sysctls: [{ name: '' }, { name: 'A B' }, { name: 'a.b' }, { name: 'a.b', value: '1' }] })],
    ['group-change', security({ fsGroupChangePolicy: 'x', supplementalGroupsPolicy: 'y', seLinuxChangePolicy: 'z' })],
    ['seccomp', security({ seccompProfile: { type: 'x' } })],
    ['seccomp-type', security({ seccompProfile: {} })],
    ['seccomp-file', security({ seccompProfile: { type: 'Localhost' } })],
    ['seccomp-up', security({ seccompProfile: { type: 'Localhost', localhostProfile: '/a/../x' } })],
    ['seccomp-no-file', security({ seccompProfile: { type: 'RuntimeDefault', localhostProfile: 'x' } })],
    ['app-armor', security({ appArmorProfile: { type: 'x' } })],
    ['app-armor-name', security({ appArmorProfile: { type: 'Localhost', localhostProfile: ' x' } })],
    ['app-armor-no-name', security({ appArmorProfile: { type: 'Unconfined', localhostProfile: 'x' } })],
    ['shared', { shareProcessNamespace: true, hostPID: true }],
    ['own-users', { hostUsers: false, hostNetwork: true }],
    ['container', guarded({ runAsUser: -1, seccompProfile: { type: 'q' } })],
    ['mount', guarded({ procMount: 'q' })],
    ['unmasked', guarded({ procMount: 'Unmasked' })],
    ['escalation', guarded({ allowPrivilegeEscalation: false, privileged: true })],
    ['fine', security({ runAsUser: 1, fsGroup: 1, sysctls: [{ name: 'kernel.shm/x', value: '1' }] })],
  ],
  surroundings: [
    ['servers', { dnsConfig: { nameservers: ['1', '1.1.1.1', '1.1.1.2', '1.1.1.3'] } }],
    ['no-config', { dnsPolicy: 'None' }],
    ['no-servers', { dnsPolicy: 'None', dnsConfig: {} }],
    ['searches', { dnsConfig: { searches: ['a b', '.', 'example.com.'], options: [{}] } }],
    ['conditions', { readinessGates: [{ conditionType: 'a b' }] }],
    ['gates', { schedulingGates: [{ name: 'a b' }, { name: 'a' }, { name: 'a' }, { name: '' }] }],
    ['aliases', { hostAliases: [{ ip: 'x', hostnames: ['A_'] }, {}] }],
    ['system', { os: { name: 'plan9' } }],
    ['no-system', { os: {} }],
    ['image', container({ image: ' x ' })],
    ['restarts', container({ restartPolicy: 'x' })],
    ['resizes', container({ resizePolicy: [{ resourceName: 'x', restartPolicy: 'y' }] })],
    ['devices', container({ volumeDevices: [{ name: 'a', devicePath: '/x' }] })],
    ['header', container({ livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'A' }] } } })],
    ['fine', { dnsPolicy: 'None', dnsConfig: { nameservers: ['2001:db8::1'] }, schedulingGates: [{ name: 'a.b/c' }] }],
  ],
};

const titles: Readonly<Record<string, string>> = {
  nodes: 'labels and names of nodes that are asked for',
  pods: 'pods to be beside, or not',
  tolerations: 'taints that are tolerated',
  spread: 'how pods are spread',
  security: 'users, kernel parameters and profiles',
  surroundings: 'resolvers, gates, aliases, the system, and what is left of containers',
};

/** What the server decides or names again each time is in no refusal, and in what is taken it does not matter here. */
const because = 'what is taken is compared elsewhere';

export const podSpecs: readonly Case[] = Object.entries(tables).map(([table, rows]) => ({
  id: `c16-pod-${table}`,
  section: 'create-update',
  shows: ['API-C16'],
  title: `a pod with wrong ${titles[table] ?? table} is refused, each flaw by its place`,
  steps: rows.map((row) => {
    const step = tried(row);
    return row[0] === 'fine' || row[0] === 'header' ? { ...step, only: ['status'], because } : step;
  }),
  claims: rows.map(([step]) => claim(step, `${step}.status`, { is: step === 'fine' || step === 'header' ? 201 : 422 })),
}));
