// Services without an address, and those that only name another host: families, what is hidden, what is told.
import type { Case, Json } from '../../src/case.ts';
import { apply, claim, get, mergePatch, post, put, remove } from '../../src/steps.ts';
import { manifest, service, services } from './manifests.ts';

const section = 'create-update';

const headless = (name: string, more: { [key: string]: Json }, metadata: { [key: string]: Json } = {}): Json =>
  manifest(['v1', 'Service'], name, { metadata, spec: { clusterIP: 'None', ...more } });

export const headlessServices: readonly Case[] = [
  {
    id: 'c16-service-families',
    section,
    shows: ['API-C16'],
    title: 'families of a headless Service: what is chosen, given back and refused, before the rest is looked at',
    steps: [
      post('both', services, headless('both', {})),
      post('named', services, headless('named', { ipFamilies: ['IPv6'] })),
      post('single', services, headless('single', { ipFamilyPolicy: 'SingleStack' })),
      post('preferred', services, headless('preferred', { ipFamilyPolicy: 'PreferDualStack', selector: { a: '1' } })),
      post('many', services, headless('many', { ipFamilyPolicy: 'SingleStack', ipFamilies: ['IPv4', 'IPv6'] })),
      post('foreign', services, headless('foreign', { ipFamilies: ['IPv6'], selector: { a: '1' } })),
      post(
        'bad-port',
        services,
        headless('bad-port', { ipFamilyPolicy: 'RequireDualStack', selector: { a: '1' }, ports: [{ port: 0 }] }),
      ),
      mergePatch('selects', `${services}/both`, { spec: { selector: { a: '1' }, ports: [{ port: 0 }] } }),
      mergePatch('released', `${services}/both`, { spec: { ipFamilyPolicy: 'SingleStack' } }),
    ],
    claims: [
      claim('both', 'both.body.spec.ipFamilies', { is: ['IPv4', 'IPv6'] }),
      claim('single', 'single.body.spec.ipFamilies', { is: ['IPv4'] }),
      claim('many of one', 'many.body.details.causes.0.field', { is: 'spec.ipFamilyPolicy' }),
      claim('the families alone', 'selects.body.message', { matches: '^(?!.*port)' }),
      claim('given back', 'released.body.spec.ipFamilies', { is: ['IPv4'] }),
    ],
  },
  {
    id: 'c16-service-hides',
    section,
    shows: ['API-C16'],
    title:
      'a Service that names another host shows no policy of traffic inside the cluster; it is back where the Service has an address',
    steps: [
      post('made', services, headless('x', { internalTrafficPolicy: 'Local', selector: { a: '1' } })),
      mergePatch('named', `${services}/x`, { spec: { type: 'ExternalName', externalName: 'a.example.com' } }),
      get('read', `${services}/x`),
      get('read-status', `${services}/x/status`),
      mergePatch('status', `${services}/x/status`, { metadata: { labels: { a: 'c' } } }),
      mergePatch('status-same', `${services}/x/status`, { metadata: { labels: { a: 'c' } } }),
      get('list', services, { mask: ['body.metadata'], because: 'the version is the server’s own' }),
      apply(
        'applied',
        `${services}/x?fieldManager=m&force=true`,
        manifest(['v1', 'Service'], 'x', { spec: { type: 'ExternalName', externalName: 'b.example.com' } }),
      ),
      mergePatch('dry', `${services}/x?dryRun=All`, { metadata: { labels: { a: 'b' } } }),
      mergePatch('back', `${services}/x`, { spec: { type: 'ClusterIP', clusterIP: 'None', externalName: null } }),
      mergePatch('again', `${services}/x`, {
        metadata: { finalizers: ['example.com/f'] },
        spec: { type: 'ExternalName', externalName: 'a.example.com' },
      }),
      remove('marked', `${services}/x`),
      mergePatch('released', `${services}/x`, { metadata: { finalizers: null } }),
      post(
        'created',
        services,
        manifest(['v1', 'Service'], 'y', {
          spec: { type: 'ExternalName', externalName: 'a.example.com', internalTrafficPolicy: 'Local' },
        }),
      ),
      put(
        'put',
        `${services}/y`,
        manifest(['v1', 'Service'], 'y', { spec: { type: 'ExternalName', externalName: 'b.example.com' } }),
      ),
      remove('gone', `${services}/y`),
    ],
    claims: [
      claim('there', 'made.body.spec.internalTrafficPolicy', { is: 'Local' }),
      claim('hidden', 'named.body.spec.internalTrafficPolicy', { present: false }),
      claim('from readers', 'read.body.spec.internalTrafficPolicy', { present: false }),
      claim('back', 'back.body.spec.internalTrafficPolicy', { is: 'Local' }),
      claim('a new one', 'created.body.spec.internalTrafficPolicy', { present: false }),
    ],
  },
  {
    id: 'c16-service-warnings',
    section,
    shows: ['API-C16'],
    title: 'what a Service says that nobody heeds is told, on create and on update',
    steps: [
      post(
        'headless',
        services,
        headless('x', { sessionAffinity: 'ClientIP', loadBalancerIP: '10.1.2.3', externalIPs: ['10.1.2.4'] }),
      ),
      mergePatch('labelled', `${services}/x`, { metadata: { labels: { a: 'b' } } }),
      mergePatch('status', `${services}/x/status`, { metadata: { annotations: { a: 'c' } }, status: {} }),
      mergePatch('external', `${services}/x`, { spec: { type: 'ExternalName', externalName: 'a.example.com' } }),
      post(
        'ports',
        services,
        service('y', {
          spec: {
            ports: [{ port: 80 }],
            externalName: 'a.example.com',
            externalIPs: ['10.1.2.5'],
            trafficDistribution: 'PreferClose',
          },
        }),
      ),
      post(
        'hints',
        services,
        headless('z', {}, { annotations: { 'service.kubernetes.io/topology-aware-hints': 'auto' } }),
      ),
    ],
    claims: [
      claim('told', 'headless.headers.warning', { present: true }),
      claim('on update', 'labelled.headers.warning', { present: true }),
      claim('not of a status', 'status.headers.warning', { present: false }),
    ],
  },
];
