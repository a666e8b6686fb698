import type { JsonObject } from 'kilter/api';
import { describe, expect, test } from 'vitest';
import { ServerUnderTest, types } from './server-under-test.test-support.ts';

const claims = '/api/v1/namespaces/default/persistentvolumeclaims';

const storageClass = (name: string, more: JsonObject = {}): JsonObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind: 'StorageClass',
  metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } },
  provisioner: 'example.com/none',
  ...more,
});

const claim = (name: string, spec: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
});

const specOf = (object: JsonObject): JsonObject => object['spec'] as JsonObject;

describe('API-A9: objects that name no class', () => {
  test('claims get the default one; an empty name is a name', async () => {
    await using api = new ServerUnderTest();
    expect(specOf(await api.ok(`POST ${claims}`, claim('before')))['storageClassName']).toBeUndefined();
    await api.ok('POST /apis/storage.k8s.io/v1/storageclasses', storageClass('gold'));
    expect(specOf(await api.ok(`POST ${claims}`, claim('a')))['storageClassName']).toBe('gold');
    expect(specOf(await api.ok(`POST ${claims}`, claim('b', { storageClassName: '' })))['storageClassName']).toBe('');
    const changed = await api.ok(`PATCH ${claims}/before`, { metadata: { labels: { a: 'b' } } }, { type: types.merge });
    expect(specOf(changed)['storageClassName']).toBeUndefined();
  });

  test('ingresses get the default one, unless an annotation names one', async () => {
    await using api = new ServerUnderTest();
    await api.ok('POST /apis/networking.k8s.io/v1/ingressclasses', {
      apiVersion: 'networking.k8s.io/v1',
      kind: 'IngressClass',
      metadata: { name: 'front', annotations: { 'ingressclass.kubernetes.io/is-default-class': 'true' } },
      spec: { controller: 'example.com/front' },
    });
    const path = '/apis/networking.k8s.io/v1/namespaces/default/ingresses';
    const ingress = (name: string, annotations: JsonObject): JsonObject => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name, annotations },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    });
    expect(specOf(await api.ok(`POST ${path}`, ingress('a', {})))['ingressClassName']).toBe('front');
    const annotated = ingress('b', { 'kubernetes.io/ingress.class': 'own' });
    expect(specOf(await api.ok(`POST ${path}`, annotated))['ingressClassName']).toBeUndefined();
  });

  test('a bound claim grows only if its class lets it', async () => {
    await using api = new ServerUnderTest();
    const grow = async (name: string, allowVolumeExpansion: boolean): Promise<number> => {
      await api.ok('POST /apis/storage.k8s.io/v1/storageclasses', storageClass(name, { allowVolumeExpansion }));
      const object = claim(name, { storageClassName: name, volumeName: 'v' });
      await api.ok(`POST ${claims}`, object);
      await api.ok(`PUT ${claims}/${name}/status`, { ...object, status: { phase: 'Bound' } });
      const more = { spec: { resources: { requests: { storage: '2Gi' } } } };
      return (await api.send(`PATCH ${claims}/${name}`, more, { type: types.merge })).code;
    };
    expect([await grow('yes', true), await grow('no', false)]).toEqual([200, 403]);
  });
});
