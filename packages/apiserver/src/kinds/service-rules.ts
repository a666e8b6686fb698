// The rules of Services and of what stands behind them.
import type { JsonObject } from 'kilter/api';
import { duplicate, invalidValue, outOfRange, required, tooMany, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, sameValue, textIn, textOf, textsOf } from '../values/index.ts';
import { labelProblems, portNameProblems } from './names.ts';
import { oneOf, protocols, repeated } from './pod-rules.ts';

const ports = [1, 65_535] as const;

function targetIssues(port: JsonObject, path: string): Issue[] {
  const target = port['targetPort'] ?? 0;
  if (typeof target !== 'string') return outOfRange(`${path}.targetPort`, target, ports);
  return portNameProblems(target).map((problem) => invalidValue(`${path}.targetPort`, target, problem));
}

function portIssues(port: JsonObject, path: string, several: boolean): Issue[] {
  const name = textIn(port, 'name');
  return [
    ...(several && name === '' ? [required(`${path}.name`)] : []),
    ...(name === '' ? [] : labelProblems(name).map((problem) => invalidValue(`${path}.name`, name, problem))),
    ...outOfRange(`${path}.port`, port['port'] ?? 0, ports),
    ...oneOf(`${path}.protocol`, textIn(port, 'protocol'), protocols),
    ...targetIssues(port, path),
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

export function serviceIssues(service: JsonObject, old: JsonObject | undefined): Issue[] {
  const spec = objectIfIn(service, 'spec') ?? {};
  const type = textIn(spec, 'type');
  const affinity = textIn(spec, 'sessionAffinity');
  return [
    ...(old === undefined ? [] : addressIssues(spec, objectIfIn(old, 'spec') ?? {})),
    ...portsIssues(spec),
    ...(types.includes(type) ? [] : [unsupported('spec.type', type, types)]),
    ...(type === 'ExternalName' && textIn(spec, 'externalName') === '' ? [required('spec.externalName')] : []),
    ...oneOf('spec.sessionAffinity', affinity, ['ClientIP', 'None']),
  ];
}

const mostEndpoints = 1000;
const mostEndpointPorts = 20_000;
const addressTypes = ['FQDN', 'IPv4', 'IPv6'];

export function endpointSliceIssues(slice: JsonObject, old: JsonObject | undefined): Issue[] {
  const endpoints = objectsIn(slice, 'endpoints');
  const opened = objectsIn(slice, 'ports');
  if (opened.length > mostEndpointPorts) return [tooMany('ports', opened.length, mostEndpointPorts)];
  if (endpoints.length > mostEndpoints) return [tooMany('endpoints', endpoints.length, mostEndpoints)];
  const type = slice['addressType'] ?? '';
  const fixed = old === undefined || sameValue(type, old['addressType'] ?? '');
  const empty = endpoints.flatMap((endpoint, index) =>
    textsOf(endpoint['addresses']).length === 0
      ? [required(`endpoints[${index}].addresses`, 'must contain at least 1 address')]
      : [],
  );
  const names = opened.map((port, index) => [`ports[${index}].name`, textIn(port, 'name')] as const);
  return [
    ...(typeof type === 'string' ? oneOf('addressType', type, addressTypes) : []),
    ...(fixed ? [] : [invalidValue('addressType', type, 'field is immutable')]),
    ...empty,
    ...repeated(names),
    ...opened.flatMap((port, index) => oneOf(`ports[${index}].protocol`, textIn(port, 'protocol'), protocols)),
  ];
}
