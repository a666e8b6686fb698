// Which EndpointSlices a Service should have, and the next write towards them. Pure.
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from 'kilter/api';
import { controllerReference, isTrue, type Meta, type Pod, selects } from './workload-objects.ts';

export interface ServicePort {
  readonly name?: string;
  readonly protocol?: string;
  readonly port: number;
  readonly targetPort?: number | string;
  readonly appProtocol?: string;
}

export interface Service {
  readonly metadata: Meta;
  readonly spec: {
    readonly type?: string;
    readonly clusterIP?: string;
    readonly selector?: Readonly<Record<string, string>>;
    readonly ipFamilies?: readonly string[];
    readonly ports?: readonly ServicePort[];
    readonly publishNotReadyAddresses?: boolean;
  };
}

export interface EndpointSlice {
  readonly metadata: Meta;
  readonly addressType: string;
  readonly endpoints?: readonly JsonObject[] | null;
  readonly ports?: readonly JsonObject[] | null;
}

export type EndpointSliceStep =
  | { readonly type: 'create'; readonly object: JsonObject }
  | { readonly type: 'change'; readonly slice: EndpointSlice; readonly object: JsonObject }
  | { readonly type: 'delete'; readonly slice: EndpointSlice };

export interface ServiceView {
  readonly service: Service;
  /** Those of its namespace, in an order that does not change. */
  readonly pods: readonly Pod[];
  /** Those made for it before, oldest first. */
  readonly owned: readonly EndpointSlice[];
  /** Where a node is said to stand, by its name. */
  readonly zoneOf: (node: string) => string | undefined;
}

interface Content {
  readonly addressType: string;
  readonly labels: JsonObject;
  readonly endpoints: JsonObject[];
  readonly ports: JsonObject[];
}

const mostEndpoints = 100;
const managedBy = 'endpointslice.kubernetes.io/managed-by';
const serviceName = 'kubernetes.io/service-name';
const headless = 'service.kubernetes.io/headless';

/** Whether anybody but the user says where the Service leads. */
export const isManaged = ({ spec }: Service): boolean =>
  spec.type !== 'ExternalName' && Object.keys(spec.selector ?? {}).length > 0;

const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

function addressOf({ status }: Pod, addressType: string): string | undefined {
  const all = status?.podIPs?.map(({ ip }) => ip) ?? (status?.podIP === undefined ? [] : [status.podIP]);
  return all.find((address) => address.includes(':') === (addressType === 'IPv6'));
}

function endpointOf(pod: Pod, address: string, { service, zoneOf }: ServiceView): JsonObject {
  const serving = isTrue(pod.status?.conditions, 'Ready');
  const terminating = pod.metadata.deletionTimestamp !== undefined;
  const ready = service.spec.publishNotReadyAddresses === true || (serving && !terminating);
  const { nodeName, hostname, subdomain } = pod.spec;
  const zone = nodeName === undefined ? undefined : zoneOf(nodeName);
  const { namespace, name, uid } = pod.metadata;
  const named = hostname !== undefined && hostname !== '' && subdomain === service.metadata.name;
  return {
    addresses: [address],
    conditions: { ready, serving, terminating },
    ...(named && { hostname }),
    ...(nodeName !== undefined && nodeName !== '' && { nodeName }),
    targetRef: { kind: 'Pod', namespace, name, uid },
    ...(zone !== undefined && { zone }),
  };
}

/** The port of a Pod that a port of the Service leads to; undefined where the Pod has none of that name. */
function targetOf({ port, targetPort, protocol = 'TCP' }: ServicePort, { spec }: Pod): number | undefined {
  if (typeof targetPort !== 'string') return targetPort === undefined || targetPort === 0 ? port : targetPort;
  const all = spec.containers.flatMap(({ ports = [] }) => ports);
  return all.find(({ name, protocol: spoken = 'TCP' }) => name === targetPort && spoken === protocol)?.containerPort;
}

function portsOf({ spec }: Service, pod: Pod): JsonObject[] {
  return (spec.ports ?? []).flatMap((port): JsonObject[] => {
    const target = targetOf(port, pod);
    if (target === undefined) return [];
    const { name = '', protocol = 'TCP', appProtocol } = port;
    return [{ name, port: target, protocol, ...(appProtocol !== undefined && { appProtocol }) }];
  });
}

function labelsOf({ metadata, spec }: Service): JsonObject {
  const reserved = [managedBy, serviceName, headless];
  const own = Object.entries(metadata.labels ?? {}).filter(([key]) => !reserved.includes(key));
  return {
    ...Object.fromEntries(own),
    [managedBy]: 'endpointslice-controller.k8s.io',
    [serviceName]: metadata.name,
    ...(spec.clusterIP === 'None' && { [headless]: '' }),
  };
}

/** Pods whose ports are others are in slices of their own; one slice holds a hundred at the most. */
function contentsOf(view: ServiceView, addressType: string): Content[] {
  const { service, pods } = view;
  const groups = new Map<string, Pick<Content, 'endpoints' | 'ports'>>();
  for (const pod of pods) {
    const address = addressOf(pod, addressType);
    if (address === undefined || hasEnded(pod)) continue;
    if (!selects({ matchLabels: service.spec.selector ?? {} }, pod.metadata.labels)) continue;
    const ports = portsOf(service, pod);
    const key = JSON.stringify(ports);
    const group = groups.get(key) ?? { endpoints: [], ports };
    group.endpoints.push(endpointOf(pod, address, view));
    groups.set(key, group);
  }
  if (groups.size === 0) groups.set('', { endpoints: [], ports: [] });
  const labels = labelsOf(service);
  return [...groups.values()].flatMap(({ endpoints, ports }) =>
    Array.from({ length: Math.max(1, Math.ceil(endpoints.length / mostEndpoints)) }, (_, index) => {
      const part = endpoints.slice(index * mostEndpoints, (index + 1) * mostEndpoints);
      return { addressType, labels, endpoints: part, ports };
    }),
  );
}

function newSlice({ metadata }: Service, { addressType, labels, endpoints, ports }: Content): JsonObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      generateName: `${metadata.name}-`,
      namespace: metadata.namespace,
      labels,
      ownerReferences: [controllerReference('v1', 'Service', metadata)],
    },
    addressType,
    endpoints: orNull(endpoints),
    ports: orNull(ports),
  };
}

/** As the real controller writes what is empty. */
const orNull = (list: JsonObject[]): JsonObject[] | null => (list.length === 0 ? null : list);

const says = (slice: EndpointSlice, { labels, endpoints, ports }: Content): boolean =>
  isDeepStrictEqual([slice.metadata.labels, slice.endpoints ?? [], slice.ports ?? []], [labels, endpoints, ports]);

function changed(slice: EndpointSlice, { labels, endpoints, ports }: Content): JsonObject {
  const content = { endpoints: orNull(endpoints), ports: orNull(ports) };
  return { ...slice, metadata: { ...slice.metadata, labels }, ...content } as unknown as JsonObject;
}

/** The next write that brings the slices of a Service closer to its Pods; undefined when they agree. */
export function planEndpointSlices(view: ServiceView): EndpointSliceStep | undefined {
  const { service, owned } = view;
  if (service.metadata.deletionTimestamp !== undefined || !isManaged(service)) return undefined;
  const left = owned.filter(({ metadata }) => metadata.labels?.[managedBy] === 'endpointslice-controller.k8s.io');
  const families = service.spec.ipFamilies ?? ['IPv4'];
  for (const content of families.flatMap((family) => contentsOf(view, family))) {
    const fitting = left.filter(({ addressType }) => addressType === content.addressType);
    // The slice that has these ports already, so that Pods move as little as they must.
    const slice = fitting.find(({ ports }) => isDeepStrictEqual(ports ?? [], content.ports)) ?? fitting[0];
    if (slice === undefined) return { type: 'create', object: newSlice(service, content) };
    if (!says(slice, content)) return { type: 'change', slice, object: changed(slice, content) };
    left.splice(left.indexOf(slice), 1);
  }
  const [surplus] = left;
  return surplus && { type: 'delete', slice: surplus };
}
