// The rules of EndpointSlices.
import type { JsonObject } from 'kilter/api';
import { invalidValue, required, tooMany } from '../status/index.ts';
import { type Issue, objectsIn, sameValue, textIn, textsOf } from '../values/index.ts';
import { oneOf, protocols, repeated } from './pod-rules.ts';

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
