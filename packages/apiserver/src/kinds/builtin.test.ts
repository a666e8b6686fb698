import { describe, expect, test } from 'vitest';
import type { Schema } from '../values/index.ts';
import { builtinResources, builtinSchema } from './builtin.ts';
import type { ResourceDefinition } from './definition.ts';

const resources = builtinResources();

function kind(group: string, name: string): ResourceDefinition {
  const found = resources.find((resource) => resource.group === group && resource.kind === name);
  if (found === undefined) throw new Error(`${name} is not served`);
  return found;
}

function at(schema: Schema | undefined, ...path: string[]): Schema | undefined {
  return path.reduce<Schema | undefined>((current, step) => {
    if (step === '[]') return current?.items;
    return step === '{}' ? (current?.additionalProperties as Schema | undefined) : current?.properties?.[step];
  }, schema);
}

describe('what a built-in kind is called', () => {
  test('names, scope and verbs are those of the published discovery documents', () => {
    expect(kind('apps', 'Deployment')).toMatchObject({
      version: 'v1',
      plural: 'deployments',
      singular: 'deployment',
      listKind: 'DeploymentList',
      namespaced: true,
      shortNames: ['deploy'],
      categories: ['all'],
      custom: false,
      hasStatus: true,
      scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
    });
    expect(kind('', 'Node')).toMatchObject({ namespaced: false, shortNames: ['no'], scale: undefined });
    expect(kind('', 'ConfigMap')).toMatchObject({ hasStatus: false, scale: undefined });
    expect(kind('', 'Namespace').verbs).not.toContain('deletecollection');
  });

  test('no two resources share a place', () => {
    const places = resources.map(({ group, version, plural }) => `${group}/${version}/${plural}`);
    expect(new Set(places).size).toBe(places.length);
  });
});

describe('schemas of built-in kinds', () => {
  test('every reference of every kind leads somewhere, cycles included', () => {
    const seen = new Set<Schema>();
    const visit = (schema: Schema): void => {
      if (seen.has(schema)) return;
      seen.add(schema);
      Object.values(schema.properties ?? {}).forEach(visit);
      if (schema.items !== undefined) visit(schema.items);
      if (typeof schema.additionalProperties === 'object') visit(schema.additionalProperties);
    };
    resources.forEach((resource) => visit(resource.schema));
    expect(seen.size).toBeGreaterThan(1000);
    const props = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
    expect(at(builtinSchema(props), 'properties', '{}')).toBe(builtinSchema(props));
  });

  test('a component is one object wherever it is used, and its title is its name', () => {
    const inPod = at(kind('', 'Pod').schema, 'spec');
    const inDeployment = at(kind('apps', 'Deployment').schema, 'spec', 'template', 'spec');
    expect(inPod).toBe(inDeployment);
    expect(inPod?.title).toBe('io.k8s.api.core.v1.PodSpec');
  });

  test('no schema carries a description: their text is not ours', () => {
    expect(JSON.stringify(kind('', 'Pod').schema)).not.toContain('"description"');
  });

  test('lists and maps say how they merge', () => {
    const pod = kind('', 'Pod').schema;
    expect(at(pod, 'spec', 'containers')).toMatchObject({
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    });
    expect(at(pod, 'spec', 'tolerations')).toMatchObject({ 'x-kubernetes-list-type': 'atomic' });
    expect(at(pod, 'spec', 'containers', '[]', 'ports')).toMatchObject({
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
      'x-kubernetes-patch-merge-key': 'containerPort',
    });
    expect(at(kind('', 'Service').schema, 'spec', 'selector')).toMatchObject({ 'x-kubernetes-map-type': 'atomic' });
    expect(at(kind('apps', 'Deployment').schema, 'spec', 'strategy')).toMatchObject({
      'x-kubernetes-patch-strategy': 'retainKeys',
      properties: { rollingUpdate: { type: 'object' } },
    });
  });

  test('scalars that are more than they seem: times, bytes, quantities, int-or-string, free-form values', () => {
    expect(at(kind('', 'Pod').schema, 'metadata', 'creationTimestamp')).toMatchObject({ format: 'date-time' });
    expect(at(kind('', 'Secret').schema, 'data', '{}')).toMatchObject({ type: 'string', format: 'byte' });
    const port = at(kind('', 'Service').schema, 'spec', 'ports', '[]');
    expect(at(port, 'targetPort')).toMatchObject({ 'x-kubernetes-int-or-string': true });
    const quantity = at(kind('', 'Pod').schema, 'spec', 'containers', '[]', 'resources', 'limits', '{}');
    expect(quantity).toMatchObject({ oneOf: [{ type: 'string' }, { type: 'number' }] });
    expect(at(kind('', 'Pod').schema, 'metadata', 'managedFields', '[]', 'fieldsV1')).toMatchObject({
      'x-kubernetes-preserve-unknown-fields': true,
    });
  });

  test('only real defaults are kept: the zero values of Go fields are not written by the server', () => {
    const port = at(kind('', 'Service').schema, 'spec', 'ports', '[]');
    expect(at(port, 'protocol')?.default).toBe('TCP');
    expect(at(port, 'port')).not.toHaveProperty('default');
  });
});

describe('field selectors', () => {
  test.each([
    ['', 'Node', 'spec.unschedulable'],
    ['', 'Namespace', 'status.phase'],
    ['', 'Secret', 'type'],
    ['', 'Service', 'spec.clusterIP'],
    ['', 'Service', 'spec.type'],
    ['', 'Event', 'involvedObject.uid'],
    ['events.k8s.io', 'Event', 'regarding.name'],
    ['', 'Pod', 'spec.nodeName'],
    ['', 'Pod', 'status.phase'],
  ])('%s %s can be selected by %s', (group, name, field) => {
    expect(kind(group, name).selectableFields).toContain(field);
  });

  test('every selectable field is in the schema of its kind', () => {
    for (const { schema, selectableFields } of resources) {
      // A Job is asked by another name for what its status calls succeeded.
      const own = selectableFields.filter((field) => field !== 'status.successful');
      const unknown = own.filter((field) => at(schema, ...field.split('.')) === undefined);
      expect(unknown).toEqual([]);
    }
  });
});
