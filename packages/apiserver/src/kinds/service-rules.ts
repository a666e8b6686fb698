// The rules of Services and of what is behind them.
import type { JsonObject } from 'kilter/api';
import { hasFormat } from '../formats/index.ts';
import { duplicate, forbiddenField, invalidValue, outOfRange, required, unsupported } from '../status/index.ts';
import { type Issue, metadataOf, objectIfIn, objectsIn, textIn, textOf, textsOf } from '../values/index.ts';
import { isReachable } from './builtin-service-defaults.ts';
import { keyProblems, labelProblems, labelValueProblems, portNameProblems, subdomainProblems } from './names.ts';
import { oneOf, protocols, repeated } from './pod-rules.ts';
import { addressProblems, addressRefusal, clusterAddressIssues } from './service-address-rules.ts';

const ports = [1, 65_535] as const;

function targetIssues(port: JsonObject, path: string): Issue[] {
  const target = port['targetPort'] ?? 0;
  if (typeof target !== 'string') return outOfRange(`${path}.targetPort`, target, ports);
  return portNameProblems(target).map((problem) => invalidValue(`${path}.targetPort`, target, problem));
}

function portIssues(port: JsonObject, path: string, several: boolean): Issue[] {
  const name = textIn(port, 'name');
  const application = textIn(port, 'appProtocol');
  return [
    ...(several && name === '' ? [required(`${path}.name`)] : []),
    ...(name === '' ? [] : labelProblems(name).map((problem) => invalidValue(`${path}.name`, name, problem))),
    ...outOfRange(`${path}.port`, port['port'] ?? 0, ports),
    ...oneOf(`${path}.protocol`, textIn(port, 'protocol'), protocols),
    ...targetIssues(port, path),
    ...(application === '' ? [] : keyProblems(application)).map((problem) =>
      invalidValue(`${path}.appProtocol`, application, problem),
    ),
  ];
}

/** The server names a repeated pair as the struct it compared. */
function repeatedPorts(all: readonly JsonObject[]): Issue[] {
  const seen = new Set<string>();
  return all.flatMap((port, index) => {
    const [protocol, number] = [textIn(port, 'protocol'), port['port'] ?? 0];
    const key = `${protocol}/${textOf(number)}`;
    const again = seen.has(key);
    seen.add(key);
    const struct = { Name: '', Protocol: protocol, AppProtocol: null, Port: number, TargetPort: 0, NodePort: 0 };
    return again ? [duplicate(`spec.ports[${index}]`, struct)] : [];
  });
}

function portsIssues(spec: JsonObject): Issue[] {
  const all = objectsIn(spec, 'ports');
  const needed = textIn(spec, 'type') !== 'ExternalName' && textIn(spec, 'clusterIP') !== 'None';
  const names = all.map((port, index) => [`spec.ports[${index}].name`, textIn(port, 'name')] as const);
  return [
    ...(needed && all.length === 0 ? [required('spec.ports')] : []),
    ...all.flatMap((port, index) => portIssues(port, `spec.ports[${index}]`, all.length > 1)),
    ...repeated(names),
    ...repeatedPorts(all),
  ];
}

const types = ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'];

/** An address is for life, as long as the Service has one at all. */
function addressIssues(spec: JsonObject, before: JsonObject): Issue[] {
  if (textIn(spec, 'type') === 'ExternalName' || textIn(before, 'type') === 'ExternalName') return [];
  const [now, then] = [textsOf(spec['clusterIPs']), textsOf(before['clusterIPs'])];
  const changed = then[0] !== undefined && now[0] !== undefined && now[0] !== then[0];
  return changed ? [invalidValue('spec.clusterIPs[0]', now, 'may not change once set')] : [];
}

const isHeadless = (spec: JsonObject): boolean => {
  const all = textsOf(spec['clusterIPs']);
  return all.length === 1 && all[0] === 'None';
};

/** What each type asks for, and what it cannot have. */
function typeIssues(spec: JsonObject): Issue[] {
  const type = textIn(spec, 'type');
  const headless = textIn(spec, 'clusterIP') === 'None';
  if (type === 'LoadBalancer' || type === 'NodePort') {
    const why = `may not be set to 'None' for ${type} services`;
    return headless ? [invalidValue('spec.clusterIPs[0]', 'None', why)] : [];
  }
  if (type !== 'ExternalName') return [];
  const name = textIn(spec, 'externalName');
  const address = textIn(spec, 'clusterIP') !== '' || textsOf(spec['clusterIPs']).length > 0;
  return [
    ...(address ? [forbiddenField('spec.clusterIPs', 'may not be set for ExternalName services')] : []),
    ...(name === ''
      ? [required('spec.externalName')]
      : subdomainProblems(name.replace(/\.$/, '')).map((problem) => invalidValue('spec.externalName', name, problem))),
  ];
}

const longestAffinity = 86_400;

function affinityIssues(spec: JsonObject): Issue[] {
  const affinity = textIn(spec, 'sessionAffinity');
  const client = objectIfIn(objectIfIn(spec, 'sessionAffinityConfig') ?? {}, 'clientIP') ?? {};
  const { timeoutSeconds: seconds } = client;
  const field = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds';
  const wrong = typeof seconds === 'number' && (seconds <= 0 || seconds > longestAffinity);
  return [
    ...oneOf('spec.sessionAffinity', affinity, ['ClientIP', 'None']),
    ...(affinity === 'ClientIP' && wrong
      ? [invalidValue(field, seconds, `must be greater than 0 and less than ${longestAffinity}`)]
      : []),
  ];
}

function externalAddressIssues(spec: JsonObject): Issue[] {
  return textsOf(spec['externalIPs']).flatMap((address, index) => {
    const loops = address.startsWith('127.') || address === '::1';
    const problems = [
      ...addressProblems(address),
      ...(loops ? ['may not be in the loopback range (127.0.0.0/8, ::1/128)'] : []),
    ];
    return problems.map((problem) => invalidValue(`spec.externalIPs[${index}]`, address, problem));
  });
}

function nodePortIssues(spec: JsonObject): Issue[] {
  const type = textIn(spec, 'type');
  if (type !== 'ClusterIP') return [];
  return objectsIn(spec, 'ports').flatMap((port, index) =>
    (port['nodePort'] ?? 0) === 0
      ? []
      : [forbiddenField(`spec.ports[${index}].nodePort`, "may not be used when `type` is 'ClusterIP'")],
  );
}

function selectorIssues(spec: JsonObject): Issue[] {
  return Object.entries(objectIfIn(spec, 'selector') ?? {}).flatMap(([key, value]) => [
    ...keyProblems(key).map((problem) => invalidValue('spec.selector', key, problem)),
    ...labelValueProblems(textOf(value)).map((problem) => invalidValue('spec.selector', textOf(value), problem)),
  ]);
}

function outsideIssues(spec: JsonObject): Issue[] {
  const policy = textIn(spec, 'externalTrafficPolicy');
  const port = spec['healthCheckNodePort'] ?? 0;
  const ranges = textsOf(spec['loadBalancerSourceRanges']);
  const checked = textIn(spec, 'type') === 'LoadBalancer' && policy === 'Local';
  const notCidr = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';
  return [
    ...ranges.flatMap((range, index) =>
      hasFormat(range.trim(), 'cidr') ? [] : [invalidValue(`spec.LoadBalancerSourceRanges[${index}]`, range, notCidr)],
    ),
    ...(policy !== '' && !isReachable(spec)
      ? [invalidValue('spec.externalTrafficPolicy', policy, 'may only be set for externally-accessible services')]
      : []),
    ...(port !== 0 && !checked
      ? [
          invalidValue(
            'spec.healthCheckNodePort',
            port,
            "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'",
          ),
        ]
      : []),
  ];
}

const insideTraffic = ['Cluster', 'Local'];
const distributions = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];

/** What only a load balancer can have, and who else gets the traffic. */
function trafficIssues(spec: JsonObject): Issue[] {
  const { internalTrafficPolicy: inside = null, trafficDistribution: spread = null } = spec;
  const balanced = textIn(spec, 'type') === 'LoadBalancer';
  const balancer = spec['loadBalancerClass'] ?? null;
  const only = "may only be used when `type` is 'LoadBalancer'";
  return [
    ...((spec['allocateLoadBalancerNodePorts'] ?? null) !== null && !balanced
      ? [forbiddenField('spec.allocateLoadBalancerNodePorts', only)]
      : []),
    ...(balancer !== null && !balanced ? [forbiddenField('spec.loadBalancerClass', only)] : []),
    ...(balancer !== null && balanced
      ? keyProblems(textOf(balancer)).map((problem) => invalidValue('spec.loadBalancerClass', balancer, problem))
      : []),
    ...(inside === null || insideTraffic.includes(textOf(inside))
      ? []
      : [unsupported('spec.internalTrafficPolicy', inside, insideTraffic)]),
    ...(spread === null || distributions.includes(textOf(spread))
      ? []
      : [unsupported('spec.trafficDistribution', spread, distributions)]),
  ];
}

/** Whoever balances its load goes on doing so. */
function balancerIssues(spec: JsonObject, before: JsonObject): Issue[] {
  const [now = null, then = null] = [spec['loadBalancerClass'], before['loadBalancerClass']];
  const stays = [spec, before].every((one) => textIn(one, 'type') === 'LoadBalancer');
  return stays && now !== then ? [invalidValue('spec.loadBalancerClass', now, 'may not change once set')] : [];
}

export function serviceIssues(service: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = objectIfIn(service, 'spec') ?? {};
  const type = textIn(spec, 'type');
  // Whoever hands out addresses is asked before anybody looks at the rest.
  const addresses =
    old === undefined ? clusterAddressIssues(spec) : addressRefusal(spec, objectIfIn(old, 'spec') ?? {});
  if (addresses.length > 0) return addresses;
  const before = objectIfIn(old ?? {}, 'spec') ?? {};
  return [
    ...(old === undefined ? [] : addressIssues(spec, before)),
    ...balancerIssues(spec, before),
    ...typeIssues(spec),
    ...portsIssues(spec),
    ...selectorIssues(spec),
    ...affinityIssues(spec),
    ...externalAddressIssues(spec),
    ...(types.includes(type) ? [] : [unsupported('spec.type', type, types)]),
    ...nodePortIssues(spec),
    ...outsideIssues(spec),
    ...trafficIssues(spec),
  ];
}

/** What a Service without an address has no use for. */
function headlessWarnings(spec: JsonObject): string[] {
  const ignored = [
    ...(textIn(spec, 'loadBalancerIP') === '' ? [] : ['loadBalancerIP']),
    ...(textsOf(spec['externalIPs']).length > 0 ? ['externalIPs'] : []),
    ...(textIn(spec, 'sessionAffinity') === 'None' ? [] : ['SessionAffinity']),
  ];
  return ignored.map((field) => `spec.${field} is ignored for headless services`);
}

function externalWarnings(spec: JsonObject): string[] {
  const external = textIn(spec, 'type') === 'ExternalName';
  const addresses = textsOf(spec['externalIPs']).length > 0;
  return [
    ...(addresses && !external && !isHeadless(spec)
      ? ['spec.externalIPs is deprecated and may no longer be implemented in some clusters']
      : []),
    ...(addresses && external ? ['spec.externalIPs is ignored when spec.type is "ExternalName"'] : []),
    ...(textIn(spec, 'externalName') !== '' && !external
      ? ['spec.externalName is ignored when spec.type is not "ExternalName"']
      : []),
  ];
}

const hints = 'service.kubernetes.io/topology-aware-hints';

export function serviceWarnings(service: JsonObject): string[] {
  const spec = objectIfIn(service, 'spec') ?? {};
  const annotations = objectIfIn(metadataOf(service), 'annotations') ?? {};
  return [
    ...(hints in annotations
      ? [`annotation ${hints} is deprecated, please use service.kubernetes.io/topology-mode instead`]
      : []),
    ...(isHeadless(spec) ? headlessWarnings(spec) : []),
    ...externalWarnings(spec),
    ...(spec['trafficDistribution'] === 'PreferClose'
      ? ['spec.trafficDistribution: "PreferClose" is deprecated; use "PreferSameZone"']
      : []),
  ];
}
