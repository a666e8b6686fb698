// What an author gets wrong in a CronJob, in the volumes of a Pod and in a Service.
import type { Case, Json, Step } from '../../src/case.ts';
import { claim, get, mergePatch, post, remove } from '../../src/steps.ts';
import { inNamespace, manifest, pod, podSpec, pods, services } from './manifests.ts';

type Fields = { readonly [key: string]: Json };

const cronJobs = `${inNamespace('batch/v1', 'cronjobs')}?dryRun=All`;
const jobSpec: Fields = { template: { spec: { ...podSpec, restartPolicy: 'Never' } } };
const cronJob = (spec: Fields, name = 'c'): Fields =>
  manifest(['batch/v1', 'CronJob'], name, { spec: { schedule: '* * * * *', jobTemplate: { spec: jobSpec }, ...spec } });

const good = ['@every 1h30m', '@daily', '1,2,3-5/2 * * * MON-FRI', '? ? ? ? ?', '*/61 * * * *', '0 0 1 jan sun'];
const bad = [
  'every day',
  '* * * *',
  '60 * * * *',
  '*/0 * * * *',
  '1-70 * * * *',
  'TZ=UTC 1 * * * *',
  'a * * * *',
  '* * * jan-foo *',
  '5-1 * * * *',
  '@every x',
  '@foo',
  '* * 0 * *',
  '* * * 13 *',
  '* * * * 7',
  '1/2/3 * * * *',
  '1-2-3 * * * *',
  '-1 * * * *',
  '99999999999999999999 * * * *',
];

const scheduled = (schedule: string, index: number, step: string): Step =>
  post(`${step}-${index}`, cronJobs, cronJob({ schedule }));

const schedules: Case = {
  id: 'c16-schedules',
  section: 'create-update',
  shows: ['API-C16'],
  title: 'the schedule of a CronJob is read, and what is wrong with it is said',
  steps: [
    ...good.map((schedule, index) => scheduled(schedule, index, 'good')),
    ...bad.map((schedule, index) => scheduled(schedule, index, 'bad')),
    post('zone', cronJobs, cronJob({ timeZone: 'Nowhere/X', concurrencyPolicy: 'Foo', startingDeadlineSeconds: -1 })),
    post('local', cronJobs, cronJob({ timeZone: 'Local' })),
    post('empty-zone', cronJobs, cronJob({ timeZone: '' })),
    post('known-zone', cronJobs, cronJob({ timeZone: 'Europe/Berlin' })),
    post('long-name', cronJobs, cronJob({}, 'c'.repeat(53))),
    post('selector', cronJobs, cronJob({ jobTemplate: { spec: { ...jobSpec, manualSelector: true } } })),
  ],
  claims: [
    ...good.map((schedule, index) => claim(`${schedule} is fine`, `good-${index}.status`, { is: 201 })),
    ...bad.map((schedule, index) => claim(`${schedule} is not`, `bad-${index}.status`, { is: 422 })),
  ],
};

const withVolumes = (step: string, ...volumes: Fields[]): Step =>
  post(step, `${pods}?dryRun=All`, pod('p', { spec: { ...podSpec, volumes } }));

const volumes: Case = {
  id: 'c16-volumes',
  section: 'create-update',
  shows: ['API-C16'],
  title: 'a volume has one source, with what that asks for',
  steps: [
    withVolumes('two', { name: 'a', emptyDir: {}, hostPath: { path: '/x' } }),
    withVolumes('three', { name: 'a', projected: {}, cephfs: { monitors: ['m'] }, downwardAPI: {} }),
    withVolumes(
      'host',
      { name: 'a', hostPath: { path: 'a/../b' } },
      { name: 'b', hostPath: { path: '/x', type: 'X' } },
    ),
    withVolumes('files', {
      name: 'a',
      configMap: {
        name: 'x',
        defaultMode: 1000,
        items: [
          { key: '', path: '' },
          { key: 'k', path: '../x', mode: -1 },
        ],
      },
    }),
    withVolumes('absolute', { name: 'a', secret: { secretName: 'x', items: [{ key: 'k', path: '/x' }] } }),
    withVolumes('size', { name: 'a', emptyDir: { sizeLimit: '-1' } }),
    withVolumes('share', { name: 'a', nfs: { server: '', path: '' } }, { name: 'b', nfs: { server: 's', path: 'x' } }),
    withVolumes('downward', { name: 'a', downwardAPI: { items: [{ path: 'p' }] } }),
    withVolumes('needs', { name: 'a', csi: { driver: '' } }, { name: 'b', ephemeral: {} }, { name: 'c', fc: {} }),
    withVolumes('same-name', { name: 'a', emptyDir: {} }, { name: 'a', emptyDir: {} }),
    withVolumes('broken-name', { name: 'a', secret: {} }, { name: 'a', emptyDir: {} }),
  ],
  claims: [
    claim('the second source is refused', 'two.body.details.causes.0.field', { is: 'spec.volumes[0].hostPath' }),
    claim('a volume that could not be one takes no name', 'broken-name.body.details.causes', { length: 1 }),
  ],
};

const serviceWith = (name: string, spec: Fields): Fields => manifest(['v1', 'Service'], name, { spec });
const nodePort = (name: string, ...ports: Fields[]): Fields => serviceWith(name, { type: 'NodePort', ports });
const ports = [{ port: 80 }];
const tried = (step: string, spec: Fields): Step => post(step, `${services}?dryRun=All`, serviceWith('s', spec));

const shownIn = (...only: string[]): { only: string[]; because: string } => ({
  only,
  because: 'each server has addresses of its own, and writes the two objects in an order of its own',
});
const addresses = '/apis/networking.k8s.io/v1/ipaddresses';

const ownAddresses: Case = {
  id: 'c9-addresses',
  section: 'create-update',
  shows: ['API-C9'],
  title: 'an address of a Service is an object too, as long as the Service has it',
  steps: [
    post('create', services, serviceWith('s', { ports }), shownIn('status')),
    get(
      'address',
      `${addresses}/{{create.body.spec.clusterIP}}`,
      shownIn('status', 'body.metadata.labels', 'body.metadata.managedFields', 'body.spec'),
    ),
    post('headless', services, serviceWith('h', { ports, clusterIP: 'None' }), shownIn('status')),
    remove('delete', `${services}/s`, shownIn('status')),
    get('gone', `${addresses}/{{create.body.spec.clusterIP}}`, {
      ...shownIn('status', 'body.reason'),
      until: { at: 'gone.status', is: 404 },
    }),
  ],
  claims: [
    claim('it names the Service', 'address.body.spec.parentRef', {
      is: { resource: 'services', namespace: '{{ns}}', name: 's' },
    }),
    claim('and goes with it', 'gone.status', { is: 404 }),
  ],
};

const nodePorts: Case = {
  id: 'c16-node-ports',
  section: 'create-update',
  shows: ['API-C16'],
  title: 'a port of the nodes belongs to one Service for each protocol',
  steps: [
    post('first', services, nodePort('a', { port: 80, nodePort: 32_701 })),
    post('second', services, nodePort('b', { port: 80, nodePort: 32_701 })),
    post(
      'twice',
      services,
      nodePort('b', { name: 'x', port: 80, nodePort: 32_702 }, { name: 'y', port: 81, nodePort: 32_702 }),
    ),
    post(
      'protocols',
      services,
      nodePort(
        'c',
        { name: 'x', port: 80, nodePort: 32_703 },
        { name: 'y', port: 80, protocol: 'UDP', nodePort: 32_703 },
      ),
    ),
    post('low', services, nodePort('d', { port: 80, nodePort: 80 })),
    post('plain', services, serviceWith('e', { ports: [{ port: 80, nodePort: 32_704 }] })),
    post('other', services, serviceWith('f', { ports }), { setup: true }),
    mergePatch('taken', `${services}/f`, { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 32_701 }] } }),
    mergePatch('free', `${services}/f`, { spec: { type: 'NodePort', ports: [{ port: 80, nodePort: 32_705 }] } }),
    mergePatch('moved', `${services}/a`, { spec: { ports: [{ port: 80, nodePort: 32_705 }] } }),
    mergePatch('inside', `${services}/f`, { spec: { type: 'ClusterIP' } }),
    remove('gone', `${services}/a`),
    post('again', services, nodePort('g', { port: 80, nodePort: 32_701 })),
    ...['c', 'f', 'g'].map((name) => remove(`end-${name}`, `${services}/${name}`, { setup: true })),
  ],
  claims: [
    claim('taken', 'second.status', { is: 422 }),
    claim('a deleted Service gives it back', 'again.status', { is: 201 }),
  ],
};

const serviceFields: Case = {
  id: 'c16-services',
  section: 'create-update',
  shows: ['API-C16'],
  title: 'what the type of a Service allows, and addresses that are none',
  steps: [
    tried('name-unused', { externalName: 'x', ports }),
    tried('name-invalid', { type: 'ExternalName', externalName: 'a_b' }),
    tried('name-with-address', { type: 'ExternalName', externalName: 'x.y', clusterIP: '10.0.0.1' }),
    tried('not-an-address', { clusterIP: 'foo', ports }),
    tried('headless', { type: 'LoadBalancer', clusterIP: 'None', ports }),
    tried('selector', { selector: { 'a b': 'c' }, ports }),
    tried('external', { externalIPs: ['foo', '127.0.0.1'], ports }),
    tried('ranges', { type: 'LoadBalancer', loadBalancerSourceRanges: ['1.2.3.4'], ports }),
    tried('traffic', { externalTrafficPolicy: 'Local', ports }),
    tried('health', { healthCheckNodePort: 31_111, ports }),
    tried('affinity', {
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } },
      ports,
    }),
    tried('two-addresses', { clusterIP: '10.0.0.250', clusterIPs: ['10.0.0.251'], ports }),
    tried('family', { ipFamilies: ['IPv6'], ports }),
    tried('dual', { ipFamilyPolicy: 'RequireDualStack', ports }),
    tried('application', { ports: [{ port: 80, appProtocol: 'a b' }] }),
    tried('type', { type: 'Foo', ports }),
  ],
  claims: [
    claim('an unused name is a warning', 'name-unused.headers.warning', { present: true }),
    claim('an unknown address is refused', 'not-an-address.status', { is: 422 }),
  ],
};

export const refusals: readonly Case[] = [ownAddresses, schedules, volumes, nodePorts, serviceFields];
