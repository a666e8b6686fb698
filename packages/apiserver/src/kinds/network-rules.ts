// The rules of NetworkPolicies and Ingresses: who may talk to whom, and which requests go where.
import { isIPv4 } from 'node:net';
import type { Json, JsonObject } from 'kilter/api';
import { hasFormat } from '../formats/index.ts';
import { forbiddenField, invalidValue, outOfRange, required, unsupported } from '../status/index.ts';
import { type Issue, objectIfIn, objectsIn, textIn, textOf, textsOf } from '../values/index.ts';
import { labelSelectorIssues } from './matching-rules.ts';
import { labelProblems, portNameProblems, subdomainProblems } from './names.ts';

const ports = [1, 65_535] as const;
const protocols = ['TCP', 'UDP', 'SCTP'];

const portIssues = (port: Json, at: string): Issue[] =>
  typeof port === 'number'
    ? outOfRange(at, port, ports)
    : portNameProblems(textOf(port)).map((why) => invalidValue(at, port, why));

function policyPortIssues({ protocol = null, port = null, endPort = null }: JsonObject, at: string): Issue[] {
  const isKnown = protocol === null || protocols.includes(textOf(protocol));
  const ends = endPort === null ? [] : endPortIssues(port, endPort, at);
  return [
    ...(isKnown ? [] : [unsupported(`${at}.protocol`, protocol, protocols)]),
    ...(port === null ? ends : [...portIssues(port, `${at}.port`), ...ends]),
  ];
}

function endPortIssues(port: Json, endPort: Json, at: string): Issue[] {
  if (port === null)
    return [invalidValue(`${at}.endPort`, endPort, 'may not be specified when `port` is not specified')];
  if (typeof port === 'string') {
    return [forbiddenField(`${at}.endPort`, 'may not be specified when `port` is non-numeric')];
  }
  const ordered = Number(endPort) >= Number(port);
  return [
    ...(ordered ? [] : [invalidValue(`${at}.endPort`, port, 'must be greater than or equal to `port`')]),
    ...outOfRange(`${at}.endPort`, endPort, ports),
  ];
}

const cidrText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)';

const numberOf = (address: string): number => address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** Whether one network of IPv4 lies within another and is smaller; of IPv6 the server is believed. */
function isInside(part: string, whole: string): boolean {
  const [[inner = '', innerBits = ''], [outer = '', outerBits = '']] = [part.split('/'), whole.split('/')];
  if (!isIPv4(inner) || !isIPv4(outer)) return isIPv4(inner) === isIPv4(outer);
  const size = 2 ** (32 - Number(outerBits));
  const same = Math.floor(numberOf(inner) / size) === Math.floor(numberOf(outer) / size);
  return same && Number(innerBits) > Number(outerBits);
}

function blockIssues(block: JsonObject, at: string): Issue[] {
  const cidr = textIn(block, 'cidr');
  if (cidr === '') return [required(`${at}.cidr`)];
  if (!hasFormat(cidr, 'cidr')) return [invalidValue(`${at}.cidr`, cidr, cidrText)];
  return textsOf(block['except']).flatMap((except, index) => {
    const place = `${at}.except[${index}]`;
    if (!hasFormat(except, 'cidr')) return [invalidValue(place, except, cidrText)];
    return isInside(except, cidr) ? [] : [invalidValue(place, except, 'must be a strict subset of `cidr`')];
  });
}

function peerIssues(peer: JsonObject, at: string): Issue[] {
  const [pods, namespaces, block] = ['podSelector', 'namespaceSelector', 'ipBlock'].map((field) =>
    objectIfIn(peer, field),
  );
  if (pods === undefined && namespaces === undefined && block === undefined)
    return [required(at, 'must specify a peer')];
  const both = block !== undefined && (pods !== undefined || namespaces !== undefined);
  return [
    ...labelSelectorIssues(pods, `${at}.podSelector`),
    ...labelSelectorIssues(namespaces, `${at}.namespaceSelector`),
    ...(block === undefined ? [] : blockIssues(block, `${at}.ipBlock`)),
    ...(both ? [forbiddenField(at, 'may not specify both ipBlock and another peer')] : []),
  ];
}

function directionIssues(spec: JsonObject, direction: 'ingress' | 'egress'): Issue[] {
  const peers = direction === 'ingress' ? 'from' : 'to';
  return objectsIn(spec, direction).flatMap((rule, index) => {
    const at = `spec.${direction}[${index}]`;
    return [
      ...objectsIn(rule, 'ports').flatMap((port, place) => policyPortIssues(port, `${at}.ports[${place}]`)),
      ...objectsIn(rule, peers).flatMap((peer, place) => peerIssues(peer, `${at}.${peers}[${place}]`)),
    ];
  });
}

const policyTypes = ['Ingress', 'Egress'];

export function networkPolicyIssues(policy: JsonObject): Issue[] {
  const spec = objectIfIn(policy, 'spec') ?? {};
  const types = textsOf(spec['policyTypes']);
  const place = 'spec.policyTypes';
  return [
    ...labelSelectorIssues(objectIfIn(spec, 'podSelector'), 'spec.podSelector'),
    ...directionIssues(spec, 'ingress'),
    ...directionIssues(spec, 'egress'),
    ...(types.length > 2
      ? [invalidValue(place, types, 'may not specify more than two policyTypes')]
      : types.flatMap((type, index) =>
          policyTypes.includes(type) ? [] : [unsupported(`${place}[${index}]`, type, policyTypes)],
        )),
  ];
}

/** A host of one rule: an asterisk stands for its first label. */
function hostIssues(host: string, at: string): Issue[] {
  if (host === '') return [];
  if (isIPv4(host) || hasFormat(host, 'ipv6')) return [invalidValue(at, host, 'must be a DNS name, not an IP address')];
  if (!host.includes('*')) return subdomainProblems(host).map((why) => invalidValue(at, host, why));
  return host.startsWith('*.') && subdomainProblems(host.slice(2)).length === 0
    ? []
    : [invalidValue(at, host, wildcardText)];
}

const wildcardText =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

function serviceBackendIssues(service: JsonObject, at: string): Issue[] {
  const name = textIn(service, 'name');
  const port = objectIfIn(service, 'port') ?? {};
  const [portName, number] = [textIn(port, 'name'), port['number'] ?? 0];
  const named = [
    ...(name === '' ? [required(`${at}.service.name`)] : []),
    ...(name === '' ? [] : labelProblems(name).map((why) => invalidValue(`${at}.service.name`, name, why))),
  ];
  if (portName !== '' && number !== 0)
    return [...named, invalidValue(at, '', 'cannot set both port name & port number')];
  if (portName !== '') return [...named, ...portIssues(portName, `${at}.service.port.name`)];
  if (number === 0) return [...named, required(at, 'port name or number is required')];
  return [...named, ...outOfRange(`${at}.service.port.number`, number, ports)];
}

function backendIssues(backend: JsonObject | undefined, at: string): Issue[] {
  const [service, resource] = [objectIfIn(backend ?? {}, 'service'), objectIfIn(backend ?? {}, 'resource')];
  if (service !== undefined && resource !== undefined)
    return [invalidValue(at, '', 'cannot set both resource and service backends')];
  if (resource !== undefined) {
    return ['kind', 'name']
      .filter((field) => textIn(resource, field) === '')
      .map((field) => required(`${at}.resource.${field}`));
  }
  return service === undefined
    ? [invalidValue(at, '', 'resource or service backend is required')]
    : serviceBackendIssues(service, at);
}

const pathTypes = ['Exact', 'ImplementationSpecific', 'Prefix'];
const oddSequences = ['//', '/./', '/../', '%2f', '%2F'];
const oddEnds = ['/..', '/.'];

function pathIssues(entry: JsonObject, at: string): Issue[] {
  const [path, type] = [textIn(entry, 'path'), textIn(entry, 'pathType')];
  const place = `${at}.path`;
  if (type === '') return [required(`${at}.pathType`, 'pathType must be specified')];
  if (!pathTypes.includes(type)) return [unsupported(`${at}.pathType`, type, pathTypes)];
  const absolute = path.startsWith('/') ? [] : [invalidValue(place, path, 'must be an absolute path')];
  if (type === 'ImplementationSpecific') return path === '' ? [] : absolute;
  const sequence = oddSequences.find((odd) => path.includes(odd));
  const end = oddEnds.find((odd) => path.endsWith(odd));
  return [
    ...absolute,
    ...(sequence === undefined ? [] : [invalidValue(place, path, `must not contain '${sequence}'`)]),
    ...(end === undefined ? [] : [invalidValue(place, path, `cannot end with '${end}'`)]),
  ];
}

function ingressRuleIssues(rule: JsonObject, index: number): Issue[] {
  const at = `spec.rules[${index}]`;
  const http = objectIfIn(rule, 'http');
  const paths = objectsIn(http ?? {}, 'paths');
  return [
    ...hostIssues(textIn(rule, 'host'), `${at}.host`),
    ...(http !== undefined && paths.length === 0 ? [required(`${at}.http.paths`)] : []),
    ...paths.flatMap((path, place) => {
      const where = `${at}.http.paths[${place}]`;
      return [...pathIssues(path, where), ...backendIssues(objectIfIn(path, 'backend'), `${where}.backend`)];
    }),
  ];
}

export function ingressIssues(ingress: JsonObject): Issue[] {
  const spec = objectIfIn(ingress, 'spec') ?? {};
  const fallback = objectIfIn(spec, 'defaultBackend');
  const rules = objectsIn(spec, 'rules');
  const name = spec['ingressClassName'] ?? null;
  const neither = 'either `defaultBackend` or `rules` must be specified';
  return [
    ...(rules.length === 0 && fallback === undefined ? [invalidValue('spec', null, neither)] : []),
    ...rules.flatMap(ingressRuleIssues),
    ...(fallback === undefined ? [] : backendIssues(fallback, 'spec.defaultBackend')),
    ...objectsIn(spec, 'tls').flatMap((tls, index) =>
      textsOf(tls['hosts']).flatMap((host, place) => hostIssues(host, `spec.tls[${index}].hosts[${place}]`)),
    ),
    ...(name === null
      ? []
      : subdomainProblems(textOf(name)).map((why) => invalidValue('spec.ingressClassName', name, why))),
  ];
}
