import type { Json, JsonObject } from 'kilter/api';
import { column, type Column } from './column.ts';
import { at, fieldsOf, items, orNone, selectorText, text } from './fields.ts';
import { age, defaultableName, name } from './standard-columns.ts';

/** How many entries a cell names before it only counts. */
const shown = 3;

function listed(entries: readonly string[], none: string): string {
  const first = entries.slice(0, shown).join(',');
  if (entries.length > shown) return `${first} + ${entries.length - shown} more...`;
  return first === '' ? none : first;
}

const hostPort = (host: string, port: string): string => (host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`);

function subsetAddresses(subset: Json): string[] {
  const addresses = items(subset, 'addresses').map((address) => text(address, 'ip'));
  const ports = items(subset, 'ports').map((port) => text(port, 'port'));
  return ports.length === 0 ? addresses : ports.flatMap((port) => addresses.map((address) => hostPort(address, port)));
}

function endpoints(object: JsonObject): string {
  const subsets = items(object, 'subsets');
  return subsets.length === 0 ? '<none>' : listed(subsets.flatMap(subsetAddresses), '');
}

/** The hosts of the rules; what is left over is counted in rules, with or without a host. */
function hosts(ingress: JsonObject): string {
  const rules = items(ingress, 'spec', 'rules');
  const named: string[] = [];
  let cut = false;
  for (const host of rules.map((rule) => text(rule, 'host'))) {
    if (named.length === shown) cut = true;
    else if (host !== '') named.push(host);
  }
  if (named.length === 0) return '*';
  return cut ? `${named.join(',')} + ${rules.length - shown} more...` : named.join(',');
}

function balancerAddress(ingress: JsonObject): string {
  const points = items(ingress, 'status', 'loadBalancer', 'ingress');
  const addresses = points.map((point) => text(point, 'ip') || text(point, 'hostname')).filter((one) => one !== '');
  return [...new Set(addresses)].toSorted().join(',');
}

function parameters(object: JsonObject): string {
  const reference = at(object, 'spec', 'parameters');
  if (reference === undefined) return '<none>';
  const group = text(reference, 'apiGroup');
  return `${text(reference, 'kind')}${group === '' ? '' : `.${group}`}/${text(reference, 'name')}`;
}

function parent(address: JsonObject): string {
  const reference = fieldsOf(address, 'spec', 'parentRef');
  const resource = [text(reference, 'resource'), text(reference, 'group')].filter((part) => part !== '').join('.');
  const place = [resource.toLowerCase(), text(reference, 'namespace'), text(reference, 'name')];
  return orNone(place.filter((part) => part !== '').join('/'));
}

export const networkColumns: Readonly<Record<string, readonly Column[]>> = {
  '/Endpoints': [name, column('Endpoints', endpoints), age],
  'discovery.k8s.io/EndpointSlice': [
    name,
    column('AddressType', (slice) => text(slice, 'addressType')),
    column('Ports', (slice) =>
      listed(
        items(slice, 'ports').map((port) => text(port, 'port') || text(port, 'name') || '*'),
        '<unset>',
      ),
    ),
    column('Endpoints', (slice) =>
      listed(
        items(slice, 'endpoints').flatMap((endpoint) => items(endpoint, 'addresses').map((one) => text(one))),
        '<unset>',
      ),
    ),
    age,
  ],
  'networking.k8s.io/Ingress': [
    name,
    column('Class', (ingress) => orNone(text(ingress, 'spec', 'ingressClassName'))),
    column('Hosts', hosts),
    column('Address', balancerAddress),
    column('Ports', (ingress) => (items(ingress, 'spec', 'tls').length > 0 ? '80, 443' : '80')),
    age,
  ],
  'networking.k8s.io/IngressClass': [
    defaultableName('ingressclass.kubernetes.io/is-default-class'),
    column('Controller', (object) => text(object, 'spec', 'controller')),
    column('Parameters', parameters),
    age,
  ],
  'networking.k8s.io/IPAddress': [name, column('ParentRef', parent)],
  'networking.k8s.io/NetworkPolicy': [
    name,
    column('Pod-Selector', (policy) => selectorText(at(policy, 'spec', 'podSelector'))),
    age,
  ],
  'networking.k8s.io/ServiceCIDR': [
    name,
    column('CIDRs', (range) =>
      items(range, 'spec', 'cidrs')
        .map((one) => text(one))
        .join(','),
    ),
    age,
  ],
};
