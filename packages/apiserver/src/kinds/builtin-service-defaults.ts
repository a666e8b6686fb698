import type { Json, JsonObject } from 'kilter/api';
import { unnamed } from '../status/index.ts';
import { clone, fill, isSame, objectIfIn, objectIn, objectsIn, sameValue, textIn, textsOf } from '../values/index.ts';
import type { StrategyContext } from './definition.ts';

const firstNodePort = 30_000;
const nodePorts = 2768;

export const hasNodePorts = (spec: JsonObject): boolean =>
  spec['type'] === 'NodePort' || spec['type'] === 'LoadBalancer';

/** Whether traffic from outside the cluster comes in. */
export const isReachable = (spec: JsonObject): boolean =>
  hasNodePorts(spec) || (spec['type'] === 'ClusterIP' && textsOf(spec['externalIPs']).length > 0);

function defaultAffinity(spec: JsonObject): void {
  fill(spec, { sessionAffinity: 'None' });
  if (spec['sessionAffinity'] === 'None') delete spec['sessionAffinityConfig'];
  if (spec['sessionAffinity'] !== 'ClientIP') return;
  // Three hours, the documented default.
  fill(objectIn(objectIn(spec, 'sessionAffinityConfig'), 'clientIP'), { timeoutSeconds: 10_800 });
}

export function defaultService(service: JsonObject): void {
  const spec = objectIn(service, 'spec');
  fill(spec, { type: 'ClusterIP' });
  defaultAffinity(spec);
  for (const port of objectsIn(spec, 'ports')) {
    fill(port, { protocol: 'TCP' });
    const number = port['port'];
    if (number !== undefined && (port['targetPort'] === 0 || !port['targetPort'])) port['targetPort'] = number;
  }
  if (spec['type'] !== 'ExternalName') fill(spec, { internalTrafficPolicy: 'Cluster' });
  if (isReachable(spec)) fill(spec, { externalTrafficPolicy: 'Cluster' });
  if (spec['type'] === 'LoadBalancer') fill(spec, { allocateLoadBalancerNodePorts: true });
}

function familyOf(address: string): string {
  return address.includes(':') ? 'IPv6' : 'IPv4';
}

/** Why a Service cannot have the port it asks for. */
export function nodePortProblem(number: number, taken: boolean): string | undefined {
  const last = firstNodePort + nodePorts - 1;
  if (number < firstNodePort || number > last)
    return `provided port is not in the valid range. The range of valid ports is ${firstNodePort}-${last}`;
  return taken ? 'provided port is already allocated' : undefined;
}

function freeNodePort(protocol: string, own: ReadonlySet<number>, context: StrategyContext): number {
  for (let attempt = 0; attempt < nodePorts; attempt += 1) {
    const number = firstNodePort + (context.sequence() % nodePorts);
    if (!own.has(number) && !context.isNodePortTaken({ number, protocol })) return number;
  }
  throw unnamed('failed to allocate a nodePort: range is full');
}

/** Some may have been asked for by name. */
function freeAddress(context: StrategyContext): string {
  const { serviceRange } = context;
  for (let attempt = 0; attempt < serviceRange.size; attempt += 1) {
    const address = serviceRange.address(context.sequence());
    if (!context.isAddressTaken(address)) return address;
  }
  throw unnamed('failed to allocate a serviceIP: range is full');
}

function allocateNodePorts(spec: JsonObject, context: StrategyContext): void {
  if (!hasNodePorts(spec) || spec['allocateLoadBalancerNodePorts'] === false) return;
  const own = new Set<number>();
  for (const port of objectsIn(spec, 'ports')) {
    if (!port['nodePort']) port['nodePort'] = freeNodePort(textIn(port, 'protocol'), own, context);
    own.add(Number(port['nodePort']));
  }
}

/** Whether its endpoints are written by somebody else, and may be of either family. */
export const isFreeOfFamilies = (spec: JsonObject): boolean =>
  textIn(spec, 'clusterIP') === 'None' && Object.keys(objectIfIn(spec, 'selector') ?? {}).length === 0;

function chooseFamilies(spec: JsonObject): void {
  const free = isFreeOfFamilies(spec);
  fill(spec, { ipFamilyPolicy: free ? 'RequireDualStack' : 'SingleStack' });
  const asked = textsOf(spec['ipFamilies']);
  const address = textIn(spec, 'clusterIP');
  const families = asked.length > 0 ? asked : [familyOf(address === 'None' ? '' : address)];
  const both = free && spec['ipFamilyPolicy'] !== 'SingleStack' && families.length < 2;
  spec['ipFamilies'] = both ? [...families, families[0] === 'IPv4' ? 'IPv6' : 'IPv4'] : families;
}

/** Addresses and ports the server hands out. One address family is served: IPv4, unless the client names an IPv6 address. */
export function allocateService(service: JsonObject, context: StrategyContext): void {
  const spec = objectIn(service, 'spec');
  if (spec['type'] === 'ExternalName') return;
  if (textIn(spec, 'clusterIP') === '') spec['clusterIP'] = freeAddress(context);
  fill(spec, { clusterIPs: [textIn(spec, 'clusterIP')] });
  chooseFamilies(spec);
  allocateNodePorts(spec, context);
}

function samePort(a: JsonObject, b: JsonObject): boolean {
  return a['port'] === b['port'] && a['protocol'] === b['protocol'];
}

/** Who changes one of the two fields of the address means both. */
function followFirst(spec: JsonObject, before: JsonObject): void {
  const address = textIn(spec, 'clusterIP');
  const listed = JSON.stringify(spec['clusterIPs'] ?? []) === JSON.stringify(before['clusterIPs'] ?? []);
  if (address !== '' && address !== textIn(before, 'clusterIP') && listed) spec['clusterIPs'] = [address];
}

const portsOfNodes = (spec: JsonObject): Json[] => objectsIn(spec, 'ports').map((port) => port['nodePort'] ?? 0);

/** What only the old type had goes with it, unless the client changes it at the same time. */
function dropWithType(spec: JsonObject, before: JsonObject): void {
  const same = (field: string): boolean => isSame(spec[field], before[field]);
  if (before['type'] !== 'ExternalName' && spec['type'] === 'ExternalName' && same('clusterIPs')) {
    for (const field of ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy']) delete spec[field];
  }
  if (hasNodePorts(before) && !hasNodePorts(spec) && sameValue(portsOfNodes(spec), portsOfNodes(before))) {
    for (const port of objectsIn(spec, 'ports')) delete port['nodePort'];
  }
  if (isReachable(before) && !isReachable(spec) && same('externalTrafficPolicy')) delete spec['externalTrafficPolicy'];
  if (before['type'] !== 'LoadBalancer' || spec['type'] === 'LoadBalancer') return;
  for (const field of ['allocateLoadBalancerNodePorts', 'loadBalancerClass']) if (same(field)) delete spec[field];
}

/** Whoever asks for one family alone, and names none, gives the second back. */
function releaseFamily(spec: JsonObject, before: JsonObject): void {
  const families = textsOf(spec['ipFamilies']);
  const single = spec['ipFamilyPolicy'] === 'SingleStack';
  if (single && sameValue(families, textsOf(before['ipFamilies']))) spec['ipFamilies'] = families.slice(0, 1);
}

/** An update that leaves the allocated fields out keeps what the service has. */
export function keepAllocated(service: JsonObject, old: JsonObject): void {
  const spec = objectIn(service, 'spec');
  const before = objectIfIn(old, 'spec') ?? {};
  dropWithType(spec, before);
  if (spec['type'] === 'ExternalName' || before['type'] === 'ExternalName') return;
  followFirst(spec, before);
  const kept: [string, Json | undefined][] = ['clusterIP', 'clusterIPs', 'ipFamilyPolicy'].map((field) => [
    field,
    before[field],
  ]);
  for (const [field, value] of kept) if (value !== undefined) fill(spec, { [field]: clone(value) });
  releaseFamily(spec, before);
  if (!hasNodePorts(spec)) return;
  const oldPorts = objectsIn(before, 'ports');
  for (const port of objectsIn(spec, 'ports')) {
    const nodePort = oldPorts.find((candidate) => samePort(candidate, port))?.['nodePort'];
    if (!port['nodePort'] && nodePort !== undefined) port['nodePort'] = nodePort;
  }
}

/** A Service that only names another host has no traffic inside; what it had before stays stored. */
export function seenService(service: JsonObject): JsonObject {
  const { internalTrafficPolicy: hidden, ...spec } = objectIfIn(service, 'spec') ?? {};
  return hidden === undefined || spec['type'] !== 'ExternalName' ? service : { ...service, spec };
}
