import type { Json, JsonObject } from 'kilter/api';
import { column, type Column, wide } from './column.ts';
import { fieldsOf, items, labelsText, orNone, text } from './fields.ts';

function portText(port: Json): string {
  const nodePort = text(port, 'nodePort');
  const between = nodePort === '' || nodePort === '0' ? '' : `:${nodePort}`;
  return `${text(port, 'port')}${between}/${text(port, 'protocol')}`;
}

/** Where the service can be reached from outside, as far as anybody said. */
function externalAddress(service: JsonObject): string {
  const listed = items(service, 'spec', 'externalIPs').map((address) => text(address));
  if (text(service, 'spec', 'type') === 'ExternalName') return text(service, 'spec', 'externalName');
  if (text(service, 'spec', 'type') !== 'LoadBalancer') return orNone(listed.join(','));
  const ingress = items(service, 'status', 'loadBalancer', 'ingress');
  const balanced = ingress.map((point) => text(point, 'ip') || text(point, 'hostname'));
  return [...balanced, ...listed].join(',') || '<pending>';
}

export function serviceColumns(name: Column, age: Column): readonly Column[] {
  return [
    name,
    column('Type', (service) => text(service, 'spec', 'type')),
    column('Cluster-IP', (service) => orNone(text(service, 'spec', 'clusterIP'))),
    column('External-IP', externalAddress),
    column('Port(s)', (service) => orNone(items(service, 'spec', 'ports').map(portText).join(','))),
    age,
    wide('Selector', (service) => labelsText(fieldsOf(service, 'spec', 'selector'))),
  ];
}
