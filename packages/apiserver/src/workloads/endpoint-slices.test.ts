import { describe, expect, test } from 'vitest';
import { type EndpointSlice, planEndpointSlices, type Service, type ServiceView } from './endpoint-slice-plan.ts';
import type { Meta, Pod } from './workload-objects.ts';

const meta = (name: string, more: Partial<Meta> = {}): Meta => ({
  name,
  namespace: 'default',
  uid: `uid-${name}`,
  resourceVersion: '1',
  creationTimestamp: '2026-01-01T00:00:00Z',
  ...more,
});

const service = (spec: Partial<Service['spec']> = {}, labels?: Record<string, string>): Service => ({
  metadata: meta('web', labels && { labels }),
  spec: { selector: { app: 'web' }, ipFamilies: ['IPv4'], ports: [{ port: 80, protocol: 'TCP' }], ...spec },
});

interface PodTraits {
  readonly ready?: boolean;
  readonly going?: boolean;
  readonly phase?: string;
  readonly address?: string | undefined;
  readonly labels?: Record<string, string>;
  readonly spec?: Partial<Pod['spec']>;
}

function pod(name: string, traits: PodTraits = {}): Pod {
  const { ready = true, going = false, phase = 'Running', labels = { app: 'web' }, spec } = traits;
  const address = 'address' in traits ? traits.address : `10.0.0.${name.length}`;
  return {
    metadata: meta(name, { labels, ...(going && { deletionTimestamp: '2026-01-01T00:00:00Z' }) }),
    spec: { nodeName: 'node-1', containers: [{ name: 'c' }], ...spec },
    status: {
      phase,
      ...(address !== undefined && { podIP: address, podIPs: [{ ip: address }] }),
      conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }],
    },
  };
}

const view = (pods: readonly Pod[], more: Partial<ServiceView> = {}): ServiceView => ({
  service: service(),
  pods,
  owned: [],
  zoneOf: () => undefined,
  ...more,
});

/** All slices a Service ends up with, written one after the other as the stage does. */
function slicesOf(given: ServiceView): EndpointSlice[] {
  let owned = [...given.owned];
  for (let steps = 0; ; steps += 1) {
    if (steps > 20) throw new Error('the slices never come to rest');
    const step = planEndpointSlices({ ...given, owned });
    if (step === undefined) return owned;
    if (step.type === 'delete') owned = owned.filter((slice) => slice !== step.slice);
    else if (step.type === 'change')
      owned = owned.map((slice) => (slice === step.slice ? (step.object as unknown as EndpointSlice) : slice));
    else {
      const made = step.object as unknown as EndpointSlice;
      owned.push({ ...made, metadata: { ...meta(`slice-${steps}`), ...made.metadata } });
    }
  }
}

const conditions = (ready: boolean, serving: boolean, terminating: boolean) => ({ ready, serving, terminating });

describe('API-J6: EndpointSlices', () => {
  test('one slice, owned by the Service, with its labels, says where its pods are', () => {
    const [slice, ...others] = slicesOf(
      view([pod('a')], { service: service({}, { team: 'x', 'kubernetes.io/service-name': 'lie' }) }),
    );
    expect(others).toEqual([]);
    expect(slice).toMatchObject({
      metadata: {
        generateName: 'web-',
        labels: {
          team: 'x',
          'endpointslice.kubernetes.io/managed-by': 'endpointslice-controller.k8s.io',
          'kubernetes.io/service-name': 'web',
        },
        ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name: 'web', controller: true }],
      },
      addressType: 'IPv4',
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          conditions: conditions(true, true, false),
          nodeName: 'node-1',
          targetRef: { kind: 'Pod', namespace: 'default', name: 'a', uid: 'uid-a' },
        },
      ],
      ports: [{ name: '', port: 80, protocol: 'TCP' }],
    });
  });

  test.each<[string, PodTraits, ReturnType<typeof conditions> | undefined]>([
    ['a pod that is not ready is there, not ready', { ready: false }, conditions(false, false, false)],
    ['a pod that goes serves as long as it is ready', { going: true }, conditions(false, true, true)],
    ['a pod without an address is not there', { address: undefined }, undefined],
    ['a pod that has ended is not there', { phase: 'Succeeded' }, undefined],
    ['a pod of other labels is not there', { labels: { app: 'db' } }, undefined],
  ])('%s', (_, traits, expected) => {
    const [slice] = slicesOf(view([pod('a', traits)]));
    expect((slice?.endpoints ?? []).map((endpoint) => endpoint['conditions'])).toEqual(
      expected === undefined ? [] : [expected],
    );
  });

  test('a Service that publishes pods before they are ready calls them ready', () => {
    const [slice] = slicesOf(
      view([pod('a', { ready: false })], { service: service({ publishNotReadyAddresses: true }) }),
    );
    expect(slice?.endpoints).toMatchObject([{ conditions: conditions(true, false, false) }]);
  });

  test('a port by name is the port of that name of each pod; pods whose ports are others have slices of their own', () => {
    const named = (containerPort: number) => ({
      spec: { containers: [{ name: 'c', ports: [{ name: 'http', containerPort, protocol: 'TCP' }] }] },
    });
    const byName = service({ ports: [{ name: 'web', port: 80, targetPort: 'http', protocol: 'TCP' }] });
    const slices = slicesOf(
      view([pod('a', named(8080)), pod('bb', named(9090)), pod('ccc', named(8080))], { service: byName }),
    );
    expect(slices.map(({ ports, endpoints }) => [ports?.map((port) => port['port']), endpoints?.length])).toEqual([
      [[8080], 2],
      [[9090], 1],
    ]);
  });

  test('a headless Service says so, and names the hosts of its pods', () => {
    const [slice] = slicesOf(
      view([pod('a', { spec: { hostname: 'a-0', subdomain: 'web' } })], { service: service({ clusterIP: 'None' }) }),
    );
    expect(slice).toMatchObject({
      metadata: { labels: { 'service.kubernetes.io/headless': '' } },
      endpoints: [{ hostname: 'a-0' }],
    });
  });

  test('without pods there is one empty slice of each family; it is filled, and surplus ones go', () => {
    const empty = slicesOf(view([], { service: service({ ipFamilies: ['IPv4', 'IPv6'] }) }));
    expect(empty.map(({ addressType, endpoints }) => [addressType, endpoints])).toEqual([
      ['IPv4', null],
      ['IPv6', null],
    ]);
    const filled = slicesOf(
      view([pod('a', { address: 'fd00::1' })], { owned: empty, service: service({ ipFamilies: ['IPv6'] }) }),
    );
    expect(filled.map(({ addressType, endpoints }) => [addressType, endpoints?.length])).toEqual([['IPv6', 1]]);
  });

  test('a slice holds a hundred', () => {
    const pods = Array.from({ length: 230 }, (_, index) => pod(`p${index}`));
    expect(slicesOf(view(pods)).map(({ endpoints }) => endpoints?.length)).toEqual([100, 100, 30]);
  });

  test.each<[string, Partial<Service['spec']>]>([
    ['without a selector', { selector: {} }],
    ['that is a name outside', { type: 'ExternalName' }],
  ])('a Service %s is left to its user', (_, spec) => {
    expect(slicesOf(view([pod('a')], { service: service(spec) }))).toEqual([]);
  });

  test('nothing is written when nothing has changed; a zone of the node is included', () => {
    const owned = slicesOf(view([pod('a')]));
    expect(planEndpointSlices(view([pod('a')], { owned }))).toBeUndefined();
    const [moved] = slicesOf(view([pod('a')], { owned, zoneOf: () => 'north' }));
    expect(moved?.endpoints).toMatchObject([{ zone: 'north' }]);
  });
});
